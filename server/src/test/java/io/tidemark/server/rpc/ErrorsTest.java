package io.tidemark.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.ErrorInfo;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.tidemark.core.runtime.KafkaStorageException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

final class ErrorsTest {
    private static String reason(StatusRuntimeException failure) throws Exception {
        com.google.rpc.Status status = StatusProto.fromThrowable(failure);
        ErrorInfo info = status.getDetails(0).unpack(ErrorInfo.class);
        assertThat(info.getDomain()).isEqualTo("tidemark");
        return info.getReason();
    }

    @Test
    void shouldTellTheCallerOfItsOwnFault() throws Exception {
        StatusRuntimeException failure =
                Errors.failed("Produce", new MalformedRequestException(new IllegalArgumentException("what is wrong")));
        assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(failure.getStatus().getDescription()).isEqualTo("what is wrong");
        assertThat(reason(failure)).isEqualTo("INVALID_REQUEST");
    }

    @Test
    void shouldTellUnknownOutcomeFromFailure() throws Exception {
        StatusRuntimeException failure = Errors.failed("CreateTopic", new TimeoutException("too late"));
        assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
        assertThat(reason(failure)).isEqualTo("REQUEST_TIMED_OUT");
    }

    @Test
    void shouldNotTellTheInsideOfABug() throws Exception {
        // A plain IllegalArgumentException is a bug of ours: only what a mapper threw is the caller's.
        StatusRuntimeException failure = Errors.failed("Fetch", new IllegalArgumentException("/data/secret"));
        assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.INTERNAL);
        assertThat(failure.getStatus().getDescription()).doesNotContain("secret");
        assertThat(reason(failure)).isEqualTo("UNKNOWN_SERVER_ERROR");
    }

    @Test
    void shouldCallAStorageFailureUnavailable() throws Exception {
        StatusRuntimeException failure = Errors.failed("Fetch", new KafkaStorageException("cannot read /data/x"));
        assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(failure.getStatus().getDescription()).doesNotContain("/data");
        assertThat(reason(failure)).isEqualTo("KAFKA_STORAGE_ERROR");
    }

    @Test
    void shouldLeaveAStatusAsItIs() {
        StatusRuntimeException status = Status.NOT_FOUND.withDescription("x").asRuntimeException();
        assertThat(Errors.failed("Fetch", status)).isSameAs(status);
    }
}
