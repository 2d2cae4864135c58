package io.tidemark.coordination.cluster;

import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.Endpoint;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntConsumer;

/** Broker processes, their disks and their nodes, as they really are; the machine only sees nodes and answers. */
final class RandomBrokers {
    private final Random random;
    private final IntConsumer onDiskLoss;
    private final SortedMap<Integer, Machine> machines = new TreeMap<>();
    private final SortedMap<Integer, BrokerRegistration> nodes = new TreeMap<>();
    private final SortedMap<Long, Long> generationOfEpoch = new TreeMap<>();
    private long lastEpoch;
    private long lastNonce;

    /** One broker's machine; {@code generation} rises whenever its disk may have lost something. */
    private static final class Machine {
        long nonce;
        boolean alive;
        long generation;
        long epochOnDisk = BrokerRegistration.PROVES_NOTHING;
        int directory;
    }

    RandomBrokers(Random random, int count, IntConsumer onDiskLoss) {
        this.random = random;
        this.onDiskLoss = onDiskLoss;
        for (int id = 1; id <= count; id++) {
            machines.put(id, new Machine());
            start(id);
        }
    }

    SortedMap<Integer, BrokerRegistration> nodes() {
        return new TreeMap<>(nodes);
    }

    int any() {
        return 1 + random.nextInt(machines.size());
    }

    boolean isAlive(int id) {
        return machine(id).alive;
    }

    long nonce(int id) {
        return machine(id).nonce;
    }

    /** The epoch that the living process has fetched with, registered or not. */
    long epochInUse(int id) {
        return machine(id).epochOnDisk;
    }

    /** How often the disk had lost something when the broker registered under {@code epoch}. */
    long generationOfEpoch(long epoch) {
        return Objects.requireNonNull(generationOfEpoch.get(epoch));
    }

    /** Whether the disk is still as it was when the broker registered under {@code epoch}. */
    boolean isIntactSince(int id, long epoch) {
        return machine(id).generation == generationOfEpoch(epoch);
    }

    OptionalLong identify(int id) {
        return isAlive(id) ? OptionalLong.of(machine(id).nonce) : OptionalLong.empty();
    }

    /** A step of fate for one broker. */
    void step() {
        int id = any();
        Machine machine = machine(id);
        if (!machine.alive) {
            start(id);
        } else if (!nodes.containsKey(id)) {
            register(id);
        } else if (random.nextInt(3) == 0) {
            nodes.remove(id);
        } else {
            crash(id);
        }
    }

    /** Every broker runs and has a node; those that were about to stop have done so and are back. */
    void heal(Set<Integer> stopping) {
        for (int id : machines.keySet()) {
            if (!machine(id).alive || stopping.contains(id)) {
                start(id);
            } else if (!nodes.containsKey(id)) {
                register(id);
            }
        }
    }

    void halt(int id) {
        machine(id).alive = false;
        loseDisk(id);
    }

    private void crash(int id) {
        machine(id).alive = false;
        if (random.nextBoolean()) {
            nodes.remove(id);
        }
        if (random.nextInt(3) == 0) {
            loseDisk(id);
        }
    }

    private void loseDisk(int id) {
        Machine machine = machine(id);
        machine.generation++;
        switch (random.nextInt(3)) {
            case 0 -> machine.directory++;
            case 1 -> machine.epochOnDisk = Math.max(BrokerRegistration.PROVES_NOTHING, machine.epochOnDisk - 1);
            default -> machine.epochOnDisk = BrokerRegistration.PROVES_NOTHING;
        }
        onDiskLoss.accept(id);
    }

    private void start(int id) {
        Machine machine = machine(id);
        machine.alive = true;
        machine.nonce = ++lastNonce;
        nodes.remove(id);
        register(id);
    }

    private void register(int id) {
        Machine machine = machine(id);
        Endpoint endpoint = new Endpoint("broker-" + id, 1);
        lastEpoch += 10;
        List<String> directories = List.of("dir-" + id + "-" + machine.directory);
        nodes.put(
                id,
                new BrokerRegistration(
                        id,
                        lastEpoch,
                        machine.nonce,
                        endpoint,
                        endpoint,
                        endpoint,
                        "",
                        directories,
                        machine.epochOnDisk));
        machine.epochOnDisk = lastEpoch;
        generationOfEpoch.put(lastEpoch, machine.generation);
    }

    private Machine machine(int id) {
        return Objects.requireNonNull(machines.get(id));
    }
}
