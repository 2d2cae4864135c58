/** The file system as a port, and its four implementations: disk, simulated disk, faults, and writes held in memory. */
package io.tidemark.core.io;
