/** What this broker knows of itself and the cluster, for people: the status page, as HTML and JSON. Read-only. */
package io.tidemark.server.status;
