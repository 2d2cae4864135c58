package io.tidemark.sim;

import io.tidemark.core.io.FaultFiles;
import io.tidemark.core.io.FaultPlan;
import io.tidemark.core.io.FaultRule;
import io.tidemark.core.io.FileHandle;
import io.tidemark.core.io.Files;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.model.Endpoint;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.RecordBatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A machine: a disk that outlives processes, and at most one broker process. What happens to either are methods; each says what it
 * leaves. A process that ends by itself is started again by the {@link Watchdog}, one that is ended here is not.
 */
public final class SimHost implements NetworkPeer {
    private static final int PORT = 9092;
    private static final String SEGMENT_SUFFIX = ".log";
    private static final int BITS_OF_A_BYTE = 8;

    private final int id;
    private final SimSurroundings around;
    private final Watchdog watchdog;
    private final FaultPlan faults = new FaultPlan();
    private Duration slowness = Duration.ZERO;
    private SimDisk disk = new SimDisk();
    private int boots = 1;
    private int lives;
    private int flips;
    private int callsUntilCrash;
    private long fileCalls;
    private boolean powered = true;
    private @Nullable SimProcess occupant;

    SimHost(int id, SimSurroundings around, Watchdog watchdog) {
        this.id = id;
        this.around = around;
        this.watchdog = watchdog;
    }

    @Override
    public int id() {
        return id;
    }

    @Override
    public @Nullable ProcessThreads threads() {
        SimProcess listening = process();
        return listening == null ? null : listening.threads();
    }

    @Override
    public boolean isUp() {
        return powered;
    }

    /** Where whatever broker runs there listens: for clients, peers and all others. */
    public Endpoint endpoint() {
        return new Endpoint("host-" + id, PORT);
    }

    /** What the disk holds, whatever faults the process meets on it. */
    SimDisk disk() {
        return disk;
    }

    /** The broker's log directory. */
    Path logDirectory() {
        return Path.of("/sim/broker-" + id);
    }

    /** Changes with a power loss: the page cache did not survive it. */
    private String bootId() {
        return "boot-" + id + "-" + boots;
    }

    /** The process that listens there now; null if none does, also while one starts. */
    public @Nullable SimProcess process() {
        SimProcess there = occupant;
        return there == null || !there.isListening() ? null : there;
    }

    /** The process that is there, whether it listens or not. */
    @Nullable
    SimProcess occupant() {
        return occupant;
    }

    /** The process that runs there; for what is served by it. */
    public SimProcess running() {
        SimProcess there = occupant;
        if (there == null) {
            throw new IllegalStateException("nobody listens at " + id);
        }
        return there;
    }

    /** Starts a process on what the disk holds, if none is there. */
    void start() {
        watchdog.callOff(id);
        if (occupant != null) {
            return;
        }
        note("start");
        powered = true;
        lives++;
        ProcessThreads threads = new ProcessThreads(around.world(), id, "process/" + id + "/" + lives);
        ProcessStorage.Place place =
                new ProcessStorage.Place(id, logDirectory(), bootId(), files(threads), () -> slowness);
        SimProcess started = new SimProcess(around, threads, endpoint(), place, new Ends());
        occupant = started;
        threads.enter(started::start);
    }

    private Files files(ProcessThreads threads) {
        // Nobody can be made to wait in the middle of a task: slow forces are those of the flushers.
        Files faulty = new FaultFiles(disk, faults, delay -> {});
        return new CrashingFiles(disk, faulty, threads, new Death());
    }

    /** The process hands over what it leads, closes everything and ends; that takes its time. */
    void stop() {
        watchdog.callOff(id);
        SimProcess there = occupant;
        if (there != null) {
            note("stop");
            there.threads().enter(there::stop);
        }
    }

    /** The process dies; what it wrote is in the page cache. */
    void crash() {
        watchdog.callOff(id);
        note("crash");
        end();
    }

    /** The machine loses power: what was not forced may be gone. */
    void powerLoss() {
        watchdog.callOff(id);
        note("power loss at");
        SimProcess there = occupant;
        occupant = null;
        powered = false;
        if (there != null) {
            there.die();
        }
        SeededRandomness chance = around.world().fork("disk/" + id + "/" + boots);
        boots++;
        disk.powerLoss(chance);
        around.network().machineLost();
    }

    /** The process dies, and everything in its log directory is gone for good; the machine goes on running. */
    void wipe() {
        crash();
        note("wipe the disk of");
        disk = new SimDisk();
    }

    /**
     * File calls of its processes fail as the rule says, from now on; the first that does ends the process. How often a process reads
     * depends on what is cached, and so on who looked at its logs from outside: rules that count should be about calls that change
     * something.
     */
    public void failIo(FaultRule rule) {
        if (rule.effect() == FaultRule.Effect.SLOW) {
            throw new IllegalArgumentException("no call can wait here; slowForces is for that");
        }
        // Not the rule itself: the order in which it prints operations differs from one virtual machine to the next.
        around.world()
                .note(() -> "files of broker " + id + " like " + rule.glob() + " fail: " + rule.effect() + " after "
                        + rule.afterCalls() + " calls");
        faults.add(rule);
    }

