package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** OPERATIONS 1.1: every command explains itself, from one model. */
final class HelpTest {
    private static final int WIDTH = 80;
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

    static Stream<String> commands() {
        List<String> names = new ArrayList<>();
        collect(Tidemark.commandLine().getCommandSpec(), names);
        return names.stream();
    }

    private static void collect(CommandSpec spec, List<String> names) {
        names.add(spec.qualifiedName());
        spec.subcommands().values().forEach(sub -> collect(sub.getCommandSpec(), names));
    }

    private static CommandSpec spec(String qualifiedName) {
        CommandLine line = Tidemark.commandLine();
        for (String name : qualifiedName.split(" ", -1)) {
            line = name.equals("tidemark") ? line : line.getSubcommands().get(name);
        }
        return line.getCommandSpec();
    }

    private static List<String> examples(CommandSpec spec) {
        return Arrays.stream(spec.usageMessage().footer())
                .filter(line -> line.startsWith("  "))
                .map(line -> line.strip().replace("%%", "%"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldHaveADescriptionAndExamples(String name) {
        // given
        CommandSpec spec = spec(name);

        // then
        assertThat(spec.usageMessage().description()).isNotEmpty();
        assertThat(spec.usageMessage().footerHeading()).contains("Examples:");
        assertThat(examples(spec))
                .hasSizeBetween(2, 3)
                .allSatisfy(example ->
                        assertThat(example).hasSizeLessThan(WIDTH - 2).contains("tidemark"));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldGiveExamplesThatCanBeTyped(String name) {
        examples(spec(name)).forEach(example -> {
            String command = example.replaceAll("^.*?\\btidemark ", "").replaceAll(" *([|>)]|&&).*", "");
            Tidemark.commandLine().parseArgs(words(command));
        });
    }

    private static String[] words(String command) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(command);
        while (matcher.find()) {
            words.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
        }
        return words.toArray(String[]::new);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldDescribeEveryOptionWithItsDefault(String name) {
        // given
        CommandSpec spec = spec(name);

        // then
        assertThat(spec.positionalParameters())
                .allSatisfy(parameter -> assertThat(parameter.description()).isNotEmpty());
        assertThat(spec.options())
                .filteredOn(option -> !option.usageHelp() && !option.versionHelp())
                .allSatisfy(HelpTest::checkDefault);
    }

    private static void checkDefault(OptionSpec option) {
        String description = String.join(" ", option.description());
        assertThat(description).as(option.longestName()).isNotBlank();
        if (!option.required()) {
            assertThat(description).as(option.longestName()).contains("default");
        }
    }

    @Test
    void shouldListEveryCommandWithTheFirstLineOfItsDescription() {
        assertThat(Commands.ALL).allSatisfy(entry -> {
            CommandSpec whole = entry.whole().getCommandSpec();
            assertThat(whole.name()).isEqualTo(entry.name());
            assertThat(whole.usageMessage().description()[0]).isEqualTo(entry.summary());
        });
    }

    @Test
    void shouldReadTheCalledCommandWholeAndTheOthersInOutline() {
        // when
        CommandLine line = Tidemark.commandLine("topic");

        // then
        assertThat(line.getSubcommands().keySet())
                .containsExactlyElementsOf(
                        Tidemark.commandLine().getSubcommands().keySet());
        assertThat(line.getSubcommands().get("topic").getSubcommands()).containsKeys("create", "list");
        assertThat(line.getSubcommands().get("dev").getSubcommands()).isEmpty();
    }
}
