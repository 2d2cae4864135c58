/** Copying from leaders. */
package io.tidemark.replication.follower;
