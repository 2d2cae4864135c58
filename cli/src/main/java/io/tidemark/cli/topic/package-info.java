/** Commands about topics, partitions, brokers and the cluster. */
package io.tidemark.cli.topic;
