package io.tidemark.server.plain;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.rpc.ErrorInfo;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import io.tidemark.wire.v1.PlainServiceGrpc;
import io.tidemark.wire.v1.PublishRequest;
import io.tidemark.wire.v1.PublishResponse;
import io.tidemark.wire.v1.PublishStreamResponse;
import io.tidemark.wire.v1.StartAt;
import io.tidemark.wire.v1.SubscribeRequest;
import io.tidemark.wire.v1.SubscribeResponse;
import io.tidemark.wire.v1.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Callers of the plain API of one broker: for each partition one that publishes record by record, one stream of records into all
 * partitions, and one subscriber of all. Each record's value is its own name.
 */
final class Traffic {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int CALL_LIMIT_S = 40;
    /** How far the stream may be ahead of the subscriber. */
    private static final int AHEAD = 300;

    private static final int NEWS_MS = 100;

    private final String topic;
    private final int partitions;
    private final PlainServiceGrpc.PlainServiceBlockingStub calls;
    private final PlainServiceGrpc.PlainServiceStub streams;
    private final Seen seen = new Seen();
    private final List<Caller> callers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Uploads upload = new Uploads();
    private volatile boolean over;

    Traffic(Channel broker, String topic, int partitions) {
        this.topic = topic;
        this.partitions = partitions;
        this.calls = PlainServiceGrpc.newBlockingStub(broker);
        this.streams = PlainServiceGrpc.newStub(broker);
    }

    /** What the subscriber was sent. */
    private static final class Seen implements StreamObserver<SubscribeResponse> {
        private final SortedMap<Integer, List<String>> values = new TreeMap<>();
        private final SortedMap<Integer, Map<String, Long>> offsets = new TreeMap<>();
        private final AtomicLong uploaded = new AtomicLong();
        private volatile @Nullable String end;

