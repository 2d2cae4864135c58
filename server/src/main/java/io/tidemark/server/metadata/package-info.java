/**
 * What this broker is told about the whole cluster, and how it takes it in: the source of metadata answers and of topics' settings.
 * The simulator's processes do it by the same classes.
 */
package io.tidemark.server.metadata;
