package io.tidemark.replication;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import io.tidemark.architecture.ArchitectureContract;
import org.junit.jupiter.api.Test;

/** Brokers together: the log below, ports above, and no word of ZooKeeper or gRPC. */
final class ArchitectureTest extends ArchitectureContract {
    @Override
    protected String[] visiblePackages() {
        return new String[] {"io.tidemark.core..", "io.tidemark.replication.."};
    }

    @Override
    protected DescribedPredicate<JavaClass> mappers() {
        return nobody();
    }

    @Test
    void shouldKnowNeitherZooKeeperNorGrpc() {
        checkAbsent(
                "replication speaks through its ports",
                "org.apache.zookeeper..",
                "org.apache.curator..",
                "io.grpc..",
                "com.google.protobuf..");
    }

    @Test
    void shouldSeeTheLogNotItsSegments() {
        checkAbsent("Log is the public face of a partition's files", "io.tidemark.core.log.segment..");
    }

    @Test
    void shouldDecideWithoutDoing() {
        // Partition is the shell of its package: the one class there that holds the lock.
        checkDeciders(resideInAPackage("io.tidemark.replication.partition..")
                .and(not(named("Partition")))
                .or(named("FetcherState", "TokenBucket")));
    }
}
