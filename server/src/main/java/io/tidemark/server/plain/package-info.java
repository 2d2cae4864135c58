/** The plain API's way into the cluster: a client inside the broker (docs/decisions/0004). */
package io.tidemark.server.plain;
