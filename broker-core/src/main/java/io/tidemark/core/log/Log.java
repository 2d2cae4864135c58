package io.tidemark.core.log;

import io.tidemark.core.config.LogConfig;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The log of one partition: batches in offset order, in segments with sparse indexes (DESIGN sections 3 and 4).
 *
 * <p>Writers (append, truncate, roll, force, start-offset changes) take the log's own lock, and no call leaves the log
 * while it is held. Readers take no lock: they see the last published {@link #end()}. An I/O error in any writing
 * operation fences the log under its lock and raises {@link io.tidemark.core.runtime.KafkaStorageException};
 * everything after that fails the same way and {@link #end()} stays what it was (KAFKA-10778).
 *
 * <p>A log that was closed or deleted answers every call that needs its files with a {@link LogClosedException}.
 *
 * <p>The log does not know about high watermarks or roles: its owner moves {@link #committedBound(long)} and fences
 * appends by leader epoch.
 */
public interface Log {
    TopicPartition partition();

    /** Identity of the topic, from the directory's {@code partition.metadata}. */
    TopicId topicId();

    /** The log directory (not the partition's own) that holds this log. */
    Path logDirectory();

    /** What is appended and readable: one consistent snapshot (KAFKA-2477). */
    LogEnd end();

    /** First offset that may be read; rises only, except by {@link #truncateFullyAndStartAt}. */
    long startOffset();

    /** Number of truncations so far; a reader of bytes above the high watermark compares it before and after. */
    long truncations();

    /** Never passed by retention, cleaning, delete-records and committed reads; set by the owner alone. */
    long committedBound();

    /** Sets {@link #committedBound()}; a volatile write. */
    void committedBound(long offset);

    /**
     * Opens leader epoch {@code leaderEpoch} at the current end, in memory before this returns (KAFKA-7415), and fences
     * appends of lower epochs.
     *
     * @return the end of the log, where the epoch starts
     */
    LogEnd becomeLeader(int leaderEpoch);

    /** Fences appends of other epochs; the history gets its entries from the batches that are copied. */
    void becomeFollower(int leaderEpoch);

    /**
     * Assigns offsets and {@code leaderEpoch} to validated batches, in place, and appends them.
     *
     * <p>Checks under the lock: the epoch is the one of {@link #becomeLeader}; idempotent producers' epochs and
     * sequences (a duplicate is answered with its original offsets and writes nothing).
     *
     * <p>An append of several batches is a duplicate if every one of them is; a mix is refused. An epoch below that of the last
     * batch is refused (FENCED_LEADER_EPOCH).
     *
     * @param batches position to limit, which are not moved: whole batches that a {@code BatchValidator} has accepted;
     *     writable
     */
    AppendResult appendAsLeader(ByteBuffer batches, int leaderEpoch);

    /**
     * Appends batches with the offsets and epochs that the leader gave them (S19).
     *
     * <p>Refuses, without writing anything: a bad CRC or torn batch (CORRUPT_MESSAGE), a batch whose last offset is below
     * the end or offsets that do not rise (INVALID_RECORD), a batch of an epoch above {@code leaderEpoch} or below the last one
     * (INVALID_RECORD), another epoch than the one of {@link #becomeFollower} (FENCED_LEADER_EPOCH).
     */
    AppendResult appendAsFollower(ByteBuffer batches, int leaderEpoch);

    /**
     * Reads whole batches from the one that holds {@code offset} (or the next after a gap) on.
     *
     * <p>Batches of sealed segments are checked, CRC included, those of the active one by their headers (DESIGN section 3). A bad
     * batch is {@link ReadResult.Corrupt}, never an exception; what the read found in front of it is returned first. Once found
     * it is {@linkplain #damage() known}, and not read again. The bytes are a copy. At {@code offset == min(end, limit)} the
     * answer is empty, not an error.
     */
    ReadResult read(ReadRequest request);

    /**
     * Bytes since the first segment at the start of the first batch whose last offset is at or above {@code offset}; the
     * end position if there is none. Leader-local, never stored or sent (DESIGN section 4). Inside a damage it is where the
     * damage starts.
     */
    long positionOf(long offset);

    /** Roughly how many bytes lie between {@code offset} and the end, from memory alone: whether a read would be a cold one. */
    long bytesBehindEnd(long offset);

    /** The first place that is known to be damaged; empty when there is none, or once it was cut off, deleted or written anew. */
    Optional<LogDamage> damage();

    /**
     * Checks a stretch of the sealed segments, beside readers and writers; what is bad is {@linkplain #damage() known} then.
     * Reads the disk: not for event loops that do anything else. For one caller at a time.
     *
     * @param from {@link ScrubPoint#FRONT}, or where the last call said to go on
     * @param maxBytes it ends behind the batch that reaches this
     */
    Scrubbed scrub(ScrubPoint from, int maxBytes);

    /**
     * The first record, by offset, whose timestamp is at least the one asked for. Timestamps need not rise with offsets; with
     * append time a record has its batch's.
     *
     * <p>Walks batch headers from disk, unboundedly many of them, in bounded memory: not for event loops. A damaged batch on
     * the way raises {@link io.tidemark.record.InvalidBatchException}.
     */
    TimeSearch.Result search(TimeSearch search);

    /** The history of leader epochs: answers come from memory. Thread-safe. */
    LeaderEpochs epochs();

    /**
     * Removes every record at or above {@code offset} (S10). A batch that straddles it goes whole, and the log ends at that
     * batch's base; otherwise it ends at {@code offset}, also in a gap. Lowers the committed bound to the new end; an offset at
     * or above the end changes nothing, one below the start empties the log at {@code offset}. Epochs and producer states follow.
     *
     * @return the end afterwards
     */
    LogEnd truncateTo(long offset);

    /** Drops everything and starts again, empty, at {@code offset}: start, end and committed bound in one step (KAFKA-9491). */
    LogEnd truncateFullyAndStartAt(long offset);

    /**
     * Raises the start offset to {@code offset} if it is higher.
     *
     * @return false, and nothing changed, if {@code offset} is above the committed bound
     */
    boolean advanceStartOffset(long offset);

    /**
     * Makes the present start offset durable: after any crash the log starts at it or above, as long as it reaches that far. Waits
     * for the disk: not for event loops.
     *
     * @return what is recorded now
     */
    long recordStartOffset();

    /**
     * Takes away the segments at the head of the log that the settings let go, and raises the start offset to the first one
     * that stays ({@link LogRetention} has the rules). Never at or above the committed bound (I18); positions of what stays do
     * not change (S36). If every record goes, the log is empty and goes on at its end.
     *
     * <p>The new start offset is durable before any file is touched. Files are renamed before this returns and unlinked after
     * {@code file.delete.delay.ms} on the scheduler (S43, S45); the renames themselves need not be durable. Waits for the
     * disk: not for event loops. The caller tells those who wait for an offset that is gone.
     *
     * @param nowMs by the wall clock, as record times are
     * @return what went; nothing, too, if the log was truncated meanwhile: the next call decides again
     */
    RetentionResult applyRetention(long nowMs);

    /**
     * Forgets the idempotent producers that have appended nothing for {@code producer.id.expiration.ms}, as far as earlier calls
     * can tell. One that comes back is unknown: it is let in from sequence 0 on, else told UNKNOWN_PRODUCER_ID.
     *
     * @param nowMs by the monotonic clock, of which only differences count; record times have no influence
     * @return how many were forgotten
     */
    int expireProducers(long nowMs);

    /**
     * Makes everything up to the current end durable. May block for the disk; callers on event loops hand this to a
     * flusher.
     *
     * @return the end that is durable
     */
    LogEnd force();

    /** What {@link #force()} has made durable so far, never above {@link #end()}. */
    LogEnd forcedEnd();

    /** Takes over changed settings: segment size and the like. */
    void reconfigure(LogConfig config);

    /** Bytes in live segments. */
    long sizeBytes();
}
