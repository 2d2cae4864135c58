package io.tidemark.sim.plan;

import io.tidemark.client.producer.ProducerConfig.Idempotence;
import io.tidemark.core.config.CleanupPolicy;
import io.tidemark.core.config.FlushMode;
import io.tidemark.core.io.FileOperation;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.model.Acks;
import io.tidemark.sim.Detection;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Draws a plan from a seed: the cluster, who writes, and what goes wrong when. How often each kind is drawn is a matter of what
 * it finds: late copies of pushes and proposals are rare in a real network, and most of what they uncover needs two of them.
 *
 * <p>In async mode no machine loses power: what was acknowledged may then be gone, as promised, and the checks of a run cannot tell
 * that from a loss that nothing excuses.
 */
public final class FaultMix {
    private static final int LEAST_PAUSE_MS = 300;
    private static final int PAUSE_SPREAD_MS = 1_200;
    private static final int LATEST_COPY_MS = 5_000;
    private static final int LONGEST_DELAY_MS = 1_200;
    private static final int MOST_DRIFT_PPM = 50_000;
    private static final int FARTHEST_JUMP_MS = 10_000;
    private static final int SMALL_SEGMENT_BYTES = 1_024;
    private static final int MOST_FILE_CALLS = 40;
    private static final int MOST_FREE_BYTES = 4_096;
    private static final int LONGEST_FORCE_MS = 200;
    /** What changes something: how often a process reads depends on what is cached, and so on who looked. */
    private static final List<FileOperation> FAILING = List.of(
            FileOperation.APPEND,
            FileOperation.FORCE,
            FileOperation.RENAME,
            FileOperation.TRUNCATE,
            FileOperation.FORCE_DIRECTORY,
            FileOperation.OPEN_FOR_APPEND);

    private static final List<Kind> KINDS = List.of(
            new Kind(10, FaultFamily.NETWORK, draw -> new NetworkFault.Cut(draw.link(), draw.lastsMs())),
            new Kind(7, FaultFamily.NETWORK, draw -> new NetworkFault.Isolate(draw.target(), draw.lastsMs())),
            new Kind(5, FaultFamily.NETWORK, FaultMix::slow),
            new Kind(
                    4,
                    FaultFamily.NETWORK,
                    draw -> new NetworkFault.Drop(draw.link(), draw.permille(), draw.lastsMs())),
            new Kind(9, FaultFamily.NETWORK, FaultMix::duplicate),
            new Kind(
                    3,
                    FaultFamily.NETWORK,
                    draw -> new NetworkFault.Reorder(draw.link(), draw.permille(), draw.lastsMs())),
            new Kind(20, FaultFamily.PROCESS, draw -> new ProcessFault.Crash(draw.target(), draw.downMs())),
            new Kind(6, FaultFamily.PROCESS, draw -> new ProcessFault.Pause(draw.target(), draw.lastsMs())),
            new Kind(3, FaultFamily.PROCESS, draw -> new ProcessFault.StopCleanly(draw.target(), draw.downMs())),
            new Kind(4, FaultFamily.PROCESS, FaultMix::crashInFileCall),
            new Kind(12, FaultFamily.DISK, draw -> new DiskFault.PowerLoss(draw.machines(), draw.downMs())),
            new Kind(3, FaultFamily.DISK, FaultMix::failIo),
            new Kind(2, FaultFamily.DISK, FaultMix::diskFull),
            new Kind(2, FaultFamily.DISK, FaultMix::slowForce),
            new Kind(5, FaultFamily.ZOOKEEPER, draw -> new ZooKeeperFault.Cut(draw.target(), draw.lastsMs())),
            new Kind(3, FaultFamily.ZOOKEEPER, draw -> new ZooKeeperFault.CutReplies(draw.target(), draw.lastsMs())),
            new Kind(4, FaultFamily.ZOOKEEPER, draw -> new ZooKeeperFault.LoseReply(draw.target())),
            new Kind(5, FaultFamily.ZOOKEEPER, draw -> new ZooKeeperFault.Expire(draw.target())),
            new Kind(1, FaultFamily.ZOOKEEPER, draw -> new ZooKeeperFault.ExpireAll()),
            new Kind(2, FaultFamily.ZOOKEEPER, draw -> new ZooKeeperFault.Stop(draw.lastsMs())),
            new Kind(2, FaultFamily.ZOOKEEPER, draw -> new ZooKeeperFault.Pause(draw.lastsMs())),
            new Kind(3, FaultFamily.CLOCK, FaultMix::drift),
            new Kind(2, FaultFamily.CLOCK, FaultMix::wallJump),
            new Kind(30, FaultFamily.OPERATOR, draw -> new OperatorRequest.Transfer(draw.broker())),
            new Kind(2, FaultFamily.OPERATOR, draw -> new OperatorRequest.MinIsr(1 + draw.chance.nextInt(2))));

