package io.tidemark.server.rpc;

import io.tidemark.coordination.cluster.ClusterEvent;
import io.tidemark.coordination.cluster.ClusterEvent.TopicConfigsRequested.Effect;
import io.tidemark.coordination.cluster.IsrProposal;
import io.tidemark.coordination.cluster.TopicSpec;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.runtime.Randomness;
import io.tidemark.wire.internal.v1.AllocateProducerIdsRequest;
import io.tidemark.wire.internal.v1.AllocateProducerIdsResponse;
import io.tidemark.wire.internal.v1.ControlledShutdownRequest;
import io.tidemark.wire.internal.v1.ControlledShutdownResponse;
import io.tidemark.wire.internal.v1.ProposeIsrRequest;
import io.tidemark.wire.internal.v1.ProposeIsrResponse;
import io.tidemark.wire.internal.v1.ReportDamageRequest;
import io.tidemark.wire.internal.v1.ReportDamageResponse;
import io.tidemark.wire.v1.AlterTopicRequest;
import io.tidemark.wire.v1.AlterTopicResponse;
import io.tidemark.wire.v1.CreateTopicRequest;
import io.tidemark.wire.v1.CreateTopicResponse;
import io.tidemark.wire.v1.DeleteTopicRequest;
import io.tidemark.wire.v1.DeleteTopicResponse;
import io.tidemark.wire.v1.TransferLeaderRequest;
import io.tidemark.wire.v1.TransferLeaderResponse;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * This broker's own controller in the words of the wire: what peers and this broker's own services ask of it alike. Never
 * blocks, never throws; each answer is given exactly once, on any thread.
 */
public final class LocalController {
    private final ControllerPort controller;
    private final Randomness randomness;

    /** @param randomness for topic ids, and where assignments start */
    public LocalController(ControllerPort controller, Randomness randomness) {
        this.controller = controller;
        this.randomness = randomness;
    }

    public void createTopic(CreateTopicRequest request, Consumer<CreateTopicResponse> answer) {
        TopicSpec spec = ControllerMapper.fromWire(request);
        TopicId id = TopicId.random(randomness);
        long start = randomness.nextLong();
        controller.request(
                token -> new ClusterEvent.TopicCreationRequested(token, spec, id, start),
                result -> answer.accept(ControllerMapper.topicCreated(result)));
    }

    public void deleteTopic(DeleteTopicRequest request, Consumer<DeleteTopicResponse> answer) {
        controller.request(
                token -> new ClusterEvent.TopicDeletionRequested(token, request.getName()),
                result -> answer.accept(ControllerMapper.topicDeleted(result)));
    }

    public void alterTopic(AlterTopicRequest request, Consumer<AlterTopicResponse> answer) {
        controller.request(
                token -> new ClusterEvent.TopicConfigsRequested(
                        token,
                        request.getName(),
                        new TreeMap<>(request.getSetMap()),
                        new TreeSet<>(request.getUnsetList()),
                        request.getValidateOnly() ? Effect.SAID : Effect.APPLIED),
                result -> answer.accept(ControllerMapper.topicAltered(result)));
    }

    public void transferLeader(TransferLeaderRequest request, Consumer<TransferLeaderResponse> answer) {
        String topic = request.getPartition().getTopic();
        int number = request.getPartition().getPartition();
        if (topic.isEmpty() || number < 0) {
            answer.accept(ControllerMapper.transferRefused(
                    ErrorCode.INVALID_REQUEST, "a topic's name and a partition from 0 are needed"));
            return;
        }
        TopicPartition partition = new TopicPartition(topic, number);
        controller.request(
                token -> new ClusterEvent.LeaderTransferRequested(token, partition, request.getToBroker()),
                result -> answer.accept(ControllerMapper.leaderTransferred(result)));
    }

    public void proposeIsr(ProposeIsrRequest request, Consumer<ProposeIsrResponse> answer) {
        IsrProposal proposal;
        try {
            proposal = ControllerMapper.fromWire(request);
        } catch (IllegalArgumentException e) {
            answer.accept(ControllerMapper.isrRefused(ErrorCode.INVALID_REQUEST));
            return;
        }
        controller.request(
                token -> new ClusterEvent.IsrProposed(token, request.getBrokerId(), request.getBrokerEpoch(), proposal),
                result -> answer.accept(ControllerMapper.isrDecided(result)));
    }

    public void reportDamage(ReportDamageRequest request, Consumer<ReportDamageResponse> answer) {
        TopicId topicId;
        TopicPartition partition;
        try {
            topicId = TopicId.parse(request.getTopicId());
            partition = new TopicPartition(request.getTopic(), request.getPartition());
        } catch (IllegalArgumentException e) {
            answer.accept(ControllerMapper.damageRefused(ErrorCode.INVALID_REQUEST));
            return;
        }
        controller.request(
                token -> new ClusterEvent.DamageReported(
                        token,
                        request.getBrokerId(),
                        request.getBrokerEpoch(),
                        topicId,
                        partition,
                        request.getLeaderEpoch()),
                result -> answer.accept(ControllerMapper.damageTaken(result)));
    }

    public void controlledShutdown(ControlledShutdownRequest request, Consumer<ControlledShutdownResponse> answer) {
        controller.request(
                token -> new ClusterEvent.ControlledShutdownRequested(
                        token, request.getBrokerId(), request.getBrokerEpoch()),
                result -> answer.accept(ControllerMapper.shutdownProgress(result)));
    }

    public void allocateProducerIds(AllocateProducerIdsRequest request, Consumer<AllocateProducerIdsResponse> answer) {
        controller.request(
                token -> new ClusterEvent.ProducerIdsRequested(token, request.getBrokerId(), request.getBrokerEpoch()),
                result -> answer.accept(ControllerMapper.idsAllocated(result)));
    }
}
