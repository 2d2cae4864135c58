package io.tidemark.client.net;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import io.tidemark.model.ErrorCode;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.Optional;

/**
 * What the status of a whole call says: failed for certain, or outcome unknown (DESIGN section 7). Pure.
 *
 * <pre>
 *   status                                                     error
 *   with a google.rpc.ErrorInfo of domain "tidemark"           its reason, whatever the status
 *   any, caused by an attempt to connect that failed           BROKER_NOT_AVAILABLE: certainly not sent
 *   RESOURCE_EXHAUSTED by the limit of a message               MESSAGE_TOO_LARGE
 *   INVALID_ARGUMENT, UNIMPLEMENTED, FAILED_PRECONDITION,
 *   OUT_OF_RANGE, UNAUTHENTICATED, PERMISSION_DENIED,
 *   NOT_FOUND, ALREADY_EXISTS                                  INVALID_REQUEST
 *   INTERNAL, UNKNOWN, DATA_LOSS                               UNKNOWN_SERVER_ERROR
 *   any other: no answer in time, a connection that broke      REQUEST_TIMED_OUT: may have been carried out
 * </pre>
 */
final class StatusMapper {
    private static final String DOMAIN = "tidemark";

    /** By which gRPC's own refusal of a message is told from others of the same status, on both sides. */
    private static final String MESSAGE_LIMIT = "exceeds maximum size";

    private static final int MAX_CAUSES = 10;

    private StatusMapper() {}

    /** The error of a call that ended with that failure; never NONE. */
    static ErrorCode error(Throwable failure) {
        Optional<ErrorCode> reason = reason(failure);
        if (reason.isPresent()) {
            return reason.get();
        }
        if (neverSent(failure)) {
            return ErrorCode.BROKER_NOT_AVAILABLE;
        }
        Status status = Status.fromThrowable(failure);
        return switch (status.getCode()) {
            case RESOURCE_EXHAUSTED ->
                String.valueOf(status.getDescription()).contains(MESSAGE_LIMIT)
                        ? ErrorCode.MESSAGE_TOO_LARGE
                        : ErrorCode.REQUEST_TIMED_OUT;
            case INVALID_ARGUMENT,
                    UNIMPLEMENTED,
                    FAILED_PRECONDITION,
                    OUT_OF_RANGE,
                    UNAUTHENTICATED,
                    PERMISSION_DENIED,
                    NOT_FOUND,
                    ALREADY_EXISTS -> ErrorCode.INVALID_REQUEST;
            case INTERNAL, UNKNOWN, DATA_LOSS -> ErrorCode.UNKNOWN_SERVER_ERROR;
            default -> ErrorCode.REQUEST_TIMED_OUT;
        };
    }

    /** The status in words. */
    static String message(Throwable failure) {
        Status status = Status.fromThrowable(failure);
        String description = status.getDescription();
        return description == null ? status.getCode().toString() : status.getCode() + ", " + description;
    }

    private static Optional<ErrorCode> reason(Throwable failure) {
        com.google.rpc.Status details = StatusProto.fromThrowable(failure);
        if (details == null) {
            return Optional.empty();
        }
        for (Any detail : details.getDetailsList()) {
            if (detail.is(ErrorInfo.class)) {
                try {
                    ErrorInfo info = detail.unpack(ErrorInfo.class);
                    return DOMAIN.equals(info.getDomain()) ? named(info.getReason()) : Optional.empty();
                } catch (InvalidProtocolBufferException e) {
                    return Optional.empty();
                }
            }
        }
        return Optional.empty();
    }

    /** A newer broker may know reasons that this client does not: then the status has to do. */
    private static Optional<ErrorCode> named(String reason) {
        for (ErrorCode error : ErrorCode.values()) {
            if (error != ErrorCode.NONE && error.name().equals(reason)) {
                return Optional.of(error);
            }
        }
        return Optional.empty();
    }

    /** Whether the call ended because no connection could be made: then nothing of it reached anybody. */
    static boolean neverSent(Throwable failure) {
        Throwable cause = Status.fromThrowable(failure).getCause();
        for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
            if (cause instanceof ConnectException
                    || cause instanceof NoRouteToHostException
                    || cause instanceof UnknownHostException) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }
}
