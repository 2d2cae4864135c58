package io.tidemark.cli.errors;

import io.tidemark.model.ClosestName;
import io.tidemark.model.ErrorCode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The one table of error codes: what each means, and what a person does about it. */
public final class ErrorGuide {
    /**
     * One error code.
     *
     * @param next what to do now, in one sentence
     */
    public record Entry(ErrorCode code, String meaning, String next) {
        /** What the error says about the write that it answers, in words. */
        public String outcome() {
            return switch (code.outcome()) {
                case DONE -> "it was done";
                case FAILED -> "certainly not done; trying again cannot help";
                case FAILED_RETRY -> "certainly not done by this attempt; trying again may help";
                case UNKNOWN -> "unknown: it may have been done; only an idempotent retry is safe";
            };
        }
    }

    private static final List<Entry> TABLE = List.of(
            entry(ErrorCode.NONE, "success", "Nothing is to be done."),
            entry(
                    ErrorCode.UNKNOWN_SERVER_ERROR,
                    "the broker met a state that it cannot explain",
                    "Look into the log of the broker that answered, and report it as a bug."),
            entry(
                    ErrorCode.OFFSET_OUT_OF_RANGE,
                    "the offset is below the log's start or beyond its end: it was deleted, or never written",
                    "Read from -o start, or from an offset that is still there."),
            entry(
                    ErrorCode.CORRUPT_MESSAGE,
                    "a batch failed its checksum, or is not whole",
                    "Send it again; if it comes back on reading, check the segment with tidemark log verify."),
            entry(
                    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                    "the broker knows no such topic or partition",
                    "See which there are with tidemark topic list; a topic is made with tidemark topic create."),
            entry(
                    ErrorCode.LEADER_NOT_AVAILABLE,
                    "the partition has no leader now: an election is under way, or no eligible replica lives",
                    "Wait a moment; if it stays, see who may lead with tidemark topic describe."),
            entry(
                    ErrorCode.NOT_LEADER_OR_FOLLOWER,
                    "the broker does not lead the partition, or not any more",
                    "Clients find the new leader by themselves; if it stays, see tidemark topic describe."),
            entry(
                    ErrorCode.REQUEST_TIMED_OUT,
                    "no answer came in time",
                    "See whether it was done before you do it again; a larger --timeout waits longer."),
            entry(
                    ErrorCode.MESSAGE_TOO_LARGE,
                    "the batch is larger than max.message.bytes",
                    "Send smaller records or batches, or raise the topic's max.message.bytes."),
            entry(
                    ErrorCode.INVALID_TOPIC,
                    "the topic's name is not legal, or belongs to the cluster itself",
                    "Use letters, digits, dot, underscore and hyphen, 249 at most."),
            entry(
                    ErrorCode.NOT_ENOUGH_REPLICAS,
                    "fewer replicas are in sync than min.insync.replicas, so acks=all is refused before writing",
                    "Bring brokers back: tidemark broker list and tidemark topic describe show which are missing."),
            entry(
                    ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND,
                    "replicas left the in-sync set after the record was written and before it was acknowledged",
                    "Let the idempotent producer send it again, and bring the missing brokers back."),
            entry(ErrorCode.INVALID_REQUIRED_ACKS, "acks is none of 0, 1 and all", "Use --acks 0, 1 or all."),
            entry(
                    ErrorCode.INVALID_RECORD,
                    "a batch's header contradicts its records, or uses what is not allowed",
                    "Look for a faulty client: no retry helps."),
            entry(
                    ErrorCode.INVALID_TIMESTAMP,
                    "a record is dated further in the future than message.timestamp.after.max.ms allows",
                    "Set the clocks of client and broker, or let the topic stamp records when they are appended:"
                            + " message.timestamp.type=LogAppendTime."),
            entry(
                    ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
                    "an earlier batch of this producer is missing",
                    "Start a new producer, and see which records were acknowledged."),
            entry(
                    ErrorCode.INVALID_PRODUCER_EPOCH,
                    "a newer instance of this producer has taken over",
                    "Stop the older instance."),
            entry(
                    ErrorCode.UNKNOWN_PRODUCER_ID,
                    "the broker has forgotten this producer, and the batch is not its first",
                    "Start a new producer, and see which records were acknowledged."),
            entry(
                    ErrorCode.FENCED_LEADER_EPOCH,
                    "the caller goes by an older leader epoch than the partition has",
                    "Clients refresh by themselves; nothing is to be done."),
            entry(
                    ErrorCode.UNKNOWN_LEADER_EPOCH,
                    "the caller knows a newer leader epoch than the broker",
                    "Wait a moment: the broker is told soon."),
            entry(
                    ErrorCode.OFFSET_NOT_AVAILABLE,
                    "the new leader does not know yet how far records are committed",
                    "Wait a moment; if it stays, its followers do not fetch: see tidemark topic describe."),
            entry(
                    ErrorCode.KAFKA_STORAGE_ERROR,
                    "a disk failed, and the broker goes down",
                    "Look into the broker's log and at its disk before you start it again."),
            entry(
                    ErrorCode.INCONSISTENT_TOPIC_ID,
                    "a topic of this name was deleted and made anew",
                    "Clients refresh by themselves; positions in the old topic mean nothing in the new one."),
            entry(
                    ErrorCode.FETCH_SESSION_ID_NOT_FOUND,
                    "the fetch session is gone",
                    "Readers open a new one by themselves; nothing is to be done."),
            entry(
                    ErrorCode.INVALID_FETCH_SESSION_EPOCH,
                    "a message of the fetch session was lost or came twice",
                    "Readers open a new one by themselves; nothing is to be done."),
            entry(
                    ErrorCode.STALE_BROKER_EPOCH,
                    "the request is meant for another life of the broker, or comes from one",
                    "Try again: the broker has restarted meanwhile."),
            entry(
                    ErrorCode.STALE_CONTROLLER_EPOCH,
                    "the sender was controller once and is not any more",
                    "Nothing is to be done: the present controller goes on."),
            entry(
                    ErrorCode.NOT_CONTROLLER,
                    "the broker that was asked is not the controller",
                    "Wait a moment; tidemark cluster info names the controller."),
            entry(
                    ErrorCode.TOPIC_ALREADY_EXISTS,
                    "a topic of that name exists",
                    "See it with tidemark topic describe, or choose another name."),
            entry(
                    ErrorCode.INVALID_PARTITIONS,
                    "that number of partitions is not legal",
                    "Ask for at least one partition."),
            entry(
                    ErrorCode.INVALID_REPLICATION_FACTOR,
                    "that number of replicas is not legal, or there are fewer live brokers",
                    "See how many brokers live with tidemark broker list."),
            entry(
                    ErrorCode.INVALID_CONFIG,
                    "a setting is not known, or its value is not legal",
                    "Correct the key or the value that the message names."),
            entry(
                    ErrorCode.POLICY_VIOLATION,
                    "the topic's settings forbid it: records of a topic that is only compacted are not deleted by offset",
                    "Set cleanup.policy=compact,delete when the topic is made, or write tombstones for the keys that are to go."),
            entry(
                    ErrorCode.INVALID_REQUEST,
                    "the request is malformed, or contradicts itself",
                    "See that client and brokers are of the same version."),
            entry(
                    ErrorCode.BROKER_NOT_AVAILABLE,
                    "the broker does not answer, or is not registered",
                    "See that it runs (tidemark dev status, or its log), and that --bootstrap is right."),
            entry(
                    ErrorCode.INELIGIBLE_REPLICA,
                    "the replica may not lead: it is no live, valid member of the in-sync set",
                    "See who is in sync with tidemark topic describe."),
            entry(
                    ErrorCode.INVALID_UPDATE_VERSION,
                    "the change was meant for an older state of the partition",
                    "Try again: the state has changed meanwhile."),
            entry(ErrorCode.THROTTLED, "the broker has no room for the request now", "Try again later, or send less."),
            entry(
                    ErrorCode.BROKER_SHUTTING_DOWN,
                    "the broker is stopping",
                    "Try again: another broker takes over what it led."));

