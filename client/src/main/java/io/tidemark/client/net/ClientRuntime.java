package io.tidemark.client.net;

import io.tidemark.runtime.Clock;
import io.tidemark.runtime.EventLoop;
import io.tidemark.runtime.Randomness;

/** What producers, consumers and admins run on. Several may share a loop: none of them ever blocks it. */
public record ClientRuntime(EventLoop loop, Clock clock, Randomness randomness) {}
