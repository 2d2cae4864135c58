/** The cluster's agreement: what ZooKeeper holds, who decides, and how brokers are told (DESIGN section 6). */
package io.tidemark.coordination;
