package io.tidemark.checker;

import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.history.Action;
import io.tidemark.history.Action.Assignment;
import io.tidemark.history.Action.Function;
import io.tidemark.history.Action.Start;
import io.tidemark.history.Action.Transfer;
import io.tidemark.history.Action.Via;
import io.tidemark.history.EventSink;
import io.tidemark.history.HistoryEvent;
import io.tidemark.history.Phase;
import io.tidemark.history.ReadRecords;
import io.tidemark.history.Step.Asked;
import io.tidemark.history.Step.Poll;
import io.tidemark.history.Step.Send;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A history as a right log makes it, from a seed: clients of which each does one thing at a time while others do theirs, sends
 * that fail, that nobody knows of and that arrive late, polls that fail, clients that die, and in the end a reader of
 * everything. On demand one thing goes wrong in the middle.
 */
final class RandomHistory {
    private static final int KEYS = 4;
    private static final int THREADS = 8;
    private static final int PRODUCERS = 4;
    private static final int MAX_POLLED = 4;

    private final SeededRandomness choices;
    private final EventSink sink;
    private final int operations;
    private final Fault fault;
    private final List<ModelLog> logs = new ArrayList<>();
    private final List<Client> clients = new ArrayList<>();
    private final List<Send> late = new ArrayList<>();
    private long index;
    private long nextValue = 1;
    private boolean isPlanted;

    /** What goes wrong. */
    enum Fault {
        NONE,
        /** An acknowledged record goes, and the next takes its offset. */
        LOSS,
        /** A record is written twice. */
        DUPLICATE,
        /** A consumer passes a record. */
        SKIP,
        /** A consumer goes back by one. */
        REWIND,
        /** A send that failed is written. */
        ABORTED,
        /** A record is written before the one that its producer had sent before. */
        REORDER
    }

    private static final class Client {
        private final int thread;
        private int process;
        private Action asked = new Action.Crash();
        private boolean isBusy;
        private boolean isWritten;
        private SortedMap<Integer, Integer> positions = new TreeMap<>();

        Client(int thread) {
            this.thread = thread;
            this.process = thread;
        }
    }

    RandomHistory(long seed, int operations, Fault fault, EventSink sink) {
        this.choices = new SeededRandomness(seed);
        this.operations = operations;
        this.fault = fault;
        this.sink = sink;
        for (int key = 0; key < KEYS; key++) {
            logs.add(new ModelLog());
        }
        for (int thread = 0; thread < THREADS; thread++) {
            clients.add(new Client(thread));
        }
    }

    /** Whether the fault found a victim. */
    boolean run() {
        int done = 0;
        while (done < operations) {
            Client client = choices.pick(clients);
            if (client.isBusy) {
                complete(client);
                done++;
            } else {
                invoke(client);
            }
            if (!late.isEmpty() && choices.oneIn(20)) {
                write(late.remove(choices.nextInt(late.size())));
            }
            if (!isPlanted && done > operations / 2) {
                isPlanted = plant(client);
            }
        }
        for (Client client : clients) {
            if (client.isBusy) {
                complete(client);
            }
        }
        readAll();
        return isPlanted;
    }

    private void invoke(Client client) {
        boolean isProducer = client.thread < PRODUCERS;
        if (isProducer) {
            client.asked = Transfer.of(Function.SEND, List.of(Send.of(choices.nextInt(KEYS), nextValue++)));
        } else if (client.positions.isEmpty() || choices.oneIn(50)) {
            List<Integer> keys = choices.oneIn(2) ? List.of(0, 1, 2, 3) : List.of(choices.nextInt(KEYS));
            client.asked = new Assignment(Via.ASSIGN, keys, client.positions.isEmpty() ? Start.BEGINNING : Start.KEPT);
        } else {
            client.asked = Transfer.of(Function.POLL, List.of(new Asked()));
        }
        client.isBusy = true;
        client.isWritten = false;
        event(Phase.INVOKE, client.process, client.asked);
        if (isProducer && choices.oneIn(2)) {
            write(sendOf(client));
            client.isWritten = true;
        }
    }

    private void complete(Client client) {
        client.isBusy = false;
        if (client.asked instanceof Assignment assignment) {
            assign(client, assignment);
        } else if (client.thread < PRODUCERS) {
            send(client);
        } else {
            poll(client);
        }
    }

    private void assign(Client client, Assignment assignment) {
        SortedMap<Integer, Integer> positions = new TreeMap<>();
        for (Integer key : assignment.keys()) {
            int from = assignment.start() == Start.KEPT ? client.positions.getOrDefault(key, 0) : 0;
            positions.put(key, from);
        }
        client.positions = positions;
        event(Phase.OK, client.process, assignment);
    }

    private void send(Client client) {
        Send send = sendOf(client);
        if (choices.oneIn(20)) {
            if (!client.isWritten && choices.oneIn(2)) {
                late.add(send);
            }
            event(Phase.INFO, client.process, client.asked);
            client.process += THREADS;
        } else if (!client.isWritten && choices.oneIn(20)) {
            event(Phase.FAIL, client.process, client.asked);
        } else {
            if (!client.isWritten) {
                write(send);
            }
            ModelLog log = logs.get(send.key());
            log.acknowledged(send.value());
            Send placed = send.at(log.offsetOf(send.value()));
            event(Phase.OK, client.process, Transfer.of(Function.SEND, List.of(placed)));
        }
    }

