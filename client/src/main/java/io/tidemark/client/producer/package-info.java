/** Writing: batching, order, idempotence. */
package io.tidemark.client.producer;
