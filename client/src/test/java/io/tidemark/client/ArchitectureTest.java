package io.tidemark.client;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameEndingWith;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import io.tidemark.architecture.ArchitectureContract;
import org.junit.jupiter.api.Test;

/** What an application links: it knows the contract and no broker code. */
final class ArchitectureTest extends ArchitectureContract {
    @Override
    protected String[] visiblePackages() {
        return new String[] {"io.tidemark.client.."};
    }

    @Override
    protected DescribedPredicate<JavaClass> mappers() {
        return resideInAPackage("io.tidemark.client.net..").or(simpleNameEndingWith("Mapper"));
    }

    @Test
    void shouldKnowNoZooKeeper() {
        checkAbsent("clients learn the cluster from brokers", "org.apache.zookeeper..", "org.apache.curator..");
    }

    @Test
    void shouldDecideWithoutDoing() {
        checkDeciders(named("BatchAccumulator", "FetchBuffer", "RetryRules"));
    }
}
