package io.tidemark.client.net;

import io.tidemark.runtime.Clock;
import io.tidemark.runtime.EventLoop;
import io.tidemark.runtime.Randomness;

/** What one producer, consumer or admin runs on; the loop is its alone. */
public record ClientRuntime(EventLoop loop, Clock clock, Randomness randomness) {}
