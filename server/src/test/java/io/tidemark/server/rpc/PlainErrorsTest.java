package io.tidemark.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.tidemark.model.ErrorCode;
import io.tidemark.server.rpc.Plain.Failure.Kind;
import io.tidemark.wire.v1.PublishProgress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table in {@code plain.proto}. */
final class PlainErrorsTest {
    private static Plain.Failure failure(Kind kind, ErrorCode error, ErrorCode.Outcome outcome) {
        return new Plain.Failure(kind, error, outcome, "why", new Plain.About("a", 3, 7, 10, 20));
    }

    private static List<Any> details(StatusRuntimeException status) {
        com.google.rpc.Status proto = StatusProto.fromThrowable(status);
        assertThat(proto).isNotNull();
        return proto.getDetailsList();
    }

    private static ErrorInfo info(StatusRuntimeException status) throws Exception {
        return details(status).get(0).unpack(ErrorInfo.class);
    }

    @ParameterizedTest
    @CsvSource({
        "INVALID_REQUEST, FAILED, INVALID_ARGUMENT, failed",
        "UNKNOWN_TOPIC_OR_PARTITION, FAILED_RETRY, NOT_FOUND, failed",
        "THROTTLED, FAILED_RETRY, RESOURCE_EXHAUSTED, retry",
        "MESSAGE_TOO_LARGE, FAILED, FAILED_PRECONDITION, failed",
        "LEADER_NOT_AVAILABLE, FAILED_RETRY, UNAVAILABLE, retry",
        "NOT_ENOUGH_REPLICAS, FAILED, UNAVAILABLE, retry",
        "NOT_ENOUGH_REPLICAS_AFTER_APPEND, UNKNOWN, UNAVAILABLE, unknown",
        "BROKER_SHUTTING_DOWN, FAILED_RETRY, UNAVAILABLE, retry",
        "REQUEST_TIMED_OUT, UNKNOWN, DEADLINE_EXCEEDED, unknown",
        "REQUEST_TIMED_OUT, FAILED, UNAVAILABLE, retry",
        "MESSAGE_TOO_LARGE, UNKNOWN, FAILED_PRECONDITION, unknown",
        "UNKNOWN_SERVER_ERROR, UNKNOWN, INTERNAL, unknown"
    })
    void shouldGiveAWriteItsStatusAndOutcome(ErrorCode error, ErrorCode.Outcome outcome, Status.Code code, String text)
            throws Exception {
        StatusRuntimeException status = Errors.plain("Publish", failure(Kind.WRITE, error, outcome));
        assertThat(status.getStatus().getCode()).isEqualTo(code);
        ErrorInfo info = info(status);
        assertThat(info.getDomain()).isEqualTo("tidemark");
        assertThat(info.getReason()).isEqualTo(error.name());
        assertThat(info.getMetadataMap())
                .containsEntry("outcome", text)
                .containsEntry("topic", "a")
                .containsEntry("partition", "3")
                .containsEntry("leader", "7");
        boolean retry = code == Status.Code.UNAVAILABLE || code == Status.Code.RESOURCE_EXHAUSTED;
        assertThat(details(status).stream().anyMatch(detail -> detail.is(RetryInfo.class)))
                .isEqualTo(retry);
    }

    @Test
    void shouldTellTheValidRange() throws Exception {
        StatusRuntimeException status =
                Errors.plain("Subscribe", failure(Kind.READ, ErrorCode.OFFSET_OUT_OF_RANGE, ErrorCode.Outcome.FAILED));
        assertThat(status.getStatus().getCode()).isEqualTo(Status.Code.OUT_OF_RANGE);
        assertThat(info(status).getMetadataMap())
                .containsEntry("earliest", "10")
                .containsEntry("latest", "20")
                .doesNotContainKey("outcome");
    }

    @Test
    void shouldCallALogThatWasCutDataLoss() {
        StatusRuntimeException status = Errors.plain(
                "Subscribe", failure(Kind.READ_OF_LOST, ErrorCode.OFFSET_OUT_OF_RANGE, ErrorCode.Outcome.FAILED));
        assertThat(status.getStatus().getCode()).isEqualTo(Status.Code.DATA_LOSS);
    }

    @Test
    void shouldCarryFurtherDetails() throws Exception {
        PublishProgress progress =
                PublishProgress.newBuilder().setFirstUnacknowledged(4).build();
        StatusRuntimeException status = Errors.plain(
                "PublishStream", failure(Kind.WRITE, ErrorCode.MESSAGE_TOO_LARGE, ErrorCode.Outcome.FAILED), progress);
        List<Any> details = details(status);
        assertThat(details.get(details.size() - 1).unpack(PublishProgress.class))
                .isEqualTo(progress);
    }
}
