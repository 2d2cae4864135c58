package io.tidemark.coordination.cluster;

import io.tidemark.coordination.cluster.ClusterState.Phase;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.SafetyRules;

/**
 * The controller's mind: one state and one event in, one decision out (DESIGN section 2 rule 1, section 6). It keeps
 * nothing between calls, so any thread may call it; equal arguments give equal decisions.
 *
 * <p>Each kind of change has a class of its own: {@link BrokerChange} and {@link Incarnations} for brokers, {@link
 * Placement}, {@link LeaderElection}, {@link RecoveryElection} and {@link EligibleSet} for what that makes of partitions,
 * {@link IsrChange} for what leaders want, {@link DamagedReplicas} for copies that are to be made anew, {@link TopicChange},
 * {@link TopicDeletion} and {@link PreferredLeaders} for what operators want.
 */
public final class ClusterMachine {
    private final SafetyRules safety;
    private final BrokerChange brokers;
    private final RecoveryElection recovery;
    private final TopicChange topics;

    public ClusterMachine(ClusterSettings settings) {
        safety = settings.rules();
        TopicRules rules = new TopicRules(settings);
        recovery = new RecoveryElection(settings);
        Settlement settlement = new Settlement(rules, recovery);
        brokers = new BrokerChange(settings, rules, settlement);
        topics = new TopicChange(settings, rules, settlement);
    }

    /** Decides what {@code event} leads to. Bad input is answered, never thrown; an exception is a bug. */
    public Decision decide(ClusterState state, ClusterEvent event) {
        ClusterDraft draft = new ClusterDraft(state, safety);
        if (event instanceof ClusterEvent.Request request) {
            answer(draft, request);
        } else if (!onBrokerEvent(draft, event) && draft.phase() == Phase.RUNNING) {
            onClusterEvent(draft, event);
        }
        return draft.decide();
    }

    /** What may happen before the first election, too. */
    private boolean onBrokerEvent(ClusterDraft draft, ClusterEvent event) {
        if (event instanceof ClusterEvent.BrokersChanged changed) {
            brokers.onBrokersChanged(draft, changed.registrations());
        } else if (event instanceof ClusterEvent.IdentifyAnswered answer) {
            brokers.onIdentified(draft, answer);
        } else if (event instanceof ClusterEvent.GraceElapsed elapsed) {
            brokers.onGraceElapsed(draft, elapsed);
        } else if (event instanceof ClusterEvent.BrokerStorageFailed failed) {
            brokers.onStorageFailed(draft, failed);
        } else if (event instanceof ClusterEvent.BrokerDied died) {
            brokers.onDied(draft, died);
        } else {
            return false;
        }
        return true;
    }

    private void onClusterEvent(ClusterDraft draft, ClusterEvent event) {
        if (event instanceof ClusterEvent.LogEndsAnswered answer) {
            recovery.onAnswer(draft, answer);
        } else if (event instanceof ClusterEvent.RecoveryRetryDue) {
            recovery.review(draft);
        } else if (event instanceof ClusterEvent.DeletionApplied applied) {
            TopicDeletion.onApplied(draft, applied);
        } else if (event instanceof ClusterEvent.PreferredElectionDue) {
            PreferredLeaders.elect(draft);
        }
    }

    private void answer(ClusterDraft draft, ClusterEvent.Request request) {
        if (draft.phase() != Phase.RUNNING) {
            draft.refuse(request.token(), ErrorCode.NOT_CONTROLLER, "the controller has just begun its term");
        } else if (request instanceof ClusterEvent.IsrProposed proposed) {
            IsrChange.onProposal(draft, proposed);
        } else if (request instanceof ClusterEvent.DamageReported report) {
            DamagedReplicas.onReport(draft, report);
        } else if (request instanceof ClusterEvent.ControlledShutdownRequested shutdown) {
            brokers.onShutdown(draft, shutdown);
        } else if (request instanceof ClusterEvent.ProducerIdsRequested ids) {
            ProducerIdBlocks.onRequest(draft, ids);
        } else if (request instanceof ClusterEvent.TopicCreationRequested creation) {
            topics.onCreate(draft, creation);
        } else if (request instanceof ClusterEvent.TopicDeletionRequested deletion) {
            TopicDeletion.onRequest(draft, deletion);
        } else if (request instanceof ClusterEvent.TopicConfigsRequested configs) {
            topics.onConfigs(draft, configs);
        } else if (request instanceof ClusterEvent.LeaderTransferRequested transfer) {
            PreferredLeaders.onTransfer(draft, transfer);
        }
    }
}
