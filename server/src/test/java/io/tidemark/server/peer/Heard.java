package io.tidemark.server.peer;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** What a controller hears of brokers, as "id@epoch". */
final class Heard implements GrpcBrokerCommands.Listener {
    final BlockingQueue<String> storageFailures = new LinkedBlockingQueue<>();
    final BlockingQueue<String> breaks = new LinkedBlockingQueue<>();

    @Override
    public void brokerStorageFailed(int brokerId, long brokerEpoch) {
        storageFailures.add(brokerId + "@" + brokerEpoch);
    }

    @Override
    public void brokerStreamBroke(int brokerId, long brokerEpoch) {
        breaks.add(brokerId + "@" + brokerEpoch);
    }
}
