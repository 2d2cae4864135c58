package io.tidemark.server.bounds;

import io.tidemark.wire.v1.FetchPartition;
import io.tidemark.wire.v1.FetchRequest;
import io.tidemark.wire.v1.FetchServiceGrpc;
import io.tidemark.wire.v1.ListOffsetsPartition;
import io.tidemark.wire.v1.ListOffsetsRequest;
import io.tidemark.wire.v1.ListOffsetsResult;
import io.tidemark.wire.v1.MetadataRequest;
import io.tidemark.wire.v1.MetadataServiceGrpc;
import io.tidemark.wire.v1.TopicMetadata;
import java.util.Random;

/** Requests of the fetch stream, and for offsets and metadata, each wrong in one way. */
final class BadReads {
    private static final int RECORDS = 10;

    private BadReads() {}

    private static FetchPartition.Builder entry() {
        return FetchPartition.newBuilder()
                .setTopic(Topics.TARGET)
                .setCurrentLeaderEpoch(-1)
                .setLastFetchedEpoch(-1)
                .setMaxBytes(1 << 20);
    }

    static Attack entry(Distortion<FetchPartition.Builder> distortion) {
        return (victim, random) -> {
            FetchPartition.Builder entry = entry();
            distortion.apply(entry, random);
            return victim.fetch(FetchRequest.newBuilder().setMaxBytes(1 << 20).addPartitions(entry));
        };
    }

    static Attack fetch(Distortion<FetchRequest.Builder> distortion) {
        return (victim, random) -> {
            FetchRequest.Builder request =
                    FetchRequest.newBuilder().setMaxBytes(1 << 20).addPartitions(entry());
            distortion.apply(request, random);
            return victim.fetch(request);
        };
    }

    static void noPartition(FetchPartition.Builder entry, Random random) {
        if (random.nextBoolean()) {
            entry.setTopic("");
        } else {
            entry.setPartition(Topics.negative(random));
        }
    }

    static void unknown(FetchPartition.Builder entry, Random random) {
        if (random.nextBoolean()) {
            entry.setTopic(Topics.unknown(random));
        } else {
            entry.setPartition(Topics.beyond(random));
        }
    }

    static void negative(FetchPartition.Builder entry, Random random) {
        if (random.nextBoolean()) {
            entry.setFetchOffset(random.nextBoolean() ? -1 : Long.MIN_VALUE);
        } else {
            entry.setMaxBytes(Topics.negative(random));
        }
    }

    static void negative(FetchRequest.Builder request, Random random) {
        switch (random.nextInt(3)) {
            case 0 -> request.setMaxWaitMs(Topics.negative(random));
            case 1 -> request.setMinBytes(Topics.negative(random));
            default -> request.setMaxBytes(Topics.negative(random));
        }
    }

    static void beyondTheEnd(FetchPartition.Builder entry, Random random) {
        entry.setFetchOffset(random.nextBoolean() ? RECORDS + 1 : Long.MAX_VALUE - random.nextInt(10));
    }

    static void newerThanAny(FetchPartition.Builder entry, Random random) {
        entry.setFetchOffset(RECORDS).setLastFetchedEpoch(Topics.beyond(random));
    }

    static void noEpoch(FetchPartition.Builder entry, Random random) {
        if (random.nextBoolean()) {
            entry.setCurrentLeaderEpoch(Topics.noEpoch(random));
        } else {
            entry.setLastFetchedEpoch(Topics.noEpoch(random));
        }
    }

    /** As much as there is, without a wait: wants more than anybody has, and gets what there is. */
    static void absurdSizes(FetchRequest.Builder request, Random random) {
        request.setMinBytes(Integer.MAX_VALUE).setMaxBytes(random.nextBoolean() ? Integer.MAX_VALUE : 0);
        request.getPartitionsBuilder(0).setMaxBytes(Integer.MAX_VALUE);
    }

    static void absurdlyMany(FetchRequest.Builder request, Random random) {
        request.clearPartitions();
        for (int i = 0; i < 5_000 + random.nextInt(5_000); i++) {
            request.addPartitions(entry().setPartition(1 + i));
        }
    }

    static Attack offsets(Distortion<ListOffsetsPartition.Builder> distortion) {
        return (victim, random) -> {
            ListOffsetsPartition.Builder part = ListOffsetsPartition.newBuilder()
                    .setTopic(Topics.TARGET)
                    .setCurrentLeaderEpoch(-1)
                    .setPosition(ListOffsetsPartition.Position.forNumber(1 + random.nextInt(3)));
            distortion.apply(part, random);
            return victim.call(
                    FetchServiceGrpc.getListOffsetsMethod(),
                    ListOffsetsRequest.newBuilder().addPartitions(part).build(),
                    response -> Victim.codes(response.getResultsList().stream().map(ListOffsetsResult::getError)));
        };
    }

    static void noPartition(ListOffsetsPartition.Builder part, Random random) {
        if (random.nextBoolean()) {
            part.setTopic("");
        } else {
            part.setPartition(Topics.negative(random));
        }
    }

    static void unknown(ListOffsetsPartition.Builder part, Random random) {
        if (random.nextBoolean()) {
            part.setTopic(Topics.unknown(random));
        } else {
            part.setPartition(Topics.beyond(random));
        }
    }

    static void noPlace(ListOffsetsPartition.Builder part, Random random) {
        if (random.nextBoolean()) {
            part.setPositionValue(random.nextBoolean() ? 0 : Topics.negative(random));
        } else {
            part.setPosition(ListOffsetsPartition.Position.POSITION_TIMESTAMP).setTimestampMs(-1L - random.nextInt());
            part.setTimestampMs(-1L - random.nextInt(Integer.MAX_VALUE));
        }
    }

    static Attack metadata() {
        return (victim, random) -> {
            MetadataRequest.Builder request = MetadataRequest.newBuilder();
            for (int i = 0; i < 1 + random.nextInt(1_000); i++) {
                request.addTopics(Topics.unknown(random));
            }
            return victim.call(
                    MetadataServiceGrpc.getMetadataMethod(),
                    request.addTopics("").addTopics("x".repeat(10_000)).build(),
                    response -> Victim.codes(response.getTopicsList().stream().map(TopicMetadata::getError)));
        };
    }
}