        /** Waits a moment for news if the stream is that far ahead. */
        synchronized void holdBack(long sent) {
            try {
                if (sent - uploaded.get() >= AHEAD) {
                    wait(NEWS_MS);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public synchronized void onNext(SubscribeResponse response) {
            List<String> of = values.computeIfAbsent(response.getPartition(), number -> new ArrayList<>());
            Map<String, Long> at = offsets.computeIfAbsent(response.getPartition(), number -> new LinkedHashMap<>());
            response.getRecordsList().forEach(record -> {
                String value = record.getValue().toStringUtf8();
                of.add(value);
                at.putIfAbsent(value, record.getOffset());
                if (value.startsWith("stream")) {
                    uploaded.incrementAndGet();
                }
            });
            notifyAll();
        }

        synchronized List<String> values(int partition) {
            return new ArrayList<>(values.getOrDefault(partition, List.of()));
        }

        synchronized @Nullable Long offset(int partition, String value) {
            return offsets.getOrDefault(partition, Map.of()).get(value);
        }

        @Override
        public void onError(Throwable failure) {
            end = failure.toString();
        }

        @Override
        public void onCompleted() {
            end = "completed";
        }
    }

    /** Publishes one record after the other into a partition. */
    private final class Caller implements Runnable {
        private final int partition;
        private final Map<String, Long> acknowledged = new ConcurrentHashMap<>();
        private final List<String> wrong = new CopyOnWriteArrayList<>();

        Caller(int partition) {
            this.partition = partition;
        }

        @Override
        public void run() {
            for (int number = 0; !over; number++) {
                publish("call-" + partition + "-" + String.format("%06d", number));
            }
        }

        private void publish(String value) {
            try {
                PublishResponse answer =
                        calls.withDeadlineAfter(CALL_LIMIT_S, TimeUnit.SECONDS).publish(record(partition, value));
                acknowledged.put(value, answer.getOffset());
            } catch (StatusRuntimeException e) {
                // Whoever learns nothing goes on with the next, so that nothing is there twice.
                if (!outcome(e).equals("unknown")) {
                    wrong.add(value + ": " + e);
                }
            }
        }
    }

    /** The stream of records: one at a time, not far ahead of the subscriber. */
    private final class Uploads implements Runnable, StreamObserver<PublishStreamResponse> {
        private final CompletableFuture<PublishStreamResponse> answer = new CompletableFuture<>();
        private final List<String> sent = new ArrayList<>();

        @Override
        public void run() {
            StreamObserver<PublishRequest> records = streams.publishStream(this);
            while (!over && !answer.isDone()) {
                if (sent.size() - seen.uploaded.get() >= AHEAD) {
                    seen.holdBack(sent.size());
                } else {
                    String value = "stream-" + String.format("%06d", sent.size());
                    sent.add(value);
                    records.onNext(record(sent.size() % partitions, value));
                }
            }
            records.onCompleted();
        }

        @Override
        public void onNext(PublishStreamResponse response) {
            answer.complete(response);
        }

        @Override
        public void onError(Throwable failure) {
            answer.completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {}
    }

    private PublishRequest record(int partition, String value) {
        return PublishRequest.newBuilder()
                .setTopic(topic)
                .setPartition(partition)
                .setValue(ByteString.copyFromUtf8(value))
                .build();
    }

    private static String outcome(StatusRuntimeException failure) {
        com.google.rpc.Status status = StatusProto.fromThrowable(failure);
        try {
            return status.getDetails(0).unpack(ErrorInfo.class).getMetadataOrDefault("outcome", "");
        } catch (com.google.protobuf.InvalidProtocolBufferException | IndexOutOfBoundsException e) {
            return "";
        }
    }

    void begin() {
        StreamObserver<SubscribeRequest> subscriber = streams.subscribe(seen);
        subscriber.onNext(SubscribeRequest.newBuilder()
                .setStart(Subscription.newBuilder()
                        .setTopic(topic)
                        .setFrom(StartAt.newBuilder().setEdge(StartAt.Edge.EDGE_EARLIEST)))
                .build());
        for (int partition = 0; partition < partitions; partition++) {
            callers.add(new Caller(partition));
        }
        callers.forEach(caller -> threads.add(new Thread(caller, "caller-" + caller.partition)));
        threads.add(new Thread(upload, "upload"));
        threads.forEach(Thread::start);
    }

    /** How far everybody is: records acknowledged to each caller, and of the stream those that the subscriber was sent. */
    SortedMap<String, Long> progress() {
        SortedMap<String, Long> progress = new TreeMap<>();
        callers.forEach(caller -> progress.put("caller " + caller.partition, (long) caller.acknowledged.size()));
        progress.put("stream", seen.uploaded.get());
        return progress;
    }

    /** Whether everybody has got on by so many records. */
    boolean isFurther(SortedMap<String, Long> before, int records) {
        return progress().entrySet().stream()
                .allMatch(each -> each.getValue() - before.getOrDefault(each.getKey(), 0L) >= records);
    }

    /** Publishes no more; returns when everything is answered. */
    void end() throws Exception {
        over = true;
        for (Thread thread : threads) {
            thread.join(PATIENCE.toMillis());
            assertThat(thread.isAlive()).as("%s hangs", thread.getName()).isFalse();
        }
        PublishStreamResponse streamed = upload.answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(streamed.getAcknowledged()).isEqualTo(upload.sent.size());
    }

    /** Whether the subscriber was sent everything that was acknowledged. */
    boolean isWhole() {
        return seen.uploaded.get() >= upload.sent.size()
                && callers.stream()
                        .allMatch(caller -> caller.acknowledged.keySet().stream()
                                .allMatch(value -> seen.offset(caller.partition, value) != null));
    }

    /** Requires that everything was seen once, in order, where it was said to be. */
    void requireOnceAndInOrder() {
        for (Caller caller : callers) {
            assertThat(caller.wrong).isEmpty();
            caller.acknowledged.forEach((value, offset) ->
                    assertThat(seen.offset(caller.partition, value)).as(value).isEqualTo(offset));
            requireOrder(caller.partition);
        }
        assertThat(seen.end).as("the subscriber goes on by itself").isNull();
    }

    private void requireOrder(int partition) {
        List<String> all = seen.values(partition);
        assertThat(all).as("partition %d, once each", partition).doesNotHaveDuplicates();
        for (String kind : List.of("call", "stream")) {
            List<String> of =
                    all.stream().filter(value -> value.startsWith(kind)).toList();
            assertThat(of).as("partition %d, in order", partition).isSorted();
        }
    }
}
