package io.tidemark.coordination.cluster;

import io.tidemark.coordination.cluster.ClusterEvent.ProducerIdsRequested;
import io.tidemark.model.ErrorCode;

/** Gives out producer ids in blocks; what a dead broker has not used of its block is lost, and nobody misses it. */
final class ProducerIdBlocks {
    /** Ids per block. */
    static final int SIZE = 1_000;

    private ProducerIdBlocks() {}

    static void onRequest(ClusterDraft draft, ProducerIdsRequested request) {
        if (!draft.view().isCurrent(request.brokerId(), request.brokerEpoch())) {
            draft.refuse(
                    request.token(),
                    ErrorCode.STALE_BROKER_EPOCH,
                    "broker " + request.brokerId() + " is not registered under epoch " + request.brokerEpoch());
            return;
        }
        long first = draft.producerIds().nextId();
        draft.putProducerIds(request.brokerId(), Math.addExact(first, SIZE));
        draft.reply(request.token(), new Answer.ProducerIdBlock(first, SIZE));
    }
}
