package io.tidemark.client.net;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.tidemark.model.ErrorCode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is certain after a failed call, and what is not (DESIGN section 7). */
final class StatusMapperTest {
    @ParameterizedTest
    @CsvSource({
        "INVALID_ARGUMENT, INVALID_REQUEST",
        "UNIMPLEMENTED, INVALID_REQUEST",
        "PERMISSION_DENIED, INVALID_REQUEST",
        "INTERNAL, UNKNOWN_SERVER_ERROR",
        "UNKNOWN, UNKNOWN_SERVER_ERROR",
        "DEADLINE_EXCEEDED, REQUEST_TIMED_OUT",
        "UNAVAILABLE, REQUEST_TIMED_OUT",
        "CANCELLED, REQUEST_TIMED_OUT"
    })
    void shouldTellByTheStatus(Status.Code code, ErrorCode error) {
        assertThat(StatusMapper.error(code.toStatus().asRuntimeException())).isEqualTo(error);
    }

    @Test
    void shouldKnowThatNothingWasSentWhereNoConnectionWasMade() {
        assertThat(StatusMapper.error(unavailable(new ConnectException("refused"))))
                .isEqualTo(ErrorCode.BROKER_NOT_AVAILABLE);
        assertThat(StatusMapper.error(unavailable(new RuntimeException(new UnknownHostException("nowhere")))))
                .isEqualTo(ErrorCode.BROKER_NOT_AVAILABLE);
        assertThat(StatusMapper.error(unavailable(new IOException("Connection reset by peer"))))
                .as("it may have been carried out")
                .isEqualTo(ErrorCode.REQUEST_TIMED_OUT);
    }

    @Test
    void shouldTellALargeMessageFromOtherExhaustion() {
        assertThat(StatusMapper.error(Status.RESOURCE_EXHAUSTED
                        .withDescription("gRPC message exceeds maximum size 10: 11")
                        .asRuntimeException()))
                .isEqualTo(ErrorCode.MESSAGE_TOO_LARGE);
        assertThat(StatusMapper.error(Status.RESOURCE_EXHAUSTED
                        .withDescription("HTTP/2 error code: ENHANCE_YOUR_CALM")
                        .asRuntimeException()))
                .isEqualTo(ErrorCode.REQUEST_TIMED_OUT);
    }

    @Test
    void shouldBelieveTheBrokersReasonBeforeTheStatus() {
        assertThat(StatusMapper.error(withReason("tidemark", "BROKER_SHUTTING_DOWN")))
                .isEqualTo(ErrorCode.BROKER_SHUTTING_DOWN);
        assertThat(StatusMapper.error(withReason("tidemark", "OF_A_LATER_VERSION")))
                .isEqualTo(ErrorCode.REQUEST_TIMED_OUT);
        assertThat(StatusMapper.error(withReason("elsewhere", "INVALID_TOPIC"))).isEqualTo(ErrorCode.REQUEST_TIMED_OUT);
        assertThat(StatusMapper.error(withReason("tidemark", "NONE")))
                .as("a failure is never a success")
                .isEqualTo(ErrorCode.REQUEST_TIMED_OUT);
    }

    private static StatusRuntimeException unavailable(Throwable cause) {
        return Status.UNAVAILABLE.withCause(cause).asRuntimeException();
    }

    private static StatusRuntimeException withReason(String domain, String reason) {
        return StatusProto.toStatusRuntimeException(com.google.rpc.Status.newBuilder()
                .setCode(Status.Code.UNAVAILABLE.value())
                .addDetails(Any.pack(ErrorInfo.newBuilder()
                        .setDomain(domain)
                        .setReason(reason)
                        .build()))
                .build());
    }
}
