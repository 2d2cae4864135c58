package io.tidemark.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMembers;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import io.tidemark.architecture.ArchitectureContract;
import org.junit.jupiter.api.Test;

/** One broker alone: it knows the contract and nobody else. */
final class ArchitectureTest extends ArchitectureContract {
    @Override
    protected String[] visiblePackages() {
        return new String[] {"io.tidemark.core.."};
    }

    @Override
    protected DescribedPredicate<JavaClass> mappers() {
        return nobody();
    }

    @Test
    void shouldKnowNoOtherBroker() {
        checkAbsent(
                "broker-core is one broker alone",
                "io.grpc..",
                "com.google.protobuf..",
                "org.apache.zookeeper..",
                "org.apache.curator..");
    }

    @Test
    void shouldShowSegmentsToTheLogAlone() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage("io.tidemark.core.log..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.tidemark.core.log.segment..")
                .because("Log is the public face of a partition's files"));
    }

    /** S57: the high watermark belongs to replication, which hands the log a bound and no more. */
    @Test
    void shouldKeepTheHighWatermarkOutOfTheLog() {
        // Fails if: Log has a method highWatermark
        check(noMembers()
                .that()
                .areDeclaredInClassesThat()
                .resideInAPackage("io.tidemark.core.log..")
                .should()
                .haveNameMatching("(?i).*high_?watermark.*")
                .because("the log does not know why its committed bound moves (DESIGN section 3)"));
    }

    @Test
    void shouldDecideWithoutDoing() {
        checkDeciders(named("LogRetention", "RollPolicy", "CleanerPlanner"));
    }
}
