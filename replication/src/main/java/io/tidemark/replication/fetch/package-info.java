/** Reading as a leader: followers through sessions, consumers below the high watermark. */
package io.tidemark.replication.fetch;
