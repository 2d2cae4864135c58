package io.tidemark.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * What every module promises: it sees only what lies below it, stops generated messages at its mappers, and takes time,
 * chance and order from outside (DESIGN section 2). Each module's {@code ArchitectureTest} names its own arrows and adds
 * the rules that are its own.
 *
 * <p>The classes are read from the module's {@code target} folder, so the rules see what was compiled and nothing else.
 */
public abstract class ArchitectureContract {
    /** The values, formats and ports of {@code proto}, which every module sees; its generated messages are a case apart. */
    private static final String[] SHARED = {"io.tidemark.model..", "io.tidemark.record..", "io.tidemark.runtime.."};

    private static final DescribedPredicate<JavaClass> GENERATED = resideInAPackage("io.tidemark.wire..");

    private static final JavaClasses MAIN = compiledTo("target/classes");
    private static final JavaClasses TESTS = compiledTo("target/test-classes");

    /** The packages of Tidemark, beside those of {@code proto}, that this module's main code may name, its own included. */
    protected abstract String[] visiblePackages();

    /** The classes of this module that may name generated messages. */
    protected abstract DescribedPredicate<JavaClass> mappers();

    @Test
    final void shouldSeeOnlyWhatLiesBelow() {
        check(classes()
                .should()
                .onlyDependOnClassesThat(not(resideInAPackage("io.tidemark.."))
                        .or(GENERATED)
                        .or(resideInAnyPackage(SHARED))
                        .or(resideInAnyPackage(visiblePackages())))
                .because("the arrows between the modules point one way (DESIGN section 2)"));
    }

    @Test
    final void shouldStopGeneratedMessagesAtTheMappers() {
        check(noClasses()
                .that(not(mappers()))
                .should()
                .dependOnClassesThat(GENERATED)
                .because("generated messages stop at the mappers (DESIGN section 2)"));
    }

    @Test
    final void shouldTakeTimeAndChanceFromOutside() {
        check(noClasses()
                .that(not(Bans.SYSTEM_SHELLS))
                .should()
                .accessTargetWhere(Bans.CLOCK_READ.or(Bans.SLEEP).or(Bans.CHANCE))
                .because("time, scheduling and randomness are passed in (DESIGN section 2, rule 2)"));
    }

    @Test
    final void shouldKeepOneOrderWhereRunsAreReplayed() {
        check(noClasses()
                .that(resideInAnyPackage(Bans.REPLAYED_PACKAGES))
                .should()
                .accessTargetWhere(Bans.UNSTABLE_ORDER)
                .because("a simulated run is replayed byte for byte from its seed (DESIGN section 2, rule 3)"));
    }

    @Test
    final void shouldKeepOneOrderInTheSimulatorWhereverItStands() {
        checkTests(noClasses()
                .that(resideInAPackage(Bans.SIMULATOR_PACKAGE))
                .should()
                .accessTargetWhere(Bans.UNSTABLE_ORDER)
                .because("a simulated run is replayed byte for byte from its seed (DESIGN section 2, rule 3)"));
    }

    @Test
    final void shouldUseTheTestKitInTestsOnly() {
        check(noClasses()
                .that(not(resideInAnyPackage(
                        "io.tidemark.core.testkit..", "io.tidemark.sim..", "io.tidemark.systemtests..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.tidemark.core.testkit..")
                .because("the fakes are in main for the simulator's sake, and no broker runs on them"));
    }

    @Test
    final void shouldWaiveSafetyRulesInTheSimulatorOnly() {
        check(noClasses()
                .that(not(resideInAPackage("io.tidemark.sim..")))
                .should()
                .accessTargetWhere(Bans.WAIVER)
                .because("a broker keeps every safety rule; tests and the simulator plant faults (docs/rules.md)"));
    }

    @Test
    final void shouldNeverSleepInTests() {
        checkTests(noClasses()
                .should()
                .accessTargetWhere(Bans.SLEEP)
                .because("a test that waits for a time is slow, or wrong, or both"));
    }

    @Test
    final void shouldReadClocksInIntegrationTestsOnly() {
        checkTests(noClasses()
                .that(not(Bans.INTEGRATION_TESTS))
                .should()
                .accessTargetWhere(Bans.CLOCK_READ)
                .because("below the integration level the test owns the clock"));
    }

    @Test
    final void shouldDrawTestDataFromSeeds() {
        checkTests(noClasses()
                .should()
                .accessTargetWhere(Bans.UNSEEDED_CHANCE)
                .because("a failed run is repeated from its seed; only the seed itself may come from SecureRandom"));
    }

    @Test
    final void shouldAwaitInIntegrationTestsOnly() {
        checkTests(noClasses()
                .that(not(Bans.INTEGRATION_TESTS))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.awaitility..")
                .because("below the integration level the test owns the clock"));
    }

    /** Holds the module's main code to {@code rule}; a rule that finds nothing to say passes. */
    protected static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(MAIN);
    }

    /** Holds the classes that decide to rule 1 of DESIGN section 2: they do nothing themselves. */
    protected static void checkDeciders(DescribedPredicate<JavaClass> deciders) {
        ArchRule noMachinery = noClasses()
                .that(deciders)
                .should()
                .dependOnClassesThat(Bans.MACHINERY)
                .orShould()
                .accessTargetWhere(Bans.MONITOR)
                .because("deciders decide without doing (DESIGN section 2, rule 1)");
        ArchRule noLock = noMethods()
                .that()
                .areDeclaredInClassesThat(deciders)
                .should()
                .haveModifier(JavaModifier.SYNCHRONIZED)
                .because("deciders hold no lock (DESIGN section 2, rule 1)");
        check(CompositeArchRule.of(noMachinery.allowEmptyShould(true)).and(noLock.allowEmptyShould(true)));
    }

    /** Holds the module's main code to naming nothing from {@code packages}. */
    protected static void checkAbsent(String reason, String... packages) {
        check(noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages)
                .because(reason));
    }

    /** No class at all: for modules without mappers. */
    protected static DescribedPredicate<JavaClass> nobody() {
        return DescribedPredicate.<JavaClass>alwaysFalse().as("nobody");
    }

    /** The classes with one of these simple names, and what is declared inside them. */
    protected static DescribedPredicate<JavaClass> named(String... simpleNames) {
        return Bans.outermostNamed("named " + String.join(", ", simpleNames), Set.of(simpleNames)::contains);
    }

    private static void checkTests(ArchRule rule) {
        rule.allowEmptyShould(true).check(TESTS);
    }

    private static JavaClasses compiledTo(String folder) {
        // Names are all these rules need; reading the libraries' class files as well would cost seconds per module.
        ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
        return new ClassFileImporter()
                .withImportOption(location -> !location.contains("/io/tidemark/wire/"))
                .withImportOption(location -> !location.contains("/jmh_generated/"))
                .importPath(folder);
    }
}
