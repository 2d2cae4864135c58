package io.tidemark.replication;

import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.partition.DamageReport;
import io.tidemark.replication.partition.Partition;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the controller of replicas whose logs are damaged, so that leadership moves and nobody counts on them (DESIGN section
 * 3, CORRUPT). One report is on its way for a partition at a time. What becomes of it shows in the partition's next state;
 * whoever looks after the replicas comes back with those that are still damaged, so that nothing is remembered here.
 *
 * <p>Thread-safe; no call leaves while the lock is held.
 */
public final class DamageReports {
    private static final Logger LOG = LoggerFactory.getLogger(DamageReports.class);

    private final DamageChannel channel;
    private final SortedSet<TopicPartition> underWay = new TreeSet<>();

    public DamageReports(DamageChannel channel) {
        this.channel = channel;
    }

    /** Reports the partition if it is damaged and cannot cut its log by itself. Returns at once. */
    void check(Partition partition) {
        Optional<DamageReport> report = partition.damageReport();
        if (report.isPresent() && begin(partition.partition())) {
            channel.report(report.get(), error -> onAnswer(report.get(), error));
        }
    }

    private synchronized boolean begin(TopicPartition partition) {
        return underWay.add(partition);
    }

    private void onAnswer(DamageReport report, ErrorCode error) {
        synchronized (this) {
            underWay.remove(report.partition());
        }
        if (error == ErrorCode.NONE) {
            LOG.info("{} is counted on no more, and is to be fetched again", report.partition());
        } else {
            LOG.debug("{} is damaged and keeps its places: {}", report.partition(), error);
        }
    }
}
