package io.tidemark.sim;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * What a message of the simulated network is about, and so how it travels: single calls may overtake each other, what goes over
 * a stream keeps its order.
 */
public enum MessageKind {
    /** A follower asks its leader for records. */
    FETCH(Way.STREAM),
    FETCH_ANSWER(Way.ANSWER),
    /** The controller tells a broker the states of partitions. */
    PUSH(Way.STREAM),
    PUSH_ANSWER(Way.ANSWER),
    /** A client's records. */
    PRODUCE(Way.STREAM),
    PRODUCE_ANSWER(Way.ANSWER),
    /** A client asks for records. */
    CONSUME(Way.STREAM),
    CONSUME_ANSWER(Way.ANSWER),
    /** A leader asks the controller for another in-sync set. */
    PROPOSE(Way.CALL),
    PROPOSE_ANSWER(Way.ANSWER),
    /** A controller or a registrar asks who listens at an address. */
    IDENTIFY(Way.CALL),
    IDENTIFY_ANSWER(Way.ANSWER),
    /** A broker opens a connection to another and drops it again, to see whether anybody listens. */
    CONNECT(Way.CALL),
    CONNECT_ANSWER(Way.ANSWER),
    /** A broker asks another whether a third refuses connections. */
    PROBE_PEER(Way.CALL),
    PROBE_PEER_ANSWER(Way.ANSWER),
    /** The controller asks how far logs go; the question waits for a process to listen. */
    LOG_ENDS(Way.PATIENT_CALL),
    LOG_ENDS_ANSWER(Way.ANSWER),
    /** A broker asks the controller for a block of producer ids. */
    PRODUCER_IDS(Way.CALL),
    PRODUCER_IDS_ANSWER(Way.ANSWER),
    /** A broker asks the controller to move what it leads away. */
    SHUTDOWN(Way.CALL),
    SHUTDOWN_ANSWER(Way.ANSWER),
    /** A broker tells the controller that a copy is damaged. */
    DAMAGE(Way.CALL),
    DAMAGE_ANSWER(Way.ANSWER),
    /** A client asks for topics and leaders. */
    METADATA(Way.CALL),
    METADATA_ANSWER(Way.ANSWER),
    /** A client asks for a producer id. */
    INIT_PRODUCER(Way.CALL),
    INIT_PRODUCER_ANSWER(Way.ANSWER),
    /** A client asks for offsets. */
    LIST_OFFSETS(Way.CALL),
    LIST_OFFSETS_ANSWER(Way.ANSWER),
    /** An operator's request. */
    ADMIN(Way.CALL),
    ADMIN_ANSWER(Way.ANSWER),
    /** A broker that ends tells the controller that its disk failed; nobody answers. */
    STORAGE_FAILED(Way.NOTICE),
    /** A host breaks a connection. */
    RESET(Way.NOTICE);

    private static final Map<MessageKind, MessageKind> ANSWERS = new EnumMap<>(MessageKind.class);

    static {
        for (MessageKind kind : values()) {
            if (kind.way != Way.ANSWER && kind.way != Way.NOTICE) {
                ANSWERS.put(kind, valueOf(kind.name() + "_ANSWER"));
            }
        }
    }

    private final Way way;
    /** The same on every virtual machine, which the constant's own hash code is not. */
    private final int mark = name().hashCode();

    private enum Way {
        STREAM,
        CALL,
        PATIENT_CALL,
        NOTICE,
        ANSWER
    }

    MessageKind(Way way) {
        this.way = way;
    }

    /** Requests of this kind go over a stream of their own, in order. */
    public boolean isStreamed() {
        return way == Way.STREAM;
    }

    /** Requests of this kind are single calls. */
    public boolean isCall() {
        return way == Way.CALL || way == Way.PATIENT_CALL;
    }

    /** A call that finds nobody at its host tries again until its timeout. */
    public boolean isPatient() {
        return way == Way.PATIENT_CALL;
    }

    /** Nothing comes back. */
    public boolean isNotice() {
        return way == Way.NOTICE;
    }

    /** What answers a request of this kind. */
    public MessageKind answer() {
        MessageKind answer = ANSWERS.get(this);
        if (answer == null) {
            throw new IllegalStateException("nothing answers " + this);
        }
        return answer;
    }

    /** Stands for it in a run's digest. */
    int mark() {
        return mark;
    }

    /** As traces and scenarios write it: {@code fetch-answer}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
