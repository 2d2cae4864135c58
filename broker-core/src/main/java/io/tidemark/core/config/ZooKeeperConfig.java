package io.tidemark.core.config;

import java.time.Duration;

/**
 * Where the cluster agrees. Keys in parentheses.
 *
 * @param connect {@code host:port,host:port/chroot} ({@code zookeeper.connect})
 * @param sessionTimeout how long a silent broker keeps its registration ({@code zookeeper.session.timeout.ms})
 */
public record ZooKeeperConfig(String connect, Duration sessionTimeout) {}
