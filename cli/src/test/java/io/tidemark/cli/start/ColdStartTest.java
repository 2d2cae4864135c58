package io.tidemark.cli.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.Tidemark;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** OPERATIONS 1.1: what needs no cluster does not wait for the machinery that reaches one. */
final class ColdStartTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {"--help", "topic create --help", "completion bash", "error NOT_CONTROLLER", "log dump x.log"})
    void shouldNotLoadGrpcNorNettyNorLogging(String arguments) throws IOException, InterruptedException {
        // given
        Path classes = directory.resolve("classes");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xlog:class+load:file=" + classes,
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Tidemark.class.getName()));
        command.addAll(Arrays.asList(arguments.split(" ", -1)));

        // when
        int status = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("out").toFile())
                .start()
                .waitFor();

        // then
        assertThat(status).isBetween(0, 1);
        assertThat(Files.readString(classes, StandardCharsets.UTF_8))
                .contains(" picocli.CommandLine ")
                .doesNotContain(" io.grpc.", " com.google.protobuf.", " io.tidemark.wire.", " org.slf4j.", " ch.qos.");
    }
}