    /**
     * A kind of faults.
     *
     * @param weight how often it is drawn, beside the weights of the others
     */
    private record Kind(int weight, FaultFamily family, Function<Draw, SimFault> draw) {}

    private FaultMix() {}

    /** The plan that follows from the seed and the mix. */
    public static SimPlan draw(long seed, Mix mix) {
        SeededRandomness chance = new SeededRandomness(seed).fork("plan");
        ClusterShape shape = shape(chance.fork("shape"), mix);
        Draw draw = new Draw(chance.fork("faults"), shape);
        List<Kind> kinds = KINDS.stream()
                .filter(kind -> mix.families().contains(kind.family()))
                .toList();
        List<TimedFault> faults = new ArrayList<>();
        long atMs = 0;
        for (int step = 0; step < mix.steps(); step++) {
            atMs += LEAST_PAUSE_MS + draw.chance.nextInt(PAUSE_SPREAD_MS + 1);
            if (!draw.chance.oneIn(4) && !kinds.isEmpty()) {
                SimFault fault = pick(kinds, draw.chance).draw().apply(draw);
                if (shape.flush() == FlushMode.SYNC || !(fault instanceof DiskFault.PowerLoss)) {
                    faults.add(new TimedFault(atMs, fault));
                }
            }
        }
        return new SimPlan(seed, shape, mix.rules(), faults, clients(chance.fork("clients")), atMs);
    }

    private static ClusterShape shape(SeededRandomness chance, Mix mix) {
        int brokers = chance.oneIn(5) ? 4 : 3;
        int minIsr = chance.oneIn(6) ? 1 : 2;
        FlushMode flush = chance.oneIn(3) ? FlushMode.SYNC : FlushMode.ASYNC;
        Detection detection = chance.fork("detection").oneIn(2) ? Detection.FAST : Detection.SESSION;
        ClusterShape.Times times =
                new ClusterShape.Times(1_000 + chance.nextInt(1_501), 600 + chance.nextInt(901), 500, detection);
        return new ClusterShape(brokers, minIsr, flush, mix.truncation(), logs(chance), times);
    }

    /** Often so small that faults meet sealed segments; a quarter is compacted. */
    private static ClusterShape.Logs logs(SeededRandomness chance) {
        CleanupPolicy cleanup = chance.oneIn(4) ? CleanupPolicy.COMPACT : CleanupPolicy.DELETE;
        boolean isSmall = cleanup.compacts() || chance.oneIn(2);
        return isSmall ? new ClusterShape.Logs(SMALL_SEGMENT_BYTES, cleanup) : ClusterShape.Logs.DEFAULT;
    }

    /**
     * Two writers whose repeats brokers drop, on the partition that faults aim at; on another one either a writer that repeats nothing,
     * or two that are promised little.
     */
    private static List<ClientPlan> clients(SeededRandomness chance) {
        List<ClientPlan> clients = new ArrayList<>();
        clients.add(client(100, Acks.ALL, Idempotence.ON, 0, chance));
        clients.add(client(101, Acks.ALL, Idempotence.ON, 0, chance));
        if (chance.oneIn(2)) {
            clients.add(client(102, Acks.ALL, Idempotence.OFF, 1, chance));
        } else {
            clients.add(client(103, Acks.LEADER, Idempotence.OFF, 1, chance));
            clients.add(client(104, Acks.NONE, Idempotence.OFF, 1, chance));
        }
        return clients;
    }

