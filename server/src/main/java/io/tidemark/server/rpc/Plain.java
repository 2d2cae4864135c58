package io.tidemark.server.rpc;

import io.tidemark.model.Acks;
import io.tidemark.model.ErrorCode;
import io.tidemark.record.Header;
import io.tidemark.record.LogRecord;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** The plain API's values, between its mapper and its ports; meanings stand in {@code plain.proto}. */
public final class Plain {
    private Plain() {}

    /** A record to publish; its buffers do not change any more. */
    public record Publication(
            String topic,
            @Nullable Integer partition,
            @Nullable ByteBuffer key,
            @Nullable ByteBuffer value,
            List<Header> headers,
            @Nullable Long timestampMs,
            Acks acks) {}

    /** What became of a publication. */
    public sealed interface Outcome {
        /** @param offset of the record; -1 with acks=0 */
        record Published(int partition, long offset) implements Outcome {}

        /** It was not acknowledged; the failure says what is known. */
        record Refused(Failure failure) implements Outcome {}
    }

    /** What to read, and from where. */
    public record Selection(String topic, SortedMap<Integer, Place> partitions, Place otherwise, Until until) {
        /** When the reading ends. */
        public enum Until {
            CANCELLED,
            END
        }

        /**
         * @param partitions none means all
         * @param otherwise where to begin when all are read
         */
        public Selection {}
    }

    /** Where reading begins. */
    public sealed interface Place {
        /** The record with that offset, or the next one if there is none. */
        record Offset(long offset) implements Place {}

        /** The first record whose timestamp is at least this. */
        record Timestamp(long timestampMs) implements Place {}

        /** An end of the log. */
        enum Edge implements Place {
            EARLIEST,
            LATEST
        }
    }

    /** Committed records of one partition. */
    public record Slice(int partition, List<LogRecord> records, long nextOffset, long highWatermark) {}

    /**
     * Why a call fails.
     *
     * @param outcome what is known of a write; of no meaning to a read
     */
    public record Failure(Kind kind, ErrorCode error, ErrorCode.Outcome outcome, String message, About about) {
        /** What failed. */
        public enum Kind {
            WRITE,
            READ,
            /** Records that were read are not in the log any more. */
            READ_OF_LOST
        }

        static Failure write(ErrorCode error, String message, String topic) {
            return new Failure(Kind.WRITE, error, error.outcome(), message, About.topic(topic));
        }
    }

    /**
     * What a failure is about; -1 stands for what is not known or has no meaning here.
     *
     * @param leader broker id of the partition's leader
     * @param earliest valid offset
     * @param latest valid offset, that of the next record
     */
    public record About(String topic, int partition, int leader, long earliest, long latest) {
        public static About topic(String topic) {
            return new About(topic, -1, -1, -1, -1);
        }

        public static About partition(String topic, int partition, int leader) {
            return new About(topic, partition, leader, -1, -1);
        }
    }
}
