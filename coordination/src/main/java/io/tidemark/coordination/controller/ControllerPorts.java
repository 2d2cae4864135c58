package io.tidemark.coordination.controller;

import io.tidemark.coordination.zookeeper.ZkSession;
import io.tidemark.model.Endpoint;
import io.tidemark.runtime.EventLoop;
import org.jspecify.annotations.Nullable;

/**
 * What a controller reaches the world through.
 *
 * @param brokerId of this broker
 * @param peer where other brokers reach it
 * @param loop on which everything runs; the session answers on it
 * @param detection finds processes that ended; null to wait for the end of their sessions
 */
public record ControllerPorts(
        int brokerId,
        Endpoint peer,
        EventLoop loop,
        ZkSession session,
        BrokerCommands commands,
        String clusterId,
        @Nullable FailureDetection detection) {}
