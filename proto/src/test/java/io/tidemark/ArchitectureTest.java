package io.tidemark;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import io.tidemark.architecture.ArchitectureContract;
import org.junit.jupiter.api.Test;

/** The contract knows nobody, and its values and ports do not know its messages. */
final class ArchitectureTest extends ArchitectureContract {
    private static final DescribedPredicate<JavaClass> VALUES_AND_PORTS =
            resideInAnyPackage("io.tidemark.model..", "io.tidemark.record..", "io.tidemark.runtime..");

    @Override
    protected String[] visiblePackages() {
        return new String[0];
    }

    @Override
    protected DescribedPredicate<JavaClass> mappers() {
        return not(VALUES_AND_PORTS);
    }

    @Test
    void shouldKeepValuesAndPortsFreeOfTheWire() {
        check(noClasses()
                .that(VALUES_AND_PORTS)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.grpc..", "com.google.protobuf..")
                .because("a decider that uses them must not learn of gRPC"));
    }
}
