package io.tidemark.checker;

import io.tidemark.checker.CheckOptions.WriteOrder;
import io.tidemark.history.Action.Via;

/** The kinds of anomalies, each with its name in verdicts and when it is allowed. */
public enum AnomalyKind {
    INCONSISTENT_OFFSETS("inconsistent-offsets", Origin.KAFKA, Allowed.NEVER, "one offset held two values"),
    DUPLICATE("duplicate", Origin.KAFKA, Allowed.NEVER, "a value is at two offsets"),
    LOST_WRITE("lost-write", Origin.KAFKA, Allowed.NEVER, "readers passed an acknowledged record and nobody read it"),
    UNSEEN("unseen", Origin.KAFKA, Allowed.NEVER, "acknowledged records that no poll returned"),
    G1A("G1a", Origin.KAFKA, Allowed.NEVER, "a poll returned a record whose send had failed"),
    PRECOMMITTED_READ("precommitted-read", Origin.KAFKA, Allowed.NEVER, "an operation polled what it sent itself"),
    INT_POLL_SKIP(
            "int-poll-skip", Origin.KAFKA, Allowed.NEVER, "an operation polled a record and not the ones before it"),
    INT_NONMONOTONIC_POLL(
            "int-nonmonotonic-poll", Origin.KAFKA, Allowed.NEVER, "an operation polled backwards or twice"),
    POLL_SKIP("poll-skip", Origin.KAFKA, Allowed.WITH_SUBSCRIBE, "a consumer jumped over records between two polls"),
    NONMONOTONIC_POLL(
            "nonmonotonic-poll", Origin.KAFKA, Allowed.WITH_SUBSCRIBE, "a consumer went back between two polls"),
    NONMONOTONIC_SEND(
            "nonmonotonic-send", Origin.KAFKA, Allowed.NEVER, "a producer's record lies before its record before"),
    INT_NONMONOTONIC_SEND(
            "int-nonmonotonic-send", Origin.KAFKA, Allowed.NEVER, "an operation's sends lie out of order"),
    INT_SEND_SKIP(
            "int-send-skip", Origin.KAFKA, Allowed.ALWAYS, "another record lies between the sends of one operation"),
    UNKNOWN_VALUE("unknown-value", Origin.KAFKA, Allowed.NEVER, "a poll returned what nobody sent"),
    G0("G0", Origin.KAFKA, Allowed.ALWAYS, "operations each wrote before the other"),
    G0_REALTIME("G0-realtime", Origin.KAFKA, Allowed.ALWAYS, "the log's order of writes contradicts that of time"),
    G1C("G1c", Origin.KAFKA, Allowed.WITH_WRITE_ORDER, "operations each read what the other wrote"),
    G1C_REALTIME(
            "G1c-realtime", Origin.KAFKA, Allowed.WITH_WRITE_ORDER, "the flow of records contradicts the order of time"),
    ACKED_RECORD_LOST(
            "acked-record-lost", Origin.TIDEMARK, Allowed.NEVER, "the final read lacks an acknowledged record"),
    READ_RECORD_LOST(
            "read-record-lost", Origin.TIDEMARK, Allowed.NEVER, "the final read lacks a record that was read before"),
    READ_BEFORE_SEND(
            "read-before-send", Origin.TIDEMARK, Allowed.NEVER, "a record was read before anybody began to send it"),
    PRODUCER_REORDER(
            "producer-reorder", Origin.TIDEMARK, Allowed.NEVER, "a producer's record lies before an earlier one of it"),
    CONSUMER_SKIP(
            "consumer-skip", Origin.TIDEMARK, Allowed.WITH_SUBSCRIBE, "a consumer was not given a committed record"),
    CONSUMER_REWIND(
            "consumer-rewind", Origin.TIDEMARK, Allowed.WITH_SUBSCRIBE, "a consumer was given an offset again"),
    ORDER_DIFFERS(
            "order-differs",
            Origin.TIDEMARK,
            Allowed.WITH_SUBSCRIBE,
            "what consumers met, one behind the other, fits no one order"),
    TRUNCATION_SEEN(
            "truncation-seen", Origin.TIDEMARK, Allowed.NEVER, "a consumer saw that a committed record was cut off"),
    NEVER_SUCCEEDED(
            "never-succeeded", Origin.TIDEMARK, Allowed.NEVER, "no operation of a kind succeeded: nothing was tested"),
    HISTORY_CUT("history-cut", Origin.TIDEMARK, Allowed.NEVER, "the recorder was full: the end is not known");

    private final String label;
    private final Origin origin;
    private final Allowed allowed;
    private final String meaning;

    AnomalyKind(String label, Origin origin, Allowed allowed, String meaning) {
        this.label = label;
        this.origin = origin;
        this.allowed = allowed;
        this.meaning = meaning;
    }

    /** Who defined it. */
    public enum Origin {
        /** Jepsen's Kafka workload checker. */
        KAFKA,
        /** Us. */
        TIDEMARK
    }

    private enum Allowed {
        NEVER,
        WITH_SUBSCRIBE,
        WITH_WRITE_ORDER,
        ALWAYS
    }

    /** Its name in verdicts. */
    public String label() {
        return label;
    }

    public Origin origin() {
        return origin;
    }

    /** A sentence for people. */
    public String meaning() {
        return meaning;
    }

    /** What a case of it means under these options, unless its own circumstances excuse it. */
    Standing standing(CheckOptions options) {
        return Standing.badUnless(
                switch (allowed) {
                    case NEVER -> false;
                    case WITH_SUBSCRIBE -> options.subVia() == Via.SUBSCRIBE;
                    case WITH_WRITE_ORDER -> options.writeOrder() == WriteOrder.DRAWN;
                    case ALWAYS -> true;
                });
    }
}
