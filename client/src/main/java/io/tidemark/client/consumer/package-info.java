/** Reading: assigned partitions, positions, polls. */
package io.tidemark.client.consumer;
