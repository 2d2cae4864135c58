package io.tidemark.server.rpc;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import com.google.rpc.Code;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.model.ErrorCode;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a whole request fails: the one place where an exception becomes a status, and where it is decided how loudly that is
 * logged (DESIGN section 7). Each status carries a {@code google.rpc.ErrorInfo} of domain {@code tidemark} whose reason is
 * the name of an {@link ErrorCode}, which tells certain failure from unknown outcome.
 *
 * <pre>
 *   exception                       status              reason                 log
 *   MalformedRequestException       INVALID_ARGUMENT    INVALID_REQUEST        debug: the caller's fault
 *   TimeoutException                DEADLINE_EXCEEDED   REQUEST_TIMED_OUT      debug: outcome unknown
 *   KafkaStorageException           UNAVAILABLE         KAFKA_STORAGE_ERROR    warn: whoever stops the broker says more
 *   StatusException and its twin    as it is                                   debug
 *   anything else                   INTERNAL            UNKNOWN_SERVER_ERROR   error, with the stack; text not sent
 *
 *   failure of the plain API        status, by its reason                      log
 *   INVALID_REQUEST, _RECORD, _TIMESTAMP, _TOPIC,
 *   _REQUIRED_ACKS                                      INVALID_ARGUMENT       debug, as all but the last
 *   UNKNOWN_TOPIC_OR_PARTITION                          NOT_FOUND
 *   OFFSET_OUT_OF_RANGE                                 OUT_OF_RANGE
 *   THROTTLED                                           RESOURCE_EXHAUSTED
 *   MESSAGE_TOO_LARGE                                   FAILED_PRECONDITION
 *   REQUEST_TIMED_OUT, of a write that may be done      DEADLINE_EXCEEDED
 *   CORRUPT_MESSAGE, and a log that was cut             DATA_LOSS
 *   UNKNOWN_SERVER_ERROR                                INTERNAL               error
 *   any other                                           UNAVAILABLE
 * </pre>
 */
final class Errors {
    private static final Logger LOG = LoggerFactory.getLogger(Errors.class);
    private static final String DOMAIN = "tidemark";
    private static final int RETRY_PAUSE_MS = 100;
    private static final int LONGEST_TEXT = 500;

    private Errors() {}

    /** The failure as it goes to the caller of {@code rpc}, logged as loudly as it deserves. */
    static StatusRuntimeException failed(String rpc, Throwable failure) {
        if (failure instanceof StatusRuntimeException status) {
            LOG.debug("{} fails: {}", rpc, status.getStatus());
            return status;
        }
        if (failure instanceof StatusException status) {
            LOG.debug("{} fails: {}", rpc, status.getStatus());
            return status.getStatus().asRuntimeException(status.getTrailers());
        }
        if (failure instanceof MalformedRequestException) {
            LOG.debug("{} is refused: {}", rpc, failure.getMessage());
            return status(Code.INVALID_ARGUMENT, ErrorCode.INVALID_REQUEST, String.valueOf(failure.getMessage()));
        }
        if (failure instanceof TimeoutException) {
            LOG.debug("{} was not done in time: {}", rpc, failure.getMessage());
            return timedOut(String.valueOf(failure.getMessage()));
        }
        if (failure instanceof KafkaStorageException) {
            LOG.warn("{} met a storage failure: {}", rpc, failure.getMessage());
            return status(Code.UNAVAILABLE, ErrorCode.KAFKA_STORAGE_ERROR, "this broker's storage has failed");
        }
        LOG.error("{} failed", rpc, failure);
        return status(
                Code.INTERNAL, ErrorCode.UNKNOWN_SERVER_ERROR, "internal error; the broker's log has the details");
    }

    /** What the meters call the failure. */
    static ErrorCode codeOf(Throwable failure) {
        if (failure instanceof MalformedRequestException) {
            return ErrorCode.INVALID_REQUEST;
        }
        if (failure instanceof TimeoutException) {
            return ErrorCode.REQUEST_TIMED_OUT;
        }
        return failure instanceof KafkaStorageException
                ? ErrorCode.KAFKA_STORAGE_ERROR
                : ErrorCode.UNKNOWN_SERVER_ERROR;
    }

    /** The caller's time is over, and whether the request was done is not known. */
    private static StatusRuntimeException timedOut(String message) {
        return status(Code.DEADLINE_EXCEEDED, ErrorCode.REQUEST_TIMED_OUT, message);
    }