    /** The first calls that failed, at most 100: operation and path. */
    public List<String> failedIo() {
        return faults.hits();
    }

    /** Nothing more than this fits on the disk from now on. */
    public void diskFull(long freeBytes) {
        around.world().note(() -> "the disk of broker " + id + " has " + freeBytes + " bytes left");
        disk.limitCapacity(disk.usedBytes() + freeBytes);
    }

    /** There is room on the disk again. */
    public void roomOnDisk() {
        around.world().note(() -> "the disk of broker " + id + " has room again");
        disk.limitCapacity(Long.MAX_VALUE);
    }

    /** Each force of the flushers takes so much longer from now on. */
    public void slowForces(Duration longer) {
        around.world().note(() -> "forces of broker " + id + " take " + longer + " longer");
        slowness = longer;
    }

    /**
     * Its process, or the next one if none is there, dies in its n-th file call from now on that changes something; an append is then
     * half done.
     */
    public void crashInFileCall(int nth) {
        if (nth < 1) {
            throw new IllegalArgumentException("calls are counted from 1, not " + nth);
        }
        callsUntilCrash = nth;
    }

    /** Whether a process is still to die in a file call. */
    public boolean awaitsCrash() {
        return callsUntilCrash > 0;
    }

    /** File calls of its processes that changed something. */
    long fileCalls() {
        return fileCalls;
    }

    /**
     * Turns one bit over in a sealed segment of the partition, anywhere in it.
     *
     * @return where; empty if there is no such segment with anything in it
     */
    Optional<FlippedBit> flipBit(TopicPartition partition) {
        flips++;
        SeededRandomness chance = around.world().fork("disk/" + id + "/flip/" + flips);
        Path directory = logDirectory().resolve(partition.toString());
        try {
            List<String> sealed = sealedSegments(directory);
            if (sealed.isEmpty()) {
                return Optional.empty();
            }
            Path file = directory.resolve(chance.pick(sealed));
            int position = chance.nextInt((int) disk.size(file));
            FlippedBit flipped = new FlippedBit(file, position, batchAt(file, position));
            disk.corrupt(file, position, 1 << chance.nextInt(BITS_OF_A_BYTE));
            around.world().note(() -> "a bit is turned over on broker " + id + ": " + flipped);
            return Optional.of(flipped);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Base offset of the batch that the byte belongs to, as far as the batches before it can be read. */
    private long batchAt(Path file, int position) throws IOException {
        ByteBuffer content = ByteBuffer.allocate((int) disk.size(file));
        try (FileHandle handle = disk.openForRead(file)) {
            handle.readFully(content, 0);
        }
        content.flip();
        long base = 0;
        int next = 0;
        while (next <= position && content.limit() - next >= RecordBatch.HEADER_BYTES) {
            RecordBatch batch = RecordBatch.headerAt(content, next);
            base = batch.baseOffset();
            next += batch.sizeBytes();
        }
        return base;
    }

    private List<String> sealedSegments(Path directory) throws IOException {
        if (!disk.exists(directory)) {
            return List.of();
        }
        List<String> segments = disk.list(directory).stream()
                .filter(name -> name.endsWith(SEGMENT_SUFFIX))
                .toList();
        List<String> filled = new ArrayList<>();
        for (String name : segments.subList(0, Math.max(0, segments.size() - 1))) {
            if (disk.size(directory.resolve(name)) > 0) {
                filled.add(name);
            }
        }
        return filled;
    }

    /** The disk is large, healthy and fast again; what is damaged on it stays so. */
    public void mendDisk() {
        faults.clear();
        disk.limitCapacity(Long.MAX_VALUE);
        slowness = Duration.ZERO;
        callsUntilCrash = 0;
    }

    private void end() {
        SimProcess ended = occupant;
        occupant = null;
        if (ended != null) {
            ended.die();
        }
        disk.processCrash();
        if (ended != null) {
            around.network().processEnded(ended.threads());
        }
    }

    private void note(String what) {
        around.world().note(() -> what + " broker " + id);
    }

    /** How its present process ends by itself. */
    private final class Ends implements SimProcess.Ends {
        @Override
        public void stopped() {
            around.world().note(() -> "broker " + id + " has stopped");
            end();
        }

        @Override
        public void halted(String reason) {
            around.world().note(() -> "broker " + id + " halts: " + reason);
            end();
            watchdog.ended(id, SimHost.this::start);
        }

        @Override
        public void gaveUp(String reason) {
            around.world().note(() -> "broker " + id + " gives up: " + reason);
            end();
        }
    }

    /** Counts file calls until its process dies in one. */
    private final class Death implements CrashingFiles.Death {
        @Override
        public boolean isDue() {
            fileCalls++;
            if (callsUntilCrash > 0) {
                callsUntilCrash--;
                return callsUntilCrash == 0;
            }
            return false;
        }

        @Override
        public void strike() {
            around.world().note(() -> "broker " + id + " dies in a file call");
            end();
            watchdog.ended(id, SimHost.this::start);
        }
    }
}
