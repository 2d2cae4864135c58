package io.tidemark.coordination.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.coordination.broker.Push;
import io.tidemark.coordination.cluster.ClusterSettings;
import io.tidemark.coordination.cluster.Notice;
import io.tidemark.coordination.zookeeper.ManualZkSession;
import io.tidemark.coordination.zookeeper.ZkCodec;
import io.tidemark.coordination.zookeeper.ZkContent.Controller;
import io.tidemark.coordination.zookeeper.ZkPaths;
import io.tidemark.coordination.zookeeper.ZkSession.CreateMode;
import io.tidemark.core.config.TopicDefaults;
import io.tidemark.core.testkit.ManualEventLoops;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.Endpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A broker that can be controller, with a loop, and so a time, of its own: it is paused while its loop is not run. Its pushes reach
 * everybody.
 */
abstract class ControllerProcess implements ControllerLoop.Listener, BrokerCommands {
    final ManualEventLoops loops;
    final ManualZkSession session;
    final ControllerLoop controller;
    final List<Push.Request> pushed = new ArrayList<>();
    final List<Integer> terms = new ArrayList<>();

    ControllerProcess(
            int id,
            ManualZkSession.Ensemble ensemble,
            ManualScheduler scheduler,
            @Nullable FailureDetection detection) {
        loops = new ManualEventLoops(scheduler);
        var loop = loops.open("controller-" + id);
        session = ensemble.client(loop);
        ClusterSettings settings = new ClusterSettings(
                Duration.ofSeconds(6), Duration.ofSeconds(1), 100, new TopicDefaults(1, 1, 1, false));
        controller = new ControllerLoop(
                new ControllerPorts(id, address(id), loop, session, this, "cluster", detection), settings, this);
    }

    static Endpoint address(int id) {
        return new Endpoint("broker", id);
    }

    /** A session under which the nodes that every cluster has are made. */
    static long makeCluster(ManualZkSession.Ensemble ensemble) {
        long anybody = ensemble.tree().openSession();
        for (String path : ZkPaths.SKELETON) {
            ensemble.tree().create(anybody, path, "", CreateMode.PERSISTENT);
        }
        return anybody;
    }

    static void register(ManualZkSession.Ensemble ensemble, long owner, int id, long nonce) {
        BrokerRegistration registration = new BrokerRegistration(
                id,
                -1,
                nonce,
                address(id),
                address(id),
                address(id),
                "",
                List.of("d" + id),
                BrokerRegistration.PROVES_NOTHING);
        assertThat(ensemble.tree()
                        .create(owner, ZkPaths.broker(id), ZkCodec.encodeBroker(registration), CreateMode.EPHEMERAL)
                        .isOk())
                .isTrue();
    }

    @Override
    public void push(BrokerRegistration to, Push.Request push, Consumer<Push.@Nullable Answer> answer) {
        pushed.add(push);
        answer.accept(new Push.Answer(push.sequence(), Push.Result.APPLIED));
    }

    @Override
    public void hold(BrokerRegistration to) {
        throw new AssertionError("nobody is suspected here");
    }

    @Override
    public void identify(BrokerRegistration at, Consumer<@Nullable Identity> answer) {
        answer.accept(null);
    }

    @Override
    public void describeLogEnds(BrokerRegistration of, List<LogQuery> logs, Consumer<@Nullable LogEnds> answer) {
        answer.accept(null);
    }

    @Override
    public void disconnect(int brokerId) {
        // Nothing is held open.
    }

    @Override
    public void controllerIs(@Nullable Controller controllerNow) {
        // The tests look at the nodes.
    }

    @Override
    public void tookOffice(int controllerEpoch) {
        terms.add(controllerEpoch);
    }

    @Override
    public void noticed(Notice notice) {
        // Nobody counts here.
    }
}
