package io.tidemark.client.consumer;

import io.tidemark.client.net.ClientRuntime;
import io.tidemark.client.net.ClusterClient;
import io.tidemark.client.net.NoJitter;
import io.tidemark.client.net.RetryRules;
import io.tidemark.client.producer.ManualLoop;
import io.tidemark.record.LogRecord;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/** Streams of all partitions of the fakes' topic, over a cluster of their own. */
final class Streams {
    private Streams() {}

    static RecordStream of(
            ManualLoop loop,
            FakeLeaders brokers,
            StartAt from,
            RecordStream.Selection.Until until,
            ToLongFunction<LogRecord> weigher,
            RecordStream.Listener listener) {
        ClusterClient cluster = new ClusterClient(
                new ClusterClient.Settings(
                        List.of(FakeLeaders.endpoint(1)), Duration.ofSeconds(300), RetryRules.DEFAULT),
                new ClientRuntime(loop, loop, new NoJitter()),
                brokers);
        return new RecordStream(
                new RecordStream.Selection(FakeLeaders.TOPIC, new TreeMap<>(), from, until),
                cluster,
                weigher,
                listener);
    }
}
