package io.tidemark.cli;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import io.tidemark.architecture.ArchitectureContract;
import org.junit.jupiter.api.Test;

/** The operator's tool: a client, and a reader of files and nodes that it never writes. */
final class ArchitectureTest extends ArchitectureContract {
    @Override
    protected String[] visiblePackages() {
        return new String[] {
            "io.tidemark.cli..",
            "io.tidemark.client..",
            "io.tidemark.core.log.offline..",
            "io.tidemark.core.checkpoint..",
            "io.tidemark.coordination.zookeeper.inspect.."
        };
    }

    @Override
    protected DescribedPredicate<JavaClass> mappers() {
        return nobody();
    }

    @Test
    void shouldSpeakThroughTheClient() {
        checkAbsent(
                "the command line has no logic that the client's Admin lacks",
                "io.grpc..",
                "org.apache.zookeeper..",
                "org.apache.curator..");
    }
}