    private void poll(Client client) {
        if (choices.oneIn(operations < 10_000 ? 30 : 3_000)) {
            // A consumer that begins anew in a long history reads it all again.
            event(Phase.INFO, client.process, client.asked);
            client.process += THREADS;
            client.positions = new TreeMap<>();
            return;
        }
        List<ReadRecords> records = new ArrayList<>();
        SortedMap<Integer, Integer> moved = new TreeMap<>(client.positions);
        client.positions.forEach((key, from) -> {
            int to = Math.min(logs.get(key).size(), from + choices.nextInt(MAX_POLLED + 1));
            if (to > from) {
                records.add(logs.get(key).records(key, from, to));
                moved.put(key, to);
            }
        });
        Transfer polled = Transfer.of(Function.POLL, List.of(new Poll(records)));
        if (choices.oneIn(30)) {
            event(Phase.FAIL, client.process, polled);
        } else {
            client.positions = moved;
            event(Phase.OK, client.process, polled);
        }
    }

    private void readAll() {
        int reader = clients.stream().mapToInt(client -> client.process).max().orElse(0) + 1;
        Assignment everything = new Assignment(Via.ASSIGN, List.of(0, 1, 2, 3), Start.FINAL_READ);
        event(Phase.INVOKE, reader, everything);
        event(Phase.OK, reader, everything);
        for (int key = 0; key < KEYS; key++) {
            for (int from = 0; from < logs.get(key).size(); from += 100) {
                int to = Math.min(logs.get(key).size(), from + 100);
                event(Phase.INVOKE, reader, Transfer.of(Function.POLL, List.of(new Asked())));
                event(
                        Phase.OK,
                        reader,
                        Transfer.of(
                                Function.POLL,
                                List.of(new Poll(List.of(logs.get(key).records(key, from, to))))));
            }
        }
    }

    /** Whether there was something that could go wrong for this client now. */
    private boolean plant(Client client) {
        return switch (fault) {
            case NONE -> true;
            case LOSS -> plantLoss();
            case DUPLICATE -> logs.get(0).size() > 0 && logs.get(0).repeat(0, gap());
            case SKIP -> plantSkip(client);
            case REWIND -> plantRewind(client);
            case ABORTED -> plantAborted(client);
            case REORDER -> plantReorder(client);
        };
    }

    private boolean plantLoss() {
        ModelLog log = choices.pick(logs);
        if (!log.cutAcknowledged()) {
            return false;
        }
        clients.forEach(client -> client.positions.replaceAll(
                (key, position) -> Math.min(position, logs.get(key).size())));
        return true;
    }

    private boolean plantSkip(Client client) {
        for (Integer key : client.positions.keySet()) {
            int position = client.positions.get(key);
            // Somewhere in the middle of what it reads, so that it is seen on both sides.
            if (!client.isBusy && position > 0 && position + 1 < logs.get(key).size()) {
                client.positions.put(key, position + 1);
                poll(client, key);
                return true;
            }
        }
        return false;
    }

    private boolean plantRewind(Client client) {
        for (Integer key : client.positions.keySet()) {
            if (!client.isBusy && client.positions.get(key) > 1) {
                poll(client, key);
                client.positions.put(key, client.positions.get(key) - 1);
                poll(client, key);
                return true;
            }
        }
        return false;
    }

    /** A poll that returns the next record of a key, if there is one. */
    private void poll(Client client, int key) {
        int from = client.positions.get(key);
        int to = Math.min(from + 1, logs.get(key).size());
        event(Phase.INVOKE, client.process, Transfer.of(Function.POLL, List.of(new Asked())));
        Poll poll = new Poll(to > from ? List.of(logs.get(key).records(key, from, to)) : List.of());
        event(Phase.OK, client.process, Transfer.of(Function.POLL, List.of(poll)));
        client.positions.put(key, to);
    }

    private boolean plantAborted(Client client) {
        if (client.thread >= PRODUCERS || client.isBusy) {
            return false;
        }
        Send send = Send.of(0, nextValue++);
        event(Phase.INVOKE, client.process, Transfer.of(Function.SEND, List.of(send)));
        event(Phase.FAIL, client.process, Transfer.of(Function.SEND, List.of(send)));
        write(send);
        return true;
    }

    private boolean plantReorder(Client client) {
        if (client.thread >= PRODUCERS || client.isBusy) {
            return false;
        }
        Send first = Send.of(0, nextValue++);
        Send second = Send.of(0, nextValue++);
        write(second);
        write(first);
        for (Send send : List.of(first, second)) {
            event(Phase.INVOKE, client.process, Transfer.of(Function.SEND, List.of(send)));
            Send placed = send.at(logs.get(0).offsetOf(send.value()));
            event(Phase.OK, client.process, Transfer.of(Function.SEND, List.of(placed)));
        }
        return true;
    }

    private void write(Send send) {
        logs.get(send.key()).append(send.value(), gap());
    }

    /** Most records lie one behind the other; some leave a hole. */
    private int gap() {
        return choices.oneIn(10) ? choices.nextInt(5) : 0;
    }

    private static Send sendOf(Client client) {
        return (Send) ((Transfer) client.asked).steps().get(0);
    }

    private void event(Phase phase, int process, Action action) {
        sink.accept(new HistoryEvent(index, index * 1_000, phase, process, action, ""));
        index++;
    }
}
