package io.tidemark.server.rpc;

import io.grpc.ForwardingServerCall;
import io.grpc.ForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.InputStream;

/**
 * Bytes that are no message of their method, and messages that are too large once decompressed, are the caller's fault and end
 * the call so: INVALID_ARGUMENT, or RESOURCE_EXHAUSTED. gRPC alone takes them for a failure of the service, says UNKNOWN and
 * logs a stack for each.
 *
 * <p>Messages reach this as the streams that they come in, and are parsed behind it; nothing is copied for that.
 */
final class UnreadableMessages implements ServerInterceptor {
    UnreadableMessages() {}

    /** The service, guarded. */
    static ServerServiceDefinition refusedBy(ServerServiceDefinition service) {
        return ServerInterceptors.intercept(
                ServerInterceptors.useMarshalledMessages(service, new AsTheyCome()), new UnreadableMessages());
    }

    /**
     * Passes streams through. gRPC's own marshaller for that buffers those that cannot be read twice, so that answers would be
     * copied once more on their way out.
     */
    private static final class AsTheyCome implements MethodDescriptor.Marshaller<InputStream> {
        @Override
        public InputStream stream(InputStream message) {
            return message;
        }

        @Override
        public InputStream parse(InputStream message) {
            return message;
        }
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        ServerCall<Q, A> serial = new OneAtATime<>(call);
        return new Guard<>(serial, next.startCall(serial, headers));
    }

    /**
     * A call is no thread's in particular: a service answers from its own threads, while the guard may end the call on the
     * transport's.
     */
    private static final class OneAtATime<Q, A> extends ForwardingServerCall.SimpleForwardingServerCall<Q, A> {
        private final Object lock = new Object();

        OneAtATime(ServerCall<Q, A> call) {
            super(call);
        }

        @Override
        public void sendHeaders(Metadata headers) {
            synchronized (lock) {
                super.sendHeaders(headers);
            }
        }

        @Override
        public void sendMessage(A message) {
            synchronized (lock) {
                super.sendMessage(message);
            }
        }

        @Override
        public void close(Status status, Metadata trailers) {
            synchronized (lock) {
                super.close(status, trailers);
            }
        }
    }

    /** Lives on the call's own thread, as every listener does. */
    private static final class Guard<Q> extends ForwardingServerCallListener.SimpleForwardingServerCallListener<Q> {
        private final ServerCall<Q, ?> call;
        private boolean ended;

        Guard(ServerCall<Q, ?> call, ServerCall.Listener<Q> service) {
            super(service);
            this.call = call;
        }

        @Override
        public void onMessage(Q message) {
            if (ended) {
                return;
            }
            try {
                super.onMessage(message);
            } catch (StatusRuntimeException e) {
                refuse(e);
            }
        }

        /** To the service it is a call that was cancelled: it lets go of what it holds, and answers no more. */
        private void refuse(StatusRuntimeException found) {
            ended = true;
            super.onCancel();
            String rpc = call.getMethodDescriptor().getBareMethodName();
            StatusRuntimeException told = found.getStatus().getCode() == Status.Code.RESOURCE_EXHAUSTED
                    ? found
                    : Errors.failed(
                            String.valueOf(rpc),
                            new MalformedRequestException(
                                    new IllegalArgumentException("the bytes are no message of " + rpc)));
            Metadata trailers = told.getTrailers();
            call.close(told.getStatus(), trailers == null ? new Metadata() : trailers);
        }

        @Override
        public void onHalfClose() {
            if (!ended) {
                super.onHalfClose();
            }
        }

        @Override
        public void onReady() {
            if (!ended) {
                super.onReady();
            }
        }

        @Override
        public void onCancel() {
            if (!ended) {
                super.onCancel();
            }
        }

        @Override
        public void onComplete() {
            if (!ended) {
                super.onComplete();
            }
        }
    }
}
