/** The gRPC services, one small class each, and the mappers at which generated messages stop. */
package io.tidemark.server.rpc;
