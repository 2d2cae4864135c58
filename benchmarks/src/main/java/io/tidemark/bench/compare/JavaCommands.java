package io.tidemark.bench.compare;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Command lines of Java processes. */
final class JavaCommands {
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final String PROBE = "io.tidemark.bench.probe.Probe";

    private JavaCommands() {}

    /** @param flags of the JVM */
    static List<String> java(List<String> flags, String classPath, String mainClass, List<String> arguments) {
        List<String> words = new ArrayList<>();
        words.add(JAVA);
        words.addAll(flags);
        words.add("-cp");
        words.add(classPath);
        words.add(mainClass);
        words.addAll(arguments);
        return words;
    }

    /** @param arguments in the order in which they are to stand */
    static List<String> probe(
            List<String> flags, String classPath, String system, String command, Map<String, String> arguments) {
        List<String> words = new ArrayList<>(List.of(system, command));
        arguments.forEach((key, value) -> words.add(key + "=" + value));
        return java(flags, classPath, PROBE, words);
    }
}
