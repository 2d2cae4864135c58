package io.tidemark.coordination.controller;

import io.tidemark.coordination.zookeeper.ZkSession;
import io.tidemark.model.Endpoint;
import io.tidemark.runtime.EventLoop;

/**
 * What a controller reaches the world through.
 *
 * @param brokerId of this broker
 * @param peer where other brokers reach it
 * @param loop on which everything runs; the session answers on it
 */
public record ControllerPorts(
        int brokerId, Endpoint peer, EventLoop loop, ZkSession session, BrokerCommands commands, String clusterId) {}