    /** The listener stops: what this stream has answered stands, the rest belongs to another broker. */
    static StatusRuntimeException shuttingDown() {
        return status(Code.UNAVAILABLE, ErrorCode.BROKER_SHUTTING_DOWN, "the broker is stopping");
    }

    /** A failure of the plain API, with {@code details} beside the usual ones. */
    static StatusRuntimeException plain(String rpc, Plain.Failure failure, Message... details) {
        Code code = codeOf(failure);
        if (code == Code.INTERNAL) {
            LOG.error("{} met an error that it cannot explain: {}", rpc, failure);
        } else {
            LOG.debug("{} fails: {}", rpc, failure);
        }
        ErrorInfo.Builder info = ErrorInfo.newBuilder()
                .setDomain(DOMAIN)
                .setReason(failure.error().name());
        if (failure.kind() == Plain.Failure.Kind.WRITE) {
            info.putMetadata("outcome", outcome(failure));
        }
        Plain.About about = failure.about();
        if (!about.topic().isEmpty()) {
            info.putMetadata("topic", brief(about.topic()));
        }
        putKnown(info, "partition", about.partition());
        putKnown(info, "leader", about.leader());
        putKnown(info, "earliest", about.earliest());
        putKnown(info, "latest", about.latest());
        return status(code, brief(failure.message()), info.build(), details);
    }

    private static void putKnown(ErrorInfo.Builder info, String key, long value) {
        if (value >= 0) {
            info.putMetadata(key, Long.toString(value));
        }
    }

    private static Code codeOf(Plain.Failure failure) {
        if (failure.kind() == Plain.Failure.Kind.READ_OF_LOST) {
            return Code.DATA_LOSS;
        }
        boolean mayBeDone =
                failure.kind() == Plain.Failure.Kind.WRITE && failure.outcome() == ErrorCode.Outcome.UNKNOWN;
        return switch (failure.error()) {
            case INVALID_REQUEST, INVALID_RECORD, INVALID_TIMESTAMP, INVALID_TOPIC, INVALID_REQUIRED_ACKS ->
                Code.INVALID_ARGUMENT;
            case UNKNOWN_TOPIC_OR_PARTITION -> Code.NOT_FOUND;
            case OFFSET_OUT_OF_RANGE -> Code.OUT_OF_RANGE;
            case THROTTLED -> Code.RESOURCE_EXHAUSTED;
            case MESSAGE_TOO_LARGE -> Code.FAILED_PRECONDITION;
            case REQUEST_TIMED_OUT -> mayBeDone ? Code.DEADLINE_EXCEEDED : Code.UNAVAILABLE;
            case CORRUPT_MESSAGE -> Code.DATA_LOSS;
            case UNKNOWN_SERVER_ERROR -> Code.INTERNAL;
            default -> Code.UNAVAILABLE;
        };
    }

    /** A failed attempt of this broker's producers says nothing against the caller's next one, unless the record is at fault. */
    private static String outcome(Plain.Failure failure) {
        if (failure.outcome() == ErrorCode.Outcome.UNKNOWN) {
            return "unknown";
        }
        return switch (codeOf(failure)) {
            case UNAVAILABLE, RESOURCE_EXHAUSTED -> "retry";
            default -> "failed";
        };
    }

    /**
     * A text as it may go to a caller, who may have written a part of it: a status travels in headers, of which clients take
     * 8 KiB, and one that is larger costs a client its whole connection.
     */
    static String brief(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "...";
    }

    private static StatusRuntimeException status(Code code, ErrorCode reason, String message) {
        ErrorInfo info = ErrorInfo.newBuilder()
                .setDomain(DOMAIN)
                .setReason(reason.name())
                .build();
        return status(code, message, info);
    }

    private static StatusRuntimeException status(Code code, String message, ErrorInfo info, Message... details) {
        Status.Builder status = Status.newBuilder()
                .setCode(code.getNumber())
                .setMessage(message)
                .addDetails(Any.pack(info));
        if (code == Code.UNAVAILABLE || code == Code.RESOURCE_EXHAUSTED) {
            status.addDetails(Any.pack(RetryInfo.newBuilder()
                    .setRetryDelay(com.google.protobuf.Duration.newBuilder().setNanos(RETRY_PAUSE_MS * 1_000_000))
                    .build()));
        }
        for (Message detail : details) {
            status.addDetails(Any.pack(detail));
        }
        return StatusProto.toStatusRuntimeException(status.build());
    }
}
