package io.tidemark.core.config;

/**
 * Memory that requests may take. Keys in parentheses.
 *
 * @param clientBudgetBytes request bytes of clients between receipt and append ({@code queued.max.request.bytes})
 * @param peerBudgetBytes the same for brokers and the controller ({@code peer.queued.max.request.bytes})
 * @param fetchMaxBytes largest answer to a consumer's fetch ({@code fetch.max.bytes})
 */
public record RequestConfig(long clientBudgetBytes, long peerBudgetBytes, int fetchMaxBytes) {}
