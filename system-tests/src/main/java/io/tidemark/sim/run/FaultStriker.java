package io.tidemark.sim.run;

import io.tidemark.core.io.FaultRule;
import io.tidemark.runtime.Cancellable;
import io.tidemark.sim.ClusterLevers;
import io.tidemark.sim.LinkFaults;
import io.tidemark.sim.SimCluster;
import io.tidemark.sim.SimWorld;
import io.tidemark.sim.plan.ClockFault;
import io.tidemark.sim.plan.DiskFault;
import io.tidemark.sim.plan.NetworkFault;
import io.tidemark.sim.plan.OperatorRequest;
import io.tidemark.sim.plan.ProcessFault;
import io.tidemark.sim.plan.SimFault;
import io.tidemark.sim.plan.Target;
import io.tidemark.sim.plan.TimedFault;
import io.tidemark.sim.plan.ZooKeeperFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;

/**
 * Lets the faults of a plan strike at their times, and ends those that last. A fault whose target nobody is at that moment, or which
 * is of no effect, is no fault and is not counted.
 */
final class FaultStriker {
    private final SimWorld world;
    private final SimCluster cluster;
    private final ClusterLevers levers;
    private final Roles roles;
    private final TroubledLinks links;
    private final List<Cancellable> timers = new ArrayList<>();
    private final List<Runnable> ends = new ArrayList<>();
    private int crashes;
    private int cuts;
    private int others;

    FaultStriker(SimWorld world, SimCluster cluster) {
        this.world = world;
        this.cluster = cluster;
        this.levers = new ClusterLevers(cluster);
        this.roles = new Roles(cluster, levers);
        this.links = new TroubledLinks(cluster::disturb);
    }

    /** Sets the timers of all faults, from this moment on. */
    void begin(List<TimedFault> faults) {
        for (TimedFault timed : faults) {
            timers.add(world.scheduler().schedule(Duration.ofMillis(timed.atMs()), () -> strike(timed.fault())));
        }
    }

    /** Nothing strikes any more, and what lasts is over; processes that are gone stay so. */
    void end() {
        timers.forEach(Cancellable::cancel);
        List<Runnable> open = List.copyOf(ends);
        ends.clear();
        open.forEach(Runnable::run);
    }

    int crashes() {
        return crashes;
    }

    int cuts() {
        return cuts;
    }

    int others() {
        return others;
    }

    private void strike(SimFault fault) {
        world.note(() -> "fault: " + fault.text());
        if (fault instanceof NetworkFault network) {
            onNetwork(network);
        } else if (fault instanceof ProcessFault process) {
            onProcess(process);
        } else if (fault instanceof DiskFault disk) {
            onDisk(disk);
        } else if (fault instanceof ZooKeeperFault zooKeeper) {
            onZooKeeper(zooKeeper);
        } else if (fault instanceof ClockFault clock) {
            onClock(clock);
        } else if (fault instanceof OperatorRequest request) {
            onRequest(request);
        }
    }

    private void onNetwork(NetworkFault fault) {
        if (fault instanceof NetworkFault.Isolate isolate) {
            running(isolate.who(), id -> lasting(fault, isolate(id)));
            return;
        }
        if (fault instanceof NetworkFault.OnLink onLink) {
            OptionalInt from = roles.resolve(onLink.link().from());
            OptionalInt to = roles.resolve(onLink.link().to());
            if (isLink(from, to)) {
                count(onLink.faults());
                lasting(fault, links.trouble(from.getAsInt(), to.getAsInt(), onLink.faults()));
            }
        } else if (fault instanceof NetworkFault.Hold hold) {
            OptionalInt from = roles.resolve(hold.link().from());
            OptionalInt to = roles.resolve(hold.link().to());
            if (isLink(from, to)) {
                others++;
                lasting(fault, levers.hold(hold.kind(), from.getAsInt(), to.getAsInt()));
            }
        }
    }

    private static boolean isLink(OptionalInt from, OptionalInt to) {
        return from.isPresent() && to.isPresent() && from.getAsInt() != to.getAsInt();
    }

    private void count(LinkFaults faults) {
        if (faults.cut()) {
            cuts++;
        } else {
            others++;
        }
    }

    private Runnable isolate(int id) {
        cuts++;
        LinkFaults cut = LinkFaults.NONE.withCut();
        List<Runnable> healed = new ArrayList<>();
        for (int other : cluster.brokerIds()) {
            if (other != id) {
                healed.add(links.trouble(id, other, cut));
                healed.add(links.trouble(other, id, cut));
            }
        }
        return () -> healed.forEach(Runnable::run);
    }

    private void onProcess(ProcessFault fault) {
        if (fault instanceof ProcessFault.Crash crash) {
            running(crash.who(), id -> {
                crashes++;
                cluster.crash(id);
                startLater(id, fault.lastsMs());
            });
        } else if (fault instanceof ProcessFault.StopCleanly stop) {
            running(stop.who(), id -> {
                others++;
                cluster.stopCleanly(id);
                startLater(id, fault.lastsMs());
            });
        } else if (fault instanceof ProcessFault.CrashInFileCall crash) {
            running(crash.who(), id -> {
                crashes++;
                cluster.machine(id).crashInFileCall(crash.calls());
            });
        } else if (fault instanceof ProcessFault.Pause pause) {
            lasting(fault, pause.who(), levers::pause);
        }
    }

