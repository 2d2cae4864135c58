package io.tidemark.server.bounds;

import io.tidemark.wire.v1.AdminServiceGrpc;
import io.tidemark.wire.v1.AlterTopicRequest;
import io.tidemark.wire.v1.CreateTopicRequest;
import io.tidemark.wire.v1.DeleteRecordsRequest;
import io.tidemark.wire.v1.DeleteTopicRequest;
import io.tidemark.wire.v1.TopicPartition;
import io.tidemark.wire.v1.TransferLeaderRequest;
import java.util.Random;

/** Changes of the cluster that must not be made. */
final class BadAdminCalls {
    private static final String[] ILLEGAL_NAMES = {
        "", ".", "..", "a b", "a/b", "../up", "é", "tab\t", "nul\u0000", "a:b", "😀"
    };
    private static final String[][] BAD_SETTINGS = {
        {"no.such.key", "1"},
        {"", ""},
        {"max.message.bytes", "-1"},
        {"max.message.bytes", "many"},
        {"retention.ms", "9223372036854775808"},
        {"min.insync.replicas", "0"},
        {"min.insync.replicas", "101"},
        {"segment.bytes", "0"},
        {"cleanup.policy", "keep"},
        {"unclean.leader.election.enable", "TRUE"},
    };

    private BadAdminCalls() {}

    static Attack create(Distortion<CreateTopicRequest.Builder> distortion) {
        return (victim, random) -> {
            CreateTopicRequest.Builder request = CreateTopicRequest.newBuilder()
                    .setName("made-" + Math.abs(random.nextInt()))
                    .setPartitions(1)
                    .setReplicationFactor(1);
            distortion.apply(request, random);
            return victim.call(
                    AdminServiceGrpc.getCreateTopicMethod(),
                    request.build(),
                    response -> Victim.name(response.getError()));
        };
    }

    static void illegalName(CreateTopicRequest.Builder request, Random random) {
        request.setName(
                random.nextInt(4) == 0 ? Topics.tooLong(random) : ILLEGAL_NAMES[random.nextInt(ILLEGAL_NAMES.length)]);
    }

    static void partitions(CreateTopicRequest.Builder request, Random random) {
        request.setPartitions(
                random.nextBoolean() ? Topics.negative(random) : Integer.MAX_VALUE - random.nextInt(1_000));
    }

    static void copies(CreateTopicRequest.Builder request, Random random) {
        request.setReplicationFactor(random.nextBoolean() ? Topics.negative(random) : 2 + random.nextInt(1 << 30));
    }

    static void settings(CreateTopicRequest.Builder request, Random random) {
        String[] bad = BAD_SETTINGS[random.nextInt(BAD_SETTINGS.length)];
        request.putConfigs(bad[0], bad[1]);
    }

    /** What the store of the cluster's state could not take: a number with two million spaces, or an endless key. */
    static void absurdSettings(CreateTopicRequest.Builder request, Random random) {
        if (random.nextBoolean()) {
            request.putConfigs("retention.ms", " ".repeat(2_000_000) + "1000");
        } else {
            request.putConfigs("k".repeat(1_000_000), "1");
        }
    }

    static Attack alter(Distortion<AlterTopicRequest.Builder> distortion) {
        return (victim, random) -> {
            AlterTopicRequest.Builder request =
                    AlterTopicRequest.newBuilder().setName(Topics.TARGET).setValidateOnly(random.nextBoolean());
            distortion.apply(request, random);
            return victim.call(
                    AdminServiceGrpc.getAlterTopicMethod(),
                    request.build(),
                    response -> Victim.name(response.getError()));
        };
    }

    static void settings(AlterTopicRequest.Builder request, Random random) {
        String[] bad = BAD_SETTINGS[random.nextInt(BAD_SETTINGS.length)];
        switch (random.nextInt(3)) {
            case 0 -> request.putSet(bad[0], bad[1]);
            case 1 -> request.addUnset("k".repeat(random.nextInt(100_000)));
            default -> request.putSet(bad[0], bad[1]).addUnset("flush.ms");
        }
    }

    static Attack delete() {
        return (victim, random) -> victim.call(
                AdminServiceGrpc.getDeleteTopicMethod(),
                DeleteTopicRequest.newBuilder()
                        .setName(random.nextInt(4) == 0 ? Topics.tooLong(random) : Topics.unknown(random))
                        .build(),
                response -> Victim.name(response.getError()));
    }

    static Attack deleteRecords(Distortion<DeleteRecordsRequest.Builder> distortion) {
        return (victim, random) -> {
            DeleteRecordsRequest.Builder request = DeleteRecordsRequest.newBuilder()
                    .setPartition(TopicPartition.newBuilder().setTopic(Topics.TARGET));
            distortion.apply(request, random);
            return victim.call(
                    AdminServiceGrpc.getDeleteRecordsMethod(),
                    request.build(),
                    response -> Victim.name(response.getError()));
        };
    }

    static void nowhere(DeleteRecordsRequest.Builder request, Random random) {
        switch (random.nextInt(3)) {
            case 0 -> request.getPartitionBuilder().setTopic("");
            case 1 -> request.getPartitionBuilder().setPartition(Topics.negative(random));
            default -> request.setBeforeOffset(random.nextBoolean() ? -2 : Long.MIN_VALUE);
        }
    }

    static Attack transfer(String topic, Distortion<TransferLeaderRequest.Builder> distortion) {
        return (victim, random) -> {
            TransferLeaderRequest.Builder request = TransferLeaderRequest.newBuilder()
                    .setPartition(TopicPartition.newBuilder().setTopic(topic))
                    .setToBroker(1);
            distortion.apply(request, random);
            return victim.call(
                    AdminServiceGrpc.getTransferLeaderMethod(),
                    request.build(),
                    response -> Victim.name(response.getError()));
        };
    }
}
