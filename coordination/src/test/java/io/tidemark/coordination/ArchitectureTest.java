package io.tidemark.coordination;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import io.tidemark.architecture.ArchitectureContract;
import org.junit.jupiter.api.Test;

/** The cluster's agreement: it knows ZooKeeper in one package, and no log at all. */
final class ArchitectureTest extends ArchitectureContract {
    private static final String ZOOKEEPER_ROOM = "io.tidemark.coordination.zookeeper..";

    @Override
    protected String[] visiblePackages() {
        return new String[] {
            "io.tidemark.coordination..",
            "io.tidemark.core.runtime..",
            "io.tidemark.core.config..",
            "io.tidemark.core.metrics.."
        };
    }

    @Override
    protected DescribedPredicate<JavaClass> mappers() {
        return resideInAPackage(ZOOKEEPER_ROOM);
    }

    @Test
    void shouldKnowZooKeeperInOnePackage() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage(ZOOKEEPER_ROOM)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.zookeeper..", "org.apache.curator..", "com.google.protobuf..")
                .because("everybody else speaks to ZkSession, which the simulator implements too"));
    }

    @Test
    void shouldKnowNoGrpc() {
        checkAbsent("commands leave through a port", "io.grpc..");
    }

    @Test
    void shouldDecideWithoutDoing() {
        checkDeciders(resideInAPackage("io.tidemark.coordination.cluster..")
                .or(named(
                        "FailureProbe",
                        "ProbePace",
                        "PushReceiver",
                        "PushSession",
                        "RegistrationRule",
                        "WriteEncoder")));
    }
}
