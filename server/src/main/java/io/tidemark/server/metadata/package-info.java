/** What this broker was last told about the whole cluster: the source of metadata answers. */
package io.tidemark.server.metadata;
