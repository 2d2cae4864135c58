package io.tidemark.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/configuration.md} says what the keys say of themselves; the expected rows of a failure are what to put there. */
final class ConfigurationPageTest {
    private static final Path PAGE = Path.of("..", "docs", "configuration.md");

    private static String brokerRow(ConfigKey<?> key) {
        String value = key.defaultText()
                .map(text -> text.isEmpty() ? "empty" : "`" + text + "`")
                .orElse("required");
        return "| `" + key.name() + "` | " + key.type() + " | " + value + " | " + key.doc() + " |";
    }

    private static String topicRow(ConfigKey<?> key) {
        return "| `" + key.name() + "` | " + key.type() + " | " + key.doc() + " |";
    }

    @Test
    void shouldShowEveryKeyAsItIs() throws IOException {
        // given
        List<String> expected = Stream.concat(
                        BrokerConfig.definition().keys().stream().map(ConfigurationPageTest::brokerRow),
                        TopicConfig.definition().keys().stream().map(ConfigurationPageTest::topicRow))
                .toList();

        // when
        List<String> rows = Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("| `"))
                .toList();

        // then
        assertThat(rows).containsExactlyElementsOf(expected);
    }
}
