package io.tidemark.server.rpc;

import io.tidemark.coordination.broker.ControllerChannel;
import io.tidemark.coordination.cluster.Answer;
import io.tidemark.coordination.cluster.IsrProposal;
import io.tidemark.coordination.cluster.TopicSpec;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.IsrChannel;
import io.tidemark.replication.partition.DamageReport;
import io.tidemark.wire.internal.v1.AllocateProducerIdsResponse;
import io.tidemark.wire.internal.v1.ControlledShutdownResponse;
import io.tidemark.wire.internal.v1.ProposeIsrRequest;
import io.tidemark.wire.internal.v1.ProposeIsrResponse;
import io.tidemark.wire.internal.v1.ReportDamageRequest;
import io.tidemark.wire.internal.v1.ReportDamageResponse;
import io.tidemark.wire.v1.AlterTopicResponse;
import io.tidemark.wire.v1.CreateTopicRequest;
import io.tidemark.wire.v1.CreateTopicResponse;
import io.tidemark.wire.v1.DeleteTopicResponse;
import io.tidemark.wire.v1.TransferLeaderResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Requests to the controller between values and messages. Malformed messages raise {@link IllegalArgumentException}; an answer
 * of the wrong kind is a bug and becomes UNKNOWN_SERVER_ERROR.
 */
public final class ControllerMapper {
    private static final Answer.Refused WRONG_KIND =
            new Answer.Refused(ErrorCode.UNKNOWN_SERVER_ERROR, "the controller answered another question");

    private ControllerMapper() {}

    static TopicSpec fromWire(CreateTopicRequest wire) {
        return new TopicSpec(
                wire.getName(), wire.getPartitions(), wire.getReplicationFactor(), new TreeMap<>(wire.getConfigsMap()));
    }

    static CreateTopicResponse topicCreated(Answer answer) {
        if (answer instanceof Answer.TopicCreated created) {
            return CreateTopicResponse.newBuilder()
                    .setTopicId(created.topicId().toString())
                    .build();
        }
        Answer.Refused refused = refused(answer);
        return createRefused(refused.error(), refused.message());
    }

    static CreateTopicResponse createRefused(ErrorCode error, String message) {
        return CreateTopicResponse.newBuilder()
                .setError(ErrorCodes.toWire(error))
                .setErrorMessage(Errors.brief(message))
                .build();
    }

    static DeleteTopicResponse topicDeleted(Answer answer) {
        if (answer instanceof Answer.Done) {
            return DeleteTopicResponse.getDefaultInstance();
        }
        Answer.Refused refused = refused(answer);
        return deleteRefused(refused.error(), refused.message());
    }

    static DeleteTopicResponse deleteRefused(ErrorCode error, String message) {
        return DeleteTopicResponse.newBuilder()
                .setError(ErrorCodes.toWire(error))
                .setErrorMessage(Errors.brief(message))
                .build();
    }

    static AlterTopicResponse topicAltered(Answer answer) {
        if (answer instanceof Answer.TopicConfigs altered) {
            return AlterTopicResponse.newBuilder()
                    .putAllConfigs(altered.configs())
                    .build();
        }
        Answer.Refused refused = refused(answer);
        return alterRefused(refused.error(), refused.message());
    }

    static AlterTopicResponse alterRefused(ErrorCode error, String message) {
        return AlterTopicResponse.newBuilder()
                .setError(ErrorCodes.toWire(error))
                .setErrorMessage(Errors.brief(message))
                .build();
    }

    static TransferLeaderResponse leaderTransferred(Answer answer) {
        if (answer instanceof Answer.LeaderTransferred transferred) {
            return TransferLeaderResponse.newBuilder()
                    .setLeaderEpoch(transferred.leaderEpoch())
                    .build();
        }
        Answer.Refused refused = refused(answer);
        return transferRefused(refused.error(), refused.message());
    }

    static TransferLeaderResponse transferRefused(ErrorCode error, String message) {
        return TransferLeaderResponse.newBuilder()
                .setError(ErrorCodes.toWire(error))
                .setErrorMessage(Errors.brief(message))
                .build();
    }

    /** @param brokerEpoch under which the proposing broker is registered */
    public static ProposeIsrRequest toWire(
            int brokerId, long brokerEpoch, io.tidemark.replication.partition.IsrProposal proposal) {
        ProposeIsrRequest.Builder wire = ProposeIsrRequest.newBuilder()
                .setBrokerId(brokerId)
                .setBrokerEpoch(brokerEpoch)
                .setTopic(proposal.partition().topic())
                .setPartition(proposal.partition().partition())
                .setTopicId(proposal.topicId().toString())
                .setLeaderEpoch(proposal.leaderEpoch())
                .setPartitionEpoch(proposal.partitionEpoch());
        proposal.members()
                .forEach(member ->
                        wire.addIsrBuilder().setBrokerId(member.brokerId()).setBrokerEpoch(member.brokerEpoch()));
        return wire.build();
    }