    private ErrorGuide() {}

    /** All codes, in the order of the protocol. */
    public static List<Entry> all() {
        return TABLE;
    }

    /** What is known about a code; a code that the table lacks has itself as its meaning. */
    public static Entry of(ErrorCode code) {
        return TABLE.stream()
                .filter(each -> each.code() == code)
                .findFirst()
                .orElseGet(() -> new Entry(code, code.name(), "See the broker's log."));
    }

    /** The code of this name, however it is written: {@code not-controller}, {@code ERROR_CODE_NOT_CONTROLLER}. */
    static Optional<Entry> named(String text) {
        String name = canonical(text);
        return TABLE.stream().filter(each -> each.code().name().equals(name)).findFirst();
    }

    /** The name that was probably meant. */
    static Optional<String> closestTo(String text) {
        return ClosestName.of(
                canonical(text),
                Arrays.stream(ErrorCode.values()).map(Enum::name).toList());
    }

    private static String canonical(String text) {
        String upper = text.toUpperCase(Locale.ROOT).replace('-', '_');
        return upper.startsWith("ERROR_CODE_") ? upper.substring("ERROR_CODE_".length()) : upper;
    }

    private static Entry entry(ErrorCode code, String meaning, String next) {
        return new Entry(code, meaning, next);
    }
}
