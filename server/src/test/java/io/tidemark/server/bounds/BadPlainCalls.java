package io.tidemark.server.bounds;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.tidemark.wire.v1.PlainHeader;
import io.tidemark.wire.v1.PlainServiceGrpc;
import io.tidemark.wire.v1.PublishRequest;
import io.tidemark.wire.v1.StartAt;
import io.tidemark.wire.v1.SubscribeRequest;
import io.tidemark.wire.v1.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Calls of the plain API, each wrong in one way. */
final class BadPlainCalls {
    private BadPlainCalls() {}

    private static PublishRequest.Builder record() {
        return PublishRequest.newBuilder().setTopic(Topics.TARGET).setValue(ByteString.copyFromUtf8("value"));
    }

    /** Alone, or as a stream's second record. */
    static Attack publish(Distortion<PublishRequest.Builder> distortion) {
        return (victim, random) -> {
            PublishRequest.Builder record = record();
            distortion.apply(record, random);
            if (random.nextBoolean()) {
                return victim.call(PlainServiceGrpc.getPublishMethod(), record.build(), answer -> "OK");
            }
            PublishRequest good = record().setTopic(Topics.ODD).build();
            return victim.call(
                    PlainServiceGrpc.getPublishStreamMethod(),
                    CallOptions.DEFAULT,
                    List.of(good, record.build()),
                    answer -> "OK");
        };
    }

    static Attack publishAlone(Distortion<PublishRequest.Builder> distortion) {
        return (victim, random) -> {
            PublishRequest.Builder record = record();
            distortion.apply(record, random);
            return victim.call(PlainServiceGrpc.getPublishMethod(), record.build(), answer -> "OK");
        };
    }

    static void unknown(PublishRequest.Builder record, Random random) {
        if (random.nextBoolean()) {
            record.setTopic(Topics.unknown(random));
        } else {
            record.setPartition(Topics.beyond(random));
        }
    }

    static void negative(PublishRequest.Builder record, Random random) {
        if (random.nextBoolean()) {
            record.setPartition(Topics.negative(random));
        } else {
            record.setTimestampMs(random.nextBoolean() ? -1 : Long.MIN_VALUE);
        }
    }

    static void later(PublishRequest.Builder record, Random random) {
        record.setTimestampMs(Batches.laterMs(random));
    }

    static void tooLarge(PublishRequest.Builder record, Random random) {
        record.setTopic(Topics.SMALL).setValue(ByteString.copyFrom(new byte[1_000 + random.nextInt(100_000)]));
    }

    static void unknownAcks(PublishRequest.Builder record, Random random) {
        record.setAcksValue(random.nextBoolean() ? Topics.negative(random) : 4 + random.nextInt(1_000));
    }

    /** Odd, and right: whatever may stand in a header. */
    static void oddHeaders(PublishRequest.Builder record, Random random) {
        record.setTopic(Topics.ODD).setTimestampMs(random.nextLong(Batches.PAST_MS));
        record.addHeaders(PlainHeader.getDefaultInstance());
        record.addHeaders(PlainHeader.newBuilder().setKey("\u0000\uffff😀").setValue(ByteString.EMPTY));
        for (int i = 0; i < random.nextInt(2_000); i++) {
            record.addHeaders(PlainHeader.newBuilder().setKey("same").setValue(ByteString.copyFrom(new byte[i % 7])));
        }
    }

    static Attack subscribe(Distortion<Subscription.Builder> distortion) {
        return (victim, random) -> {
            Subscription.Builder start = Subscription.newBuilder().setTopic(Topics.TARGET);
            start.getFromBuilder().setEdge(StartAt.Edge.EDGE_EARLIEST);
            distortion.apply(start, random);
            return subscribe(
                    victim,
                    List.of(SubscribeRequest.newBuilder().setStart(start).build()));
        };
    }

    private static java.util.concurrent.CompletableFuture<String> subscribe(
            Victim victim, List<SubscribeRequest> messages) {
        return victim.call(PlainServiceGrpc.getSubscribeMethod(), CallOptions.DEFAULT, messages, answer -> "records");
    }

    static void unknown(Subscription.Builder start, Random random) {
        if (random.nextBoolean()) {
            start.setTopic(Topics.unknown(random));
        } else {
            start.addPartitionsBuilder().setPartition(Topics.beyond(random));
        }
    }

    static void absurdlyMany(Subscription.Builder start, Random random) {
        for (int i = 0; i < 1_000 + random.nextInt(5_000); i++) {
            start.addPartitionsBuilder().setPartition(1 + i);
        }
    }

    static void malformed(Subscription.Builder start, Random random) {
        switch (random.nextInt(8)) {
            case 0 -> start.setTopic("");
            case 1 -> start.setCreditBytes(random.nextBoolean() ? -1 : Long.MIN_VALUE);
            case 2 -> start.getFromBuilder().clear();
            case 3 -> start.getFromBuilder().setOffset(-1);
            case 4 -> start.getFromBuilder().setTimestampMs(-1);
            case 5 -> start.getFromBuilder().setEdgeValue(random.nextBoolean() ? 0 : Topics.negative(random));
            case 6 -> start.addPartitionsBuilder().setPartition(Topics.negative(random));
            default -> start.setTopic(Topics.tooLong(random));
        }
    }

    /** One partition that begins at two places. */
    static void contradictoryStarts(Subscription.Builder start, Random random) {
        start.addPartitionsBuilder().getFromBuilder().setOffset(random.nextInt(10));
        start.addPartitionsBuilder().getFromBuilder().setEdge(StartAt.Edge.EDGE_LATEST);
    }

    static void beyondTheEnd(Subscription.Builder start, Random random) {
        start.getFromBuilder().setOffset(random.nextBoolean() ? 11 : Long.MAX_VALUE - random.nextInt(10));
    }

    /** Messages out of their order, and credit that cannot be. */
    static Attack outOfTurn() {
        return (victim, random) -> {
            Subscription.Builder start =
                    Subscription.newBuilder().setTopic(Topics.TARGET).setCreditBytes(1_000);
            SubscribeRequest begin =
                    SubscribeRequest.newBuilder().setStart(start).build();
            List<SubscribeRequest> messages = new ArrayList<>();
            switch (random.nextInt(7)) {
                case 0 -> messages.add(credit(1_000));
                case 1 -> messages.add(SubscribeRequest.getDefaultInstance());
                case 2 -> messages.addAll(List.of(begin, begin));
                case 3 -> messages.addAll(List.of(begin, credit(0)));
                case 4 -> messages.addAll(List.of(begin, credit(Long.MIN_VALUE)));
                case 5 -> messages.addAll(List.of(begin, credit(Long.MAX_VALUE)));
                default -> messages.addAll(List.of(begin, SubscribeRequest.getDefaultInstance()));
            }
            return subscribe(victim, messages);
        };
    }

    static Attack nothing() {
        return (victim, random) -> subscribe(victim, List.of());
    }

    static Attack creditUnasked() {
        return (victim, random) -> subscribe(
                victim,
                List.of(
                        SubscribeRequest.newBuilder()
                                .setStart(Subscription.newBuilder().setTopic(Topics.TARGET))
                                .build(),
                        credit(1 + random.nextInt(1_000))));
    }

    private static SubscribeRequest credit(long bytes) {
        SubscribeRequest.Builder message = SubscribeRequest.newBuilder();
        message.getCreditBuilder().setBytes(bytes);
        return message.build();
    }
}
