package io.tidemark.coordination.controller;

import io.tidemark.coordination.cluster.StateWrite;
import io.tidemark.coordination.zookeeper.ZkOp;
import io.tidemark.coordination.zookeeper.ZkPaths;
import io.tidemark.coordination.zookeeper.ZkSession;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Commits decisions to ZooKeeper: every write in a multi that checks the controller epoch's node first, so that a deposed
 * controller changes nothing (KAFKA-6082). Runs on the session's loop; multis of successive calls are pipelined, and
 * since each builds on the versions of those before, one that is refused makes all later ones fail too.
 */
final class StateStore {
    /** Bounds of one multi, well below ZooKeeper's 1 MiB request limit. */
    private static final int MAX_OPERATIONS = 500;

    private static final int MAX_TEXT_CHARS = 400_000;

    private final ZkSession session;
    private final Mandate mandate;
    private final SortedMap<String, String> carried;
    private final WriteEncoder encoder;

    /** @param carried fields of newer versions that nodes were loaded with, by path; kept by rewrites */
    StateStore(ZkSession session, Mandate mandate, SortedMap<String, String> carried) {
        this.session = session;
        this.mandate = mandate;
        this.carried = new TreeMap<>(carried);
        this.encoder = new WriteEncoder(path -> this.carried.getOrDefault(path, ""));
    }

    /** What became of a commit. */
    enum Outcome {
        COMMITTED,
        /** Refused, or in doubt after a lost reply: the term is over, ZooKeeper is read again. */
        OVER
    }

    /** Sends the writes in order; {@code outcome} is called once, when all are answered. */
    void commit(List<StateWrite> writes, Consumer<Outcome> outcome) {
        List<List<ZkOp>> multis = new ArrayList<>();
        List<ZkOp> current = new ArrayList<>();
        int chars = 0;
        for (StateWrite write : writes) {
            List<ZkOp> operations = encoder.encode(write);
            int more = chars(operations);
            boolean full = current.size() + operations.size() > MAX_OPERATIONS || chars + more > MAX_TEXT_CHARS;
            if (full && !current.isEmpty()) {
                multis.add(current);
                current = new ArrayList<>();
                chars = 0;
            }
            current.addAll(operations);
            chars += more;
        }
        if (!current.isEmpty()) {
            multis.add(current);
        }
        Tally tally = new Tally(multis.size(), outcome);
        multis.forEach(operations -> session.multi(guarded(operations), answer -> tally.count(answer.isOk())));
    }

    private List<ZkOp> guarded(List<ZkOp> operations) {
        List<ZkOp> guarded = new ArrayList<>(operations.size() + 1);
        guarded.add(new ZkOp.Check(ZkPaths.CONTROLLER_EPOCH, mandate.epochNodeVersion()));
        guarded.addAll(operations);
        return guarded;
    }

    private static int chars(List<ZkOp> operations) {
        int chars = 0;
        for (ZkOp operation : operations) {
            chars += operation.path().length();
            if (operation instanceof ZkOp.Create create) {
                chars += create.data().length();
            } else if (operation instanceof ZkOp.SetData set) {
                chars += set.data().length();
            }
        }
        return chars;
    }

    /** Calls the outcome once, when the last answer is in. */
    private static final class Tally {
        private final Consumer<Outcome> outcome;
        private int open;
        private boolean failed;

        Tally(int multis, Consumer<Outcome> outcome) {
            this.open = multis;
            this.outcome = outcome;
            if (multis == 0) {
                outcome.accept(Outcome.COMMITTED);
            }
        }

        void count(boolean committed) {
            open--;
            failed |= !committed;
            if (open == 0) {
                outcome.accept(failed ? Outcome.OVER : Outcome.COMMITTED);
            }
        }
    }
}