    private void onDisk(DiskFault fault) {
        if (fault instanceof DiskFault.PowerLoss loss) {
            losePower(loss);
        } else if (fault instanceof DiskFault.Wipe wipe) {
            running(wipe.who(), id -> {
                crashes++;
                cluster.wipe(id);
                startLater(id, fault.lastsMs());
            });
        } else if (fault instanceof DiskFault.FailIo fail) {
            once(
                    fail.who(),
                    id -> cluster.machine(id)
                            .failIo(FaultRule.failing(fail.operation(), "*").times(1)));
        } else if (fault instanceof DiskFault.DiskFull full) {
            lasting(fault, full.who(), id -> {
                cluster.machine(id).diskFull(full.freeBytes());
                return () -> cluster.machine(id).roomOnDisk();
            });
        } else if (fault instanceof DiskFault.SlowForce slow) {
            lasting(fault, slow.who(), id -> {
                cluster.machine(id).slowForces(Duration.ofMillis(slow.forceMs()));
                return () -> cluster.machine(id).slowForces(Duration.ZERO);
            });
        } else if (fault instanceof DiskFault.FlipBits flip) {
            once(flip.who(), cluster::flipBit);
        }
    }

    private void losePower(DiskFault.PowerLoss loss) {
        // All are found before the first is struck: the leader's end would make somebody else the leader.
        List<Integer> machines = loss.who().stream()
                .map(roles::broker)
                .filter(OptionalInt::isPresent)
                .map(OptionalInt::getAsInt)
                .distinct()
                .toList();
        machines.forEach(id -> losePower(id, loss.lastsMs()));
    }

    private void onZooKeeper(ZooKeeperFault fault) {
        if (fault instanceof ZooKeeperFault.Cut cut) {
            running(cut.who(), id -> {
                cuts++;
                lasting(fault, levers.cutFromZooKeeper(id));
            });
        } else if (fault instanceof ZooKeeperFault.CutReplies cut) {
            running(cut.who(), id -> {
                cuts++;
                lasting(fault, levers.cutZooKeeperReplies(id));
            });
        } else if (fault instanceof ZooKeeperFault.LoseReply lose) {
            once(lose.who(), cluster::loseZooKeeperReply);
        } else if (fault instanceof ZooKeeperFault.Expire expire) {
            once(expire.who(), cluster::expireSession);
        } else {
            others++;
            onEnsemble(fault);
        }
    }

    private void onEnsemble(ZooKeeperFault fault) {
        if (fault instanceof ZooKeeperFault.ExpireAll) {
            levers.expireAllSessions();
        } else if (fault instanceof ZooKeeperFault.Stop) {
            lasting(fault, levers.stopZooKeeper());
        } else if (fault instanceof ZooKeeperFault.Pause) {
            lasting(fault, levers.pauseZooKeeper());
        }
    }

    private void onClock(ClockFault fault) {
        if (fault instanceof ClockFault.Drift drift) {
            lasting(fault, drift.who(), id -> levers.driftClock(id, drift.ppm()));
        } else if (fault instanceof ClockFault.WallJump jump) {
            once(jump.who(), id -> levers.jumpWallClock(id, jump.byMs()));
        }
    }

    private void onRequest(OperatorRequest request) {
        if (request instanceof OperatorRequest.Transfer transfer) {
            once(transfer.to(), cluster::transferLeader);
        } else if (request instanceof OperatorRequest.MinIsr minIsr) {
            others++;
            levers.minInsyncReplicas(minIsr.replicas());
        }
    }

    private void once(Target target, IntConsumer strike) {
        running(target, id -> {
            others++;
            strike.accept(id);
        });
    }

    private void lasting(SimFault fault, Target target, IntFunction<Runnable> strike) {
        running(target, id -> {
            others++;
            lasting(fault, strike.apply(id));
        });
    }

    private void running(Target target, IntConsumer strike) {
        OptionalInt broker = roles.broker(target);
        if (broker.isPresent() && cluster.isRunning(broker.getAsInt())) {
            strike.accept(broker.getAsInt());
        }
    }

    /** It is over after its time, or with all others. */
    private void lasting(SimFault fault, Runnable over) {
        ends.add(over);
        timers.add(world.scheduler().schedule(Duration.ofMillis(fault.lastsMs()), () -> {
            if (ends.remove(over)) {
                over.run();
            }
        }));
    }

    /** What a process had not forced is lost also after its end. */
    private void losePower(int id, int downMs) {
        if (cluster.isRunning(id)) {
            crashes++;
        }
        cluster.powerLoss(id);
        startLater(id, downMs);
    }

    /** A process that takes its time to stop is followed by the next one after as long again. */
    private void startLater(int id, int downMs) {
        timers.add(world.scheduler().schedule(Duration.ofMillis(downMs), () -> {
            if (cluster.isStopping(id)) {
                startLater(id, downMs);
            } else if (!cluster.isRunning(id)) {
                cluster.start(id);
            }
        }));
    }
}
