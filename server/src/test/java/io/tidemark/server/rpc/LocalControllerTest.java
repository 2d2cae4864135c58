package io.tidemark.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.coordination.cluster.Answer;
import io.tidemark.coordination.cluster.ClusterEvent;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.IsrChannel;
import io.tidemark.replication.partition.IsrProposal;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class LocalControllerTest {
    private static final TopicId ID = new TopicId(3, 4);
    private static final TopicPartition PARTITION = new TopicPartition("a", 1);
    private static final IsrProposal PROPOSAL = new IsrProposal(
            ID,
            PARTITION,
            7,
            8,
            List.of(new IsrProposal.ProposedMember(1, 100), new IsrProposal.ProposedMember(2, 200)));

    private final List<ClusterEvent.Request> asked = new ArrayList<>();
    private Answer answer = new Answer.Done();
    private final LocalController controller = new LocalController(
            (request, to) -> {
                asked.add(request.apply(42));
                to.accept(answer);
            },
            new SeededRandomness(1));

    @Test
    void shouldCreateATopicUnderAFreshId() {
        // given
        List<CreateTopicResponse> got = new ArrayList<>();
        answer = new Answer.TopicCreated(ID);
        CreateTopicRequest request = CreateTopicRequest.newBuilder()
                .setName("a")
                .setPartitions(3)
                .setReplicationFactor(2)
                .putConfigs("min.insync.replicas", "2")
                .build();

        // when
        controller.createTopic(request, got::add);
        controller.createTopic(request, got::add);

        // then
        ClusterEvent.TopicCreationRequested first = (ClusterEvent.TopicCreationRequested) asked.get(0);
        ClusterEvent.TopicCreationRequested second = (ClusterEvent.TopicCreationRequested) asked.get(1);
        assertThat(first.token()).isEqualTo(42);
        assertThat(first.spec().name()).isEqualTo("a");
        assertThat(first.spec().partitions()).isEqualTo(3);
        assertThat(first.spec().replicationFactor()).isEqualTo(2);
        assertThat(first.spec().configs()).containsEntry("min.insync.replicas", "2");
        assertThat(first.topicId()).isNotEqualTo(second.topicId());
        assertThat(got.get(0).getTopicId()).isEqualTo(ID.toString());
        assertThat(ErrorCodes.fromWire(got.get(0).getError())).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void shouldPassARefusalOnWithItsText() {
        // given
        List<DeleteTopicResponse> got = new ArrayList<>();
        answer = new Answer.Refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "no topic b");

        // when
        controller.deleteTopic(DeleteTopicRequest.newBuilder().setName("b").build(), got::add);

        // then
        assertThat(((ClusterEvent.TopicDeletionRequested) asked.get(0)).topic()).isEqualTo("b");
        assertThat(ErrorCodes.fromWire(got.get(0).getError())).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(got.get(0).getErrorMessage()).isEqualTo("no topic b");
    }

    @Test
    void shouldAlterATopic() {
        // given
        List<AlterTopicResponse> got = new ArrayList<>();
        answer = new Answer.TopicConfigs(new TreeMap<>(Map.of("retention.ms", "7")));
        AlterTopicRequest request = AlterTopicRequest.newBuilder()
                .setName("a")
                .putSet("retention.ms", "7")
                .addUnset("segment.bytes")
                .setValidateOnly(true)
                .build();

        // when
        controller.alterTopic(request, got::add);

        // then
        assertThat(asked)
                .containsExactly(new ClusterEvent.TopicConfigsRequested(
                        42,
                        "a",
                        new TreeMap<>(Map.of("retention.ms", "7")),
                        new TreeSet<>(List.of("segment.bytes")),
                        ClusterEvent.TopicConfigsRequested.Effect.SAID));
        assertThat(got.get(0).getConfigsMap()).containsExactly(Map.entry("retention.ms", "7"));
    }

    @Test
    void shouldTransferALeader() {
        // given
        List<TransferLeaderResponse> got = new ArrayList<>();
        answer = new Answer.LeaderTransferred(9);
        TransferLeaderRequest request = TransferLeaderRequest.newBuilder()
                .setPartition(io.tidemark.wire.v1.TopicPartition.newBuilder()
                        .setTopic("a")
                        .setPartition(1))
                .setToBroker(2)
                .build();

        // when
        controller.transferLeader(request, got::add);

        // then
        assertThat(asked).containsExactly(new ClusterEvent.LeaderTransferRequested(42, PARTITION, 2));
        assertThat(got.get(0).getLeaderEpoch()).isEqualTo(9);
    }

    @Test
    void shouldRefuseMalformedRequestsBeforeTheyReachTheController() {
        // given
        List<TransferLeaderResponse> transfers = new ArrayList<>();
        List<ProposeIsrResponse> proposals = new ArrayList<>();
        List<ReportDamageResponse> damages = new ArrayList<>();

        // when
        controller.reportDamage(
                ReportDamageRequest.newBuilder().setTopic("a").setTopicId("xyz").build(), damages::add);
        controller.transferLeader(TransferLeaderRequest.getDefaultInstance(), transfers::add);
        controller.proposeIsr(
                ProposeIsrRequest.newBuilder().setTopic("a").setTopicId("xyz").build(), proposals::add);

        // then
        assertThat(asked).isEmpty();
        assertThat(ErrorCodes.fromWire(transfers.get(0).getError())).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(ErrorCodes.fromWire(proposals.get(0).getError())).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(ErrorCodes.fromWire(damages.get(0).getError())).isEqualTo(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void shouldCarryAProposalThereAndTheStateBack() {
        // given
        PartitionState state = new PartitionState(
                ID, PARTITION, 1, 7, 9, List.of(1, 2), List.of(new Member(1, 5)), List.of(new Member(2, 6)), 1, 3);
        answer = new Answer.IsrState(state);
        List<ProposeIsrResponse> got = new ArrayList<>();

        // when
        controller.proposeIsr(ControllerMapper.toWire(1, 100, PROPOSAL), got::add);

        // then
        ClusterEvent.IsrProposed event = (ClusterEvent.IsrProposed) asked.get(0);
        assertThat(event.proposerId()).isEqualTo(1);
        assertThat(event.proposerEpoch()).isEqualTo(100);
        assertThat(event.proposal())
                .isEqualTo(new io.tidemark.coordination.cluster.IsrProposal(
                        ID,
                        PARTITION,
                        7,
                        8,
                        List.of(
                                new io.tidemark.coordination.cluster.IsrProposal.ProposedMember(1, 100),
                                new io.tidemark.coordination.cluster.IsrProposal.ProposedMember(2, 200))));
        assertThat(ControllerMapper.fromWire(PROPOSAL, got.get(0))).isEqualTo(new IsrChannel.Answer.State(state));
    }

    @Test
    void shouldGiveAProposalWithoutAStateNoAnswer() {
        // given
        answer = new Answer.Refused(ErrorCode.NOT_CONTROLLER, "not here");
        List<ProposeIsrResponse> got = new ArrayList<>();

        // when
        controller.proposeIsr(ControllerMapper.toWire(1, 100, PROPOSAL), got::add);

        // then
        assertThat(ControllerMapper.fromWire(PROPOSAL, got.get(0)))
                .isEqualTo(new IsrChannel.Answer.Failed(ErrorCode.NOT_CONTROLLER));
        assertThat(ControllerMapper.fromWire(PROPOSAL, ProposeIsrResponse.getDefaultInstance()))
                .isEqualTo(new IsrChannel.Answer.Failed(ErrorCode.UNKNOWN_SERVER_ERROR));
    }

    @Test
    void shouldCarryShutdownsAndProducerIds() {
        // given
        List<ControlledShutdownResponse> shutdowns = new ArrayList<>();
        List<AllocateProducerIdsResponse> blocks = new ArrayList<>();

        // when
        answer = new Answer.ShutdownProgress(List.of(PARTITION));
        controller.controlledShutdown(
                ControlledShutdownRequest.newBuilder()
                        .setBrokerId(1)
                        .setBrokerEpoch(100)
                        .build(),
                shutdowns::add);
        answer = new Answer.ProducerIdBlock(5_000, 1_000);
        controller.allocateProducerIds(
                AllocateProducerIdsRequest.newBuilder()
                        .setBrokerId(1)
                        .setBrokerEpoch(100)
                        .build(),
                blocks::add);

        // then
        assertThat(asked)
                .containsExactly(
                        new ClusterEvent.ControlledShutdownRequested(42, 1, 100),
                        new ClusterEvent.ProducerIdsRequested(42, 1, 100));
        assertThat(ControllerMapper.fromWire(shutdowns.get(0)).remaining()).containsExactly(PARTITION);
        assertThat(ControllerMapper.fromWire(blocks.get(0)).first()).isEqualTo(5_000);
        assertThat(ControllerMapper.fromWire(blocks.get(0)).count()).isEqualTo(1_000);
    }

    @Test
    void shouldCallAnAnswerToAnotherQuestionAServerError() {
        // given
        List<CreateTopicResponse> got = new ArrayList<>();
        answer = new Answer.LeaderTransferred(1);

        // when
        controller.createTopic(CreateTopicRequest.getDefaultInstance(), got::add);

        // then
        assertThat(ErrorCodes.fromWire(got.get(0).getError())).isEqualTo(ErrorCode.UNKNOWN_SERVER_ERROR);
    }
}
