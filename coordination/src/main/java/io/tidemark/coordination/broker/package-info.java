/** The broker's side of the agreement: registration, incarnation proof, and taking the controller's pushes. */
package io.tidemark.coordination.broker;
