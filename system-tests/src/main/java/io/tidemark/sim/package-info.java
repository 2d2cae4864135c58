/** The simulator: whole clusters of the code that ships, on one thread, in simulated time. */
package io.tidemark.sim;
