/** Deleting records below an offset: at the leader first, done once every live replica has followed. */
package io.tidemark.replication.deletion;
