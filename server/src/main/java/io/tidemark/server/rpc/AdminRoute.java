package io.tidemark.server.rpc;

import io.tidemark.wire.v1.AlterTopicRequest;
import io.tidemark.wire.v1.AlterTopicResponse;
import io.tidemark.wire.v1.CreateTopicRequest;
import io.tidemark.wire.v1.CreateTopicResponse;
import io.tidemark.wire.v1.DeleteTopicRequest;
import io.tidemark.wire.v1.DeleteTopicResponse;
import io.tidemark.wire.v1.TransferLeaderRequest;
import io.tidemark.wire.v1.TransferLeaderResponse;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * The way to the controller, wherever it is. One attempt. Never blocks, never throws; the answer is given exactly once, on any
 * thread, at most {@code timeout} from now.
 */
public interface AdminRoute {
    void createTopic(CreateTopicRequest request, Duration timeout, Consumer<Forwarded<CreateTopicResponse>> answer);

    void deleteTopic(DeleteTopicRequest request, Duration timeout, Consumer<Forwarded<DeleteTopicResponse>> answer);

    void alterTopic(AlterTopicRequest request, Duration timeout, Consumer<Forwarded<AlterTopicResponse>> answer);

    void transferLeader(
            TransferLeaderRequest request, Duration timeout, Consumer<Forwarded<TransferLeaderResponse>> answer);
}
