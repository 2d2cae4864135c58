/**
 * What runs in the client's process of a comparison: the same measuring code for both systems, over one port with two
 * implementations. It needs nothing but {@code proto} beside the client that it measures.
 */
package io.tidemark.bench.probe;
