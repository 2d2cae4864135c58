package io.tidemark.sim.plan;

import io.tidemark.core.io.FileOperation;
import io.tidemark.sim.MessageKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Reads the statements of faults, as {@link SimFault#text()} writes them. The names of faults are those by which plans and scenarios
 * know them.
 */
public final class FaultText {
    private static final int ALL = 1_000;
    private static final int MOST = 999_999_999;
    private static final int MOST_BROKERS = 1_000;
    /** A process's clock stays within half of the world's. */
    private static final int MOST_PPM = 500_000;

    private static final SortedMap<String, Function<Words, SimFault>> READERS = readers();

    private FaultText() {}

    /** The names of all faults, in their order. */
    public static List<String> names() {
        return List.copyOf(READERS.keySet());
    }

    /** Reads a fault up to the end of the statement; throws {@link BadStatement}. */
    public static SimFault read(Words words) {
        String name = words.next("a fault");
        Function<Words, SimFault> reader = READERS.get(name);
        if (reader == null) {
            throw words.expected("one of " + String.join(", ", READERS.keySet()), name);
        }
        SimFault fault = reader.apply(words);
        words.end();
        return fault;
    }

    private static SortedMap<String, Function<Words, SimFault>> readers() {
        SortedMap<String, Function<Words, SimFault>> readers = new TreeMap<>();
        network(readers);
        processes(readers);
        disks(readers);
        zooKeeper(readers);
        readers.put("drift", w -> new ClockFault.Drift(w.target(), w.number("ppm", -MOST_PPM, MOST_PPM), lasts(w)));
        readers.put("wall-jump", w -> new ClockFault.WallJump(w.target(), w.ms("by")));
        readers.put("transfer", w -> new OperatorRequest.Transfer(w.target()));
        readers.put("min-isr", w -> new OperatorRequest.MinIsr(w.number(1, MOST_BROKERS)));
        return Collections.unmodifiableSortedMap(readers);
    }

    private static void network(SortedMap<String, Function<Words, SimFault>> readers) {
        readers.put("cut", w -> new NetworkFault.Cut(w.link(), lasts(w)));
        readers.put("isolate", w -> new NetworkFault.Isolate(w.target(), lasts(w)));
        readers.put("slow", w -> new NetworkFault.Slow(w.link(), positiveMs(w, "delay"), lasts(w)));
        readers.put("drop", w -> new NetworkFault.Drop(w.link(), permille(w), lasts(w)));
        readers.put(
                "duplicate", w -> new NetworkFault.Duplicate(w.link(), permille(w), positiveMs(w, "late"), lasts(w)));
        readers.put("reorder", w -> new NetworkFault.Reorder(w.link(), permille(w), lasts(w)));
        readers.put(
                "hold",
                w -> new NetworkFault.Hold(w.oneOf(MessageKind.values(), MessageKind::text), w.link(), lasts(w)));
    }

    private static void processes(SortedMap<String, Function<Words, SimFault>> readers) {
        readers.put("crash", w -> new ProcessFault.Crash(w.target(), down(w)));
        readers.put(
                "crash-in-file-call", w -> new ProcessFault.CrashInFileCall(w.target(), w.number("calls", 1, MOST)));
        readers.put("pause", w -> new ProcessFault.Pause(w.target(), lasts(w)));
        readers.put("stop", w -> new ProcessFault.StopCleanly(w.target(), down(w)));
    }

    private static void disks(SortedMap<String, Function<Words, SimFault>> readers) {
        readers.put("power-loss", w -> new DiskFault.PowerLoss(targets(w), down(w)));
        readers.put(
                "fail-io",
                w -> new DiskFault.FailIo(w.target(), w.oneOf(FileOperation.values(), FileOperation::specName)));
        readers.put("disk-full", w -> new DiskFault.DiskFull(w.target(), w.number("free", 0, MOST), lasts(w)));
        readers.put("slow-force", w -> new DiskFault.SlowForce(w.target(), positiveMs(w, "takes"), lasts(w)));
        readers.put("wipe", w -> new DiskFault.Wipe(w.target(), down(w)));
        readers.put("flip-bits", w -> new DiskFault.FlipBits(w.target()));
    }

    private static void zooKeeper(SortedMap<String, Function<Words, SimFault>> readers) {
        readers.put("zk-cut", w -> new ZooKeeperFault.Cut(w.target(), lasts(w)));
        readers.put("zk-cut-replies", w -> new ZooKeeperFault.CutReplies(w.target(), lasts(w)));
        readers.put("zk-lose-reply", w -> new ZooKeeperFault.LoseReply(w.target()));
        readers.put("zk-expire", w -> new ZooKeeperFault.Expire(w.target()));
        readers.put("zk-expire-all", w -> new ZooKeeperFault.ExpireAll());
        readers.put("zk-stop", w -> new ZooKeeperFault.Stop(lasts(w)));
        readers.put("zk-pause", w -> new ZooKeeperFault.Pause(lasts(w)));
    }

    private static List<Target> targets(Words words) {
        List<Target> targets = new ArrayList<>();
        targets.add(words.target());
        while (words.hasTarget()) {
            targets.add(words.target());
        }
        return targets;
    }

    private static int permille(Words words) {
        return words.number("permille", 0, ALL);
    }

    private static int lasts(Words words) {
        return positiveMs(words, "for");
    }

    private static int down(Words words) {
        return positiveMs(words, "down");
    }

    private static int positiveMs(Words words, String label) {
        int ms = words.ms(label);
        if (ms < 0) {
            throw words.expected("a time that is not negative", ms + "ms");
        }
        return ms;
    }
}
