package io.tidemark.server.bounds;

import com.google.protobuf.ByteString;
import io.tidemark.wire.v1.Acks;
import io.tidemark.wire.v1.PartitionProduce;
import io.tidemark.wire.v1.ProduceRequest;
import java.util.Random;
import java.util.function.Function;

/** Requests of the produce stream, each wrong in one way. */
final class BadProduces {
    private BadProduces() {}

    private static PartitionProduce.Builder part(ByteString batches) {
        return PartitionProduce.newBuilder()
                .setTopic(Topics.TARGET)
                .setLeaderEpoch(-1)
                .setBatches(batches);
    }

    private static ProduceRequest.Builder request(PartitionProduce.Builder... parts) {
        ProduceRequest.Builder request =
                ProduceRequest.newBuilder().setAcks(Acks.ACKS_ALL).setTimeoutMs(10_000);
        for (PartitionProduce.Builder part : parts) {
            request.addPartitions(part);
        }
        return request;
    }

    /** A good request with bad bytes in it. */
    static Attack batch(Function<Random, ByteString> bytes) {
        return (victim, random) -> victim.produce(request(part(bytes.apply(random))));
    }

    /** Good bytes in a part that is not. */
    static Attack part(Distortion<PartitionProduce.Builder> distortion) {
        return (victim, random) -> {
            PartitionProduce.Builder part = part(Batches.three());
            distortion.apply(part, random);
            return victim.produce(request(part));
        };
    }

    static Attack request(Distortion<ProduceRequest.Builder> distortion) {
        return (victim, random) -> {
            ProduceRequest.Builder request = request(part(Batches.three()));
            distortion.apply(request, random);
            return victim.produce(request);
        };
    }

    static void repeat(ProduceRequest.Builder request, Random random) {
        for (int i = 0; i <= random.nextInt(5); i++) {
            request.addPartitions(request.getPartitions(0));
        }
    }

    static void tooLarge(PartitionProduce.Builder part, Random random) {
        part.setTopic(Topics.SMALL).setBatches(ByteString.copyFrom(Batches.good(100 + random.nextInt(1_000))));
    }

    static void noPartition(PartitionProduce.Builder part, Random random) {
        if (random.nextBoolean()) {
            part.setTopic("");
        } else {
            part.setPartition(Topics.negative(random));
        }
    }

    static void unknown(PartitionProduce.Builder part, Random random) {
        if (random.nextBoolean()) {
            part.setTopic(Topics.unknown(random));
        } else {
            part.setPartition(Topics.beyond(random));
        }
    }

    static void besideAGoodOne(ProduceRequest.Builder request, Random random) {
        request.getPartitionsBuilder(0).setBatches(Batches.lyingCounts(random));
        request.addPartitions(part(Batches.three()).setTopic(Topics.ODD));
    }
}
