/** The broker process: the only place where everything is put together, started and stopped. */
package io.tidemark.server.boot;
