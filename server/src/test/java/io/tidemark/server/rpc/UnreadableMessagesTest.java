package io.tidemark.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import io.tidemark.wire.v1.PlainServiceGrpc;
import io.tidemark.wire.v1.SubscribeRequest;
import io.tidemark.wire.v1.SubscribeResponse;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class UnreadableMessagesTest {
    /** The transport's call, which two threads must not be in. */
    private static final class Transport extends ServerCall<SubscribeRequest, SubscribeResponse> {
        private Runnable whileSending = () -> {};
        private volatile boolean sending;
        private volatile boolean closedWhileSending;
        private volatile @Nullable Status closed;

        @Override
        public void request(int count) {}

        @Override
        public void sendHeaders(Metadata headers) {}

        @Override
        public void sendMessage(SubscribeResponse message) {
            sending = true;
            whileSending.run();
            sending = false;
        }

        @Override
        public void close(Status status, Metadata trailers) {
            closedWhileSending = sending;
            closed = status;
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public MethodDescriptor<SubscribeRequest, SubscribeResponse> getMethodDescriptor() {
            return PlainServiceGrpc.getSubscribeMethod();
        }
    }

    // Fails if: the guard ends the call itself, beside a service that answers on a thread of its own.
    @Test
    void shouldNotEndACallWhileItsServiceSends() throws InterruptedException {
        // given a service that sends while its next message turns out to be none
        Transport transport = new Transport();
        AtomicReference<ServerCall<SubscribeRequest, SubscribeResponse>> answers = new AtomicReference<>();
        ServerCallHandler<SubscribeRequest, SubscribeResponse> service = (call, headers) -> {
            answers.set(call);
            return new ServerCall.Listener<>() {
                @Override
                public void onMessage(SubscribeRequest message) {
                    throw Status.INTERNAL.asRuntimeException();
                }
            };
        };
        ServerCall.Listener<SubscribeRequest> guard =
                new UnreadableMessages().interceptCall(transport, new Metadata(), service);
        Thread reader = new Thread(() -> guard.onMessage(SubscribeRequest.getDefaultInstance()));
        transport.whileSending = () -> {
            reader.start();
            while (transport.closed == null && reader.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
        };

        // when
        answers.get().sendMessage(SubscribeResponse.getDefaultInstance());
        reader.join();

        // then
        assertThat(transport.closed).isNotNull();
        assertThat(transport.closed.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(transport.closedWhileSending).isFalse();
    }
}
