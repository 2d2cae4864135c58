package io.tidemark.core.config;

import java.time.Duration;

/**
 * How a broker hands its leaders over before it stops. Keys in parentheses.
 *
 * @param enabled ({@code controlled.shutdown.enable})
 * @param maxRetries attempts after the first ({@code controlled.shutdown.max.retries})
 * @param retryBackoff pause between two ({@code controlled.shutdown.retry.backoff.ms})
 */
public record ControlledShutdownConfig(boolean enabled, int maxRetries, Duration retryBackoff) {}
