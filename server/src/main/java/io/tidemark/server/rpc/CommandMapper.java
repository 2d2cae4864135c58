package io.tidemark.server.rpc;

import io.tidemark.coordination.broker.PeerIdentifier;
import io.tidemark.coordination.broker.PeerProbe;
import io.tidemark.coordination.broker.Push;
import io.tidemark.coordination.controller.BrokerCommands.LogEndAnswer;
import io.tidemark.coordination.controller.BrokerCommands.LogEnds;
import io.tidemark.coordination.controller.BrokerCommands.LogQuery;
import io.tidemark.model.Endpoint;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.wire.internal.v1.DescribeLogEndsRequest;
import io.tidemark.wire.internal.v1.DescribeLogEndsResponse;
import io.tidemark.wire.internal.v1.IdentifyResponse;
import io.tidemark.wire.internal.v1.LogEnd;
import io.tidemark.wire.internal.v1.ProbeOutcome;
import io.tidemark.wire.internal.v1.ProbePeerRequest;
import io.tidemark.wire.internal.v1.ProbePeerResponse;
import io.tidemark.wire.internal.v1.PushRequest;
import io.tidemark.wire.internal.v1.PushResponse;
import io.tidemark.wire.internal.v1.PushResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The controller's commands between values and messages. Malformed messages raise {@link IllegalArgumentException}. */
public final class CommandMapper {
    private CommandMapper() {}

    public static PushRequest toWire(Push.Request push) {
        return PushRequest.newBuilder()
                .setControllerId(push.controllerId())
                .setControllerEpoch(push.controllerEpoch())
                .setBrokerEpoch(push.brokerEpoch())
                .setSequence(push.sequence())
                .setUpdate(StateMapper.toWire(push.update()))
                .build();
    }

    static Push.Request fromWire(PushRequest wire) {
        return new Push.Request(
                wire.getControllerId(),
                wire.getControllerEpoch(),
                wire.getBrokerEpoch(),
                wire.getSequence(),
                StateMapper.fromWire(wire.getUpdate()));
    }

    static PushResponse toWire(Push.Answer answer) {
        PushResult result = switch (answer.result()) {
            case APPLIED -> PushResult.PUSH_RESULT_APPLIED;
            case NEED_FULL -> PushResult.PUSH_RESULT_NEED_FULL;
            case STALE_CONTROLLER -> PushResult.PUSH_RESULT_STALE_CONTROLLER;
            case STALE_BROKER_EPOCH -> PushResult.PUSH_RESULT_STALE_BROKER_EPOCH;
            case RETRY -> PushResult.PUSH_RESULT_RETRY;
        };
        return PushResponse.newBuilder()
                .setSequence(answer.sequence())
                .setResult(result)
                .build();
    }

    /** Empty for a result that this version does not know: as good as no answer. */
    public static Optional<Push.Answer> fromWire(PushResponse wire) {
        return switch (wire.getResult()) {
            case PUSH_RESULT_APPLIED -> answer(wire, Push.Result.APPLIED);
            case PUSH_RESULT_NEED_FULL -> answer(wire, Push.Result.NEED_FULL);
            case PUSH_RESULT_STALE_CONTROLLER -> answer(wire, Push.Result.STALE_CONTROLLER);
            case PUSH_RESULT_STALE_BROKER_EPOCH -> answer(wire, Push.Result.STALE_BROKER_EPOCH);
            case PUSH_RESULT_RETRY -> answer(wire, Push.Result.RETRY);
            case PUSH_RESULT_UNSPECIFIED, UNRECOGNIZED -> Optional.empty();
        };
    }

    static IdentifyResponse toWire(PeerIdentifier.Identity identity) {
        return IdentifyResponse.newBuilder()
                .setClusterId(identity.clusterId())
                .setBrokerId(identity.brokerId())
                .setProcessNonce(identity.processNonce())
                .build();
    }

