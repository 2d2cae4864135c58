/** This broker's connections to its peers: to leaders, to the controller, and, as the controller, to every broker. */
package io.tidemark.server.peer;
