package io.tidemark.server;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import io.tidemark.architecture.ArchitectureContract;
import org.junit.jupiter.api.Test;

/** The broker process: it sees the whole broker, and speaks gRPC at two edges. */
final class ArchitectureTest extends ArchitectureContract {
    @Override
    protected String[] visiblePackages() {
        return new String[] {
            "io.tidemark.core..",
            "io.tidemark.replication..",
            "io.tidemark.coordination..",
            "io.tidemark.server..",
            "io.tidemark.client.."
        };
    }

    @Override
    protected DescribedPredicate<JavaClass> mappers() {
        return resideInAnyPackage("io.tidemark.server.rpc..", "io.tidemark.server.peer..");
    }

    @Test
    void shouldSeeTheLogNotItsSegments() {
        checkAbsent("Log is the public face of a partition's files", "io.tidemark.core.log.segment..");
    }

    @Test
    void shouldUseTheClientForThePlainApiOnly() {
        check(noClasses()
                .that(not(resideInAPackage("io.tidemark.server.plain..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.tidemark.client..")
                .because("only the plain API is a client of the cluster (docs/decisions/0004)"));
    }

    @Test
    void shouldDecideWithoutDoing() {
        checkDeciders(named("GroupMachine"));
    }
}