    public static PeerIdentifier.Identity fromWire(IdentifyResponse wire) {
        return new PeerIdentifier.Identity(wire.getClusterId(), wire.getBrokerId(), wire.getProcessNonce());
    }

    public static ProbePeerRequest toWire(PeerProbe.Suspect suspect) {
        return ProbePeerRequest.newBuilder()
                .setBrokerId(suspect.brokerId())
                .setHost(suspect.peer().host())
                .setPort(suspect.peer().port())
                .build();
    }

    static PeerProbe.Suspect fromWire(ProbePeerRequest wire) {
        return new PeerProbe.Suspect(wire.getBrokerId(), new Endpoint(wire.getHost(), wire.getPort()));
    }

    static ProbePeerResponse toWire(PeerProbe.Outcome outcome) {
        ProbeOutcome wire = switch (outcome) {
            case REFUSED -> ProbeOutcome.PROBE_OUTCOME_REFUSED;
            case CONNECTED -> ProbeOutcome.PROBE_OUTCOME_CONNECTED;
            case UNKNOWN -> ProbeOutcome.PROBE_OUTCOME_UNKNOWN;
        };
        return ProbePeerResponse.newBuilder().setOutcome(wire).build();
    }

    /** An outcome that this version does not know proves nothing. */
    public static PeerProbe.Outcome fromWire(ProbePeerResponse wire) {
        return switch (wire.getOutcome()) {
            case PROBE_OUTCOME_REFUSED -> PeerProbe.Outcome.REFUSED;
            case PROBE_OUTCOME_CONNECTED -> PeerProbe.Outcome.CONNECTED;
            case PROBE_OUTCOME_UNKNOWN, PROBE_OUTCOME_UNSPECIFIED, UNRECOGNIZED -> PeerProbe.Outcome.UNKNOWN;
        };
    }

    public static DescribeLogEndsRequest toWire(long brokerEpoch, List<LogQuery> logs) {
        DescribeLogEndsRequest.Builder wire =
                DescribeLogEndsRequest.newBuilder().setBrokerEpoch(brokerEpoch);
        logs.forEach(log -> wire.addPartitionsBuilder()
                .setTopic(log.partition().topic())
                .setPartition(log.partition().partition())
                .setTopicId(log.topicId().toString()));
        return wire.build();
    }

    static List<LogQuery> fromWire(DescribeLogEndsRequest wire) {
        List<LogQuery> logs = new ArrayList<>(wire.getPartitionsCount());
        wire.getPartitionsList()
                .forEach(log -> logs.add(new LogQuery(
                        TopicId.parse(log.getTopicId()), new TopicPartition(log.getTopic(), log.getPartition()))));
        return logs;
    }

    static DescribeLogEndsResponse toWire(LogEnds ends) {
        DescribeLogEndsResponse.Builder wire =
                DescribeLogEndsResponse.newBuilder().setBrokerEpoch(ends.brokerEpoch());
        ends.ends()
                .forEach(end -> wire.addEnds(LogEnd.newBuilder()
                        .setTopic(end.partition().topic())
                        .setPartition(end.partition().partition())
                        .setPresent(end.present())
                        .setLastEpoch(end.lastEpoch())
                        .setLogEndOffset(end.logEndOffset())));
        return wire.build();
    }

    public static LogEnds fromWire(DescribeLogEndsResponse wire) {
        List<LogEndAnswer> ends = new ArrayList<>(wire.getEndsCount());
        wire.getEndsList()
                .forEach(end -> ends.add(new LogEndAnswer(
                        new TopicPartition(end.getTopic(), end.getPartition()),
                        end.getPresent(),
                        end.getLastEpoch(),
                        end.getLogEndOffset())));
        return new LogEnds(wire.getBrokerEpoch(), ends);
    }

    private static Optional<Push.Answer> answer(PushResponse wire, Push.Result result) {
        return Optional.of(new Push.Answer(wire.getSequence(), result));
    }
}