    static IsrProposal fromWire(ProposeIsrRequest wire) {
        List<IsrProposal.ProposedMember> members = new ArrayList<>(wire.getIsrCount());
        wire.getIsrList()
                .forEach(member ->
                        members.add(new IsrProposal.ProposedMember(member.getBrokerId(), member.getBrokerEpoch())));
        return new IsrProposal(
                TopicId.parse(wire.getTopicId()),
                new TopicPartition(wire.getTopic(), wire.getPartition()),
                wire.getLeaderEpoch(),
                wire.getPartitionEpoch(),
                members);
    }

    static ProposeIsrResponse isrDecided(Answer answer) {
        if (answer instanceof Answer.IsrState decided) {
            return ProposeIsrResponse.newBuilder()
                    .setState(StateMapper.toWire(decided.state()))
                    .build();
        }
        return isrRefused(refused(answer).error());
    }

    static ProposeIsrResponse isrRefused(ErrorCode error) {
        return ProposeIsrResponse.newBuilder()
                .setError(ErrorCodes.toWire(error))
                .build();
    }

    /** What the leader is told; {@code asked} names the partition that the state belongs to. */
    public static IsrChannel.Answer fromWire(
            io.tidemark.replication.partition.IsrProposal asked, ProposeIsrResponse wire) {
        if (!wire.hasState()) {
            ErrorCode error = ErrorCodes.fromWire(wire.getError());
            return new IsrChannel.Answer.Failed(error == ErrorCode.NONE ? ErrorCode.UNKNOWN_SERVER_ERROR : error);
        }
        return new IsrChannel.Answer.State(
                StateMapper.fromWire(asked.partition().topic(), asked.topicId(), wire.getState()));
    }

    /** @param brokerEpoch under which the reporting broker is registered */
    public static ReportDamageRequest toWire(int brokerId, long brokerEpoch, DamageReport report) {
        return ReportDamageRequest.newBuilder()
                .setBrokerId(brokerId)
                .setBrokerEpoch(brokerEpoch)
                .setTopic(report.partition().topic())
                .setPartition(report.partition().partition())
                .setTopicId(report.topicId().toString())
                .setLeaderEpoch(report.leaderEpoch())
                .build();
    }

    static ReportDamageResponse damageTaken(Answer answer) {
        return answer instanceof Answer.Done
                ? ReportDamageResponse.getDefaultInstance()
                : damageRefused(refused(answer).error());
    }

    static ReportDamageResponse damageRefused(ErrorCode error) {
        return ReportDamageResponse.newBuilder()
                .setError(ErrorCodes.toWire(error))
                .build();
    }

    public static ErrorCode fromWire(ReportDamageResponse wire) {
        return ErrorCodes.fromWire(wire.getError());
    }

    static ControlledShutdownResponse shutdownProgress(Answer answer) {
        ControlledShutdownResponse.Builder wire = ControlledShutdownResponse.newBuilder();
        if (answer instanceof Answer.ShutdownProgress progress) {
            progress.remaining()
                    .forEach(left ->
                            wire.addRemainingBuilder().setTopic(left.topic()).setPartition(left.partition()));
            return wire.build();
        }
        return wire.setError(ErrorCodes.toWire(refused(answer).error())).build();
    }

    public static ControllerChannel.ShutdownAnswer fromWire(ControlledShutdownResponse wire) {
        List<TopicPartition> remaining = new ArrayList<>(wire.getRemainingCount());
        wire.getRemainingList()
                .forEach(left -> remaining.add(new TopicPartition(left.getTopic(), left.getPartition())));
        return new ControllerChannel.ShutdownAnswer(ErrorCodes.fromWire(wire.getError()), remaining);
    }

    static AllocateProducerIdsResponse idsAllocated(Answer answer) {
        if (answer instanceof Answer.ProducerIdBlock block) {
            return AllocateProducerIdsResponse.newBuilder()
                    .setFirstId(block.firstId())
                    .setCount(block.count())
                    .build();
        }
        return AllocateProducerIdsResponse.newBuilder()
                .setError(ErrorCodes.toWire(refused(answer).error()))
                .build();
    }

    public static ControllerChannel.ProducerIdsAnswer fromWire(AllocateProducerIdsResponse wire) {
        return new ControllerChannel.ProducerIdsAnswer(
                ErrorCodes.fromWire(wire.getError()), wire.getFirstId(), wire.getCount());
    }

    private static Answer.Refused refused(Answer answer) {
        return answer instanceof Answer.Refused refused ? refused : WRONG_KIND;
    }
}
