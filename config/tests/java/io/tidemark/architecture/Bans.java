package io.tidemark.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import java.util.Set;
import java.util.function.Predicate;

/** What the rules speak of: calls and references by which time, chance, order and machinery would slip in. */
final class Bans {
    /** The only classes that may read a clock, sleep or roll dice: they implement the ports. */
    static final DescribedPredicate<JavaClass> SYSTEM_SHELLS = resideInAPackage("io.tidemark.core.runtime..")
            .or(resideInAPackage("io.tidemark.runtime..")
                    .and(outermostNamed("named System*", name -> name.startsWith("System"))))
            .as("the system shells");

    static final DescribedPredicate<JavaClass> INTEGRATION_TESTS =
            outermostNamed("integration tests", name -> name.endsWith("IT"));

    static final String SIMULATOR_PACKAGE = "io.tidemark..sim..";

    /** Where a run must come out the same, to the byte, from the same seed. */
    static final String[] REPLAYED_PACKAGES = {
        "io.tidemark.replication..", "io.tidemark.coordination..", "io.tidemark.core.testkit..", SIMULATOR_PACKAGE
    };

    static final DescribedPredicate<JavaAccess<?>> CLOCK_READ = access(
            "a system clock",
            target -> target.is("java.lang.System", "currentTimeMillis", "nanoTime")
                    || (target.owner().startsWith("java.time.") && target.name().equals("now"))
                    || (target.owner().equals("java.time.Clock")
                            && target.name().startsWith("system"))
                    || target.isDefaultConstructor("java.util.Date"));

    static final DescribedPredicate<JavaAccess<?>> SLEEP = access(
            "a sleep",
            target -> target.is("java.lang.Thread", "sleep") || target.is("java.util.concurrent.TimeUnit", "sleep"));

    static final DescribedPredicate<JavaAccess<?>> UNSEEDED_CHANCE = access(
            "unseeded randomness",
            target -> target.is("java.lang.Math", "random")
                    || target.is("java.util.UUID", "randomUUID")
                    || target.is("java.util.concurrent.ThreadLocalRandom", "current")
                    || target.isDefaultConstructor("java.util.Random")
                    || target.isDefaultConstructor("java.util.SplittableRandom"));

    static final DescribedPredicate<JavaAccess<?>> CHANCE = access(
                    "a generator of its own",
                    target -> target.isConstructor("java.util.Random")
                            || target.isConstructor("java.util.SplittableRandom")
                            || target.isConstructor("java.security.SecureRandom"))
            .or(UNSEEDED_CHANCE);

    static final DescribedPredicate<JavaAccess<?>> UNSTABLE_ORDER = access(
            "an order that differs from run to run",
            target -> target.is("java.util.Set", "of", "copyOf")
                    || target.is("java.util.Map", "of", "ofEntries", "copyOf")
                    || target.is("java.util.stream.Collectors", "toUnmodifiableSet", "toUnmodifiableMap")
                    || target.is("java.lang.System", "identityHashCode")
                    || target.isConstructor("java.util.IdentityHashMap")
                    || target.name().equals("parallelStream")
                    || (target.owner().startsWith("java.util.stream.")
                            && target.name().equals("parallel")));

    static final DescribedPredicate<JavaAccess<?>> WAIVER =
            access("a safety rule that is waived", target -> target.is("io.tidemark.model.SafetyRules", "without"));

    static final DescribedPredicate<JavaAccess<?>> MONITOR =
            access("a monitor", target -> target.is("java.lang.Object", "wait", "notify", "notifyAll"));

    /** Threads, locks, files and wires. Plain values of java.util.concurrent (units, futures handed out) are none. */
    static final DescribedPredicate<JavaClass> MACHINERY = resideInAnyPackage(
                    "java.util.concurrent..",
                    "java.nio.file..",
                    "java.nio.channels..",
                    "java.net..",
                    "io.tidemark.core.io..",
                    "io.tidemark.wire..",
                    "org.apache.curator..",
                    "org.apache.zookeeper..",
                    "io.grpc..")
            .and(outermostNamed(
                    "other than a value",
                    name -> !Set.of("TimeUnit", "CompletableFuture", "CompletionStage")
                            .contains(name)))
            .or(outermostNamed("a thread", Set.of("Thread", "ThreadLocal", "ThreadGroup")::contains)
                    .and(resideInAPackage("java.lang")))
            .or(outermostNamed("a file", name -> name.startsWith("File") || name.equals("RandomAccessFile"))
                    .and(resideInAPackage("java.io")))
            .as("threads, locks, files, ZooKeeper or gRPC");

    private Bans() {}

    /** Matches by the simple name of the outermost class, so that nested classes and lambdas count with their owner. */
    static DescribedPredicate<JavaClass> outermostNamed(String description, Predicate<String> simpleName) {
        return DescribedPredicate.describe(description, type -> simpleName.test(outermostName(type)));
    }

    private static String outermostName(JavaClass type) {
        String unqualified = type.getName().substring(type.getName().lastIndexOf('.') + 1);
        int nested = unqualified.indexOf('$');
        return nested < 0 ? unqualified : unqualified.substring(0, nested);
    }

    private static DescribedPredicate<JavaAccess<?>> access(String description, Predicate<Target> banned) {
        return DescribedPredicate.describe(description, access -> banned.test(Target.of(access)));
    }

    /** The called or referenced side of an access, by name. */
    private record Target(String owner, String name, int parameterCount) {
        static Target of(JavaAccess<?> access) {
            String owner = access.getTargetOwner().getName();
            String name = access.getTarget().getName();
            int parameters = access.getTarget() instanceof AccessTarget.CodeUnitAccessTarget unit
                    ? unit.getRawParameterTypes().size()
                    : 0;
            return new Target(owner, name, parameters);
        }

        boolean is(String type, String... names) {
            return owner.equals(type) && Set.of(names).contains(name);
        }

        boolean isConstructor(String type) {
            return owner.equals(type) && name.equals(JavaConstructor.CONSTRUCTOR_NAME);
        }

        boolean isDefaultConstructor(String type) {
            return isConstructor(type) && parameterCount == 0;
        }
    }
}
