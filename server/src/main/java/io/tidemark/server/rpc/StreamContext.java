package io.tidemark.server.rpc;

/**
 * What the services of one listener share.
 *
 * @param streams of the listener
 * @param budget of memory for requests; produce charges it
 * @param meters of requests
 */
public record StreamContext(OpenStreams streams, InFlightBytes budget, RequestMeters meters) {}
