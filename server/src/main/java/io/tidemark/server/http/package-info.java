/** The HTTP port for metrics and health. */
package io.tidemark.server.http;
