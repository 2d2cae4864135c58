package io.tidemark.client.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.tidemark.model.Endpoint;
import io.tidemark.model.TopicPartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A channel that notes by when each call must be answered. */
final class CallDeadlineTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final TopicPartition PARTITION = new TopicPartition("orders", 0);

    private final Noting channel = new Noting();
    private final GrpcBrokerConnection connection =
            new GrpcBrokerConnection(channel, new Endpoint("broker", 1), TIMEOUT);

    /** The calls that have one answer. */
    private enum Unary {
        METADATA(to -> to.metadata(new Wire.MetadataCall(List.of(), Wire.MetadataCall.Scope.NAMED), reply -> {})),
        PRODUCER_ID(to -> to.initProducerId(reply -> {})),
        OFFSETS(to ->
                to.listOffsets(List.of(new Wire.OffsetQuery(PARTITION, -1, Wire.LogPosition.LATEST)), reply -> {})),
        CREATE(to -> to.createTopic(new Wire.TopicCreation("orders", 1, 1, new TreeMap<>()), reply -> {})),
        DELETE(to -> to.deleteTopic("orders", reply -> {})),
        TRANSFER(to -> to.transferLeader(PARTITION, 1, reply -> {})),
        DELETE_RECORDS(to -> to.deleteRecords(PARTITION, 1, reply -> {}));

        private final Consumer<BrokerConnection> call;

        Unary(Consumer<BrokerConnection> call) {
            this.call = call;
        }
    }

    private static final class Noting extends ManagedChannel {
        private final List<Deadline> deadlines = new ArrayList<>();

        @Override
        public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
            deadlines.add(options.getDeadline());
            return new ClientCall<>() {
                @Override
                public void start(Listener<A> listener, Metadata headers) {}

                @Override
                public void request(int count) {}

                @Override
                public void cancel(@Nullable String message, @Nullable Throwable cause) {}

                @Override
                public void halfClose() {}

                @Override
                public void sendMessage(Q message) {}
            };
        }

        @Override
        public String authority() {
            return "broker:1";
        }

        @Override
        public ManagedChannel shutdown() {
            return this;
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public ManagedChannel shutdownNow() {
            return this;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return true;
        }
    }

    // KNOWN_BUGS 43, first half: a client that is kept for longer than its call timeout can still call.
    // Fails if: the deadline is set once, on a stub that all calls share.
    @ParameterizedTest
    @EnumSource
    void shouldCountTheTimeOfEachCallFromItsOwnBeginning(Unary kind) {
        // given
        kind.call.accept(connection);
        Deadline first = channel.deadlines.get(0);
        while (!first.isBefore(Deadline.after(TIMEOUT.toNanos(), TimeUnit.NANOSECONDS))) {
            Thread.onSpinWait();
        }

        // when
        kind.call.accept(connection);

        // then
        assertThat(channel.deadlines).hasSize(2).doesNotContainNull();
        Deadline second = channel.deadlines.get(1);
        assertThat(first.isBefore(second)).isTrue();
        assertThat(second.timeRemaining(TimeUnit.NANOSECONDS)).isPositive().isLessThanOrEqualTo(TIMEOUT.toNanos());
    }
}
