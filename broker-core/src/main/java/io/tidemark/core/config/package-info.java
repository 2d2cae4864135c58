/** Configuration keys with the names and defaults that operators know. */
package io.tidemark.core.config;
