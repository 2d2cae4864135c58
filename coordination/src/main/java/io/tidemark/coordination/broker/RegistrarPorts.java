package io.tidemark.coordination.broker;

import io.tidemark.coordination.zookeeper.ZkSession;
import io.tidemark.runtime.EventLoop;
import java.time.Duration;

/**
 * What a registrar reaches the world through.
 *
 * @param loop the session's
 * @param peers asks who holds this broker's id
 * @param sessionTimeout after which a dead process's node is gone
 */
public record RegistrarPorts(ZkSession session, EventLoop loop, PeerIdentifier peers, Duration sessionTimeout) {}