    private static ClientPlan client(
            int id, Acks acks, Idempotence idempotence, int partition, SeededRandomness chance) {
        return new ClientPlan(id, acks, idempotence, partition, 2 + chance.nextInt(5));
    }

    private static Kind pick(List<Kind> kinds, SeededRandomness chance) {
        int left = chance.nextInt(kinds.stream().mapToInt(Kind::weight).sum());
        for (Kind kind : kinds) {
            left -= kind.weight();
            if (left < 0) {
                return kind;
            }
        }
        throw new IllegalStateException("weights add up to less than their sum");
    }

    private static SimFault slow(Draw draw) {
        return new NetworkFault.Slow(draw.link(), 1 + draw.chance.nextInt(LONGEST_DELAY_MS), draw.lastsMs());
    }

    private static SimFault duplicate(Draw draw) {
        return new NetworkFault.Duplicate(
                draw.link(), 200 + draw.chance.nextInt(601), 1 + draw.chance.nextInt(LATEST_COPY_MS), draw.lastsMs());
    }

    /** Within the file calls of a few appends, or of a start. */
    private static SimFault crashInFileCall(Draw draw) {
        return new ProcessFault.CrashInFileCall(draw.target(), 1 + draw.chance.nextInt(MOST_FILE_CALLS));
    }

    private static SimFault failIo(Draw draw) {
        return new DiskFault.FailIo(draw.target(), draw.chance.pick(FAILING));
    }

    private static SimFault diskFull(Draw draw) {
        return new DiskFault.DiskFull(draw.target(), draw.chance.nextInt(MOST_FREE_BYTES), draw.lastsMs());
    }

    private static SimFault slowForce(Draw draw) {
        return new DiskFault.SlowForce(draw.target(), 1 + draw.chance.nextInt(LONGEST_FORCE_MS), draw.lastsMs());
    }

    private static SimFault drift(Draw draw) {
        int ppm = draw.chance.nextInt(2 * MOST_DRIFT_PPM + 1) - MOST_DRIFT_PPM;
        return new ClockFault.Drift(draw.target(), ppm, draw.lastsMs());
    }

    private static SimFault wallJump(Draw draw) {
        int byMs = draw.chance.nextInt(2 * FARTHEST_JUMP_MS + 1) - FARTHEST_JUMP_MS;
        return new ClockFault.WallJump(draw.target(), byMs);
    }

    /** What faults are made of. */
    private record Draw(SeededRandomness chance, ClusterShape shape) {
        private static final int SHORTEST_MS = 20;
        private static final int SHORT_SPREAD_MS = 400;
        private static final int LONG_SPREAD_MS = 4_000;

        Target broker() {
            return new Target.Host(1 + chance.nextInt(shape.brokers()));
        }

        /** Roles as often as numbers: most of what goes wrong needs the leader. */
        Target target() {
            return switch (chance.nextInt(8)) {
                case 0, 1, 2 -> Target.Role.LEADER;
                case 3 -> Target.Role.CONTROLLER;
                case 4 -> Target.Role.FOLLOWER;
                default -> broker();
            };
        }

        Link link() {
            Target from = target();
            Target to = target();
            while (to.equals(from)) {
                to = target();
            }
            return new Link(from, to);
        }

        /** One machine, or all, or all but one. */
        List<Target> machines() {
            int kind = chance.nextInt(4);
            if (kind < 2) {
                return List.of(target());
            }
            int spared = kind == 2 ? 0 : 1 + chance.nextInt(shape.brokers());
            List<Target> machines = new ArrayList<>();
            for (int id = 1; id <= shape.brokers(); id++) {
                if (id != spared) {
                    machines.add(new Target.Host(id));
                }
            }
            return machines;
        }

        int permille() {
            return 1 + chance.nextInt(500);
        }

        /** Mostly short beside a session, at times longer than one. */
        int lastsMs() {
            int spreadMs = chance.oneIn(2) ? SHORT_SPREAD_MS : LONG_SPREAD_MS;
            return SHORTEST_MS + chance.nextInt(spreadMs);
        }

        int downMs() {
            return lastsMs();
        }
    }
}
