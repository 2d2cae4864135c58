package io.tidemark.coordination.controller;

import io.tidemark.coordination.broker.PeerProbe;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.runtime.Clock;
import java.util.SortedMap;
import java.util.function.Supplier;

/**
 * What it takes to notice dead processes before their sessions end.
 *
 * @param knownBrokers live brokers as the last controller told them: whom to ask when the controller itself is suspected.
 *     Called on the controller's loop
 */
public record FailureDetection(
        PeerProbe probe, Clock clock, Supplier<SortedMap<Integer, BrokerRegistration>> knownBrokers) {}
