package io.tidemark.traceability;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which tests stand for which requirement or known bug, and what would make them fail.
 *
 * <p>The ids are listed in {@code docs/traceability.ids}. A test names one in a comment at its method or inside it, and there says
 * {@code Fails if: <a one-line change of the product>}; instead that change may be a patch in {@code docs/mutations}. The table of
 * all that is {@code docs/traceability.md}. What is still owed is listed in {@code docs/traceability.missing}, which may only
 * shrink: lines {@code S1} for an id without a test, {@code S1 mutation} for one without a change that breaks it.
 *
 * <p>Runs without anything but a JDK; from the root of the repository:
 *
 * <pre>
 * java system-tests/src/test/java/io/tidemark/traceability/Traceability.java --write
 * java system-tests/src/test/java/io/tidemark/traceability/Traceability.java --tests S1
 * </pre>
 */
public final class Traceability {
    static final String COMMAND = "java system-tests/src/test/java/io/tidemark/traceability/Traceability.java --write";
    static final String IDS = "docs/traceability.ids";
    static final String TABLE = "docs/traceability.md";
    static final String MISSING = "docs/traceability.missing";
    static final String MUTATIONS = "docs/mutations";

    private static final String MUTATION = " mutation";
    private static final Pattern ID = Pattern.compile(
            "\\b(S\\d{1,2}|I\\d{1,2}|KAFKA-\\d+|[\\w.-]+/[\\w.-]+#\\d+)\\b|\\b[Ss]cenario (\\d{1,2})\\b");
    private static final Pattern TEST =
            Pattern.compile("( +)@(?:Test|ParameterizedTest|RepeatedTest|TestFactory)\\b.*");
    private static final Pattern METHOD = Pattern.compile("(?:[\\w<>\\[\\]?]+ )+(\\w+)\\(.*");
    private static final Pattern BOUND = Pattern.compile("# No more than (\\d+) lines.*");
    private static final String FAILS_IF = "Fails if:";

    /** A test method, with what its comments say. */
    record TestMethod(String module, String name, Set<String> ids, String failsIf) {}

    private final Path root;
    private final List<String> ids;
    private final List<TestMethod> tests;
    private final Set<String> patches;

    Traceability(Path root) throws IOException {
        this.root = root;
        this.ids = lines(root.resolve(IDS));
        this.tests = scan(root);
        this.patches = patchesIn(root.resolve(MUTATIONS));
    }

    /** Writes the table, or prints the tests of an id. */
    public static void main(String[] arguments) throws IOException {
        Traceability traceability = new Traceability(Path.of(""));
        if (arguments.length == 2 && arguments[0].equals("--tests")) {
            traceability.testsOf(arguments[1]).forEach(test -> System.out.println(test.module() + " " + test.name()));
        } else if (arguments.length == 1 && arguments[0].equals("--write")) {
            traceability.write();
            traceability.complaints().forEach(System.err::println);
        } else {
            System.err.println("usage: --write | --tests ID");
            System.exit(64);
        }
    }

    /** What is not as it should be; empty if the build may go on. */
    List<String> complaints() throws IOException {
        List<String> complaints = new ArrayList<>();
        if (new TreeSet<>(ids).size() != ids.size()) {
            complaints.add(IDS + " names an id twice");
        }
        Set<String> owed = owed();
        Set<String> listed = new TreeSet<>(lines(root.resolve(MISSING)));
        for (String line : owed) {
            if (!listed.contains(line)) {
                complaints.add(
                        line + ": no test names it" + (line.endsWith(MUTATION) ? " with what makes it fail" : ""));
            }
        }
        for (String line : listed) {
            if (!owed.contains(line)) {
                complaints.add(line + ": is not missing any more, or not an id: take it out of " + MISSING);
            }
        }
        if (listed.size() > bound()) {
            complaints.add(MISSING + " may only shrink");
        }
        for (String patch : patches) {
            if (ids.stream()
                    .noneMatch(id -> fileName(id).equals(patch) && !testsOf(id).isEmpty())) {
                complaints.add(MUTATIONS + "/" + patch + " belongs to no id that has a test");
            }
        }
        if (!table().equals(Files.readString(root.resolve(TABLE)))) {
            complaints.add(TABLE + " is not what the tests say; from the root of the repository: " + COMMAND);
        }
        return complaints;
    }

    /** The table of all ids. */
    String table() {
        StringBuilder text = new StringBuilder("# Traceability\n\n");
        text.append(
                        "Which tests stand for which requirement (`S1`), safety rule (`I1`), test scenario (`scenario 1`) or known bug (by its public id),")
                .append(" and a change of the product that\nmakes them fail. Made from the comments of the tests by `")
                .append(COMMAND)
                .append(
                        "`; not to be\nedited. The ids stand in [traceability.ids](traceability.ids), what is still owed in")
                .append(
                        " [traceability.missing](traceability.missing).\n`build-tools/draw-mutations` draws some of the")
                .append(" patches and shows that the tests see them.\n\n");
        text.append("| id | tests | fails if |\n|---|---|---|\n");
        for (String id : ids) {
            text.append("| ")
                    .append(id)
                    .append(" | ")
                    .append(testCell(id))
                    .append(" | ")
                    .append(changeCell(id));
            text.append(" |\n");
        }
        return text.toString();
    }

    List<TestMethod> testsOf(String id) {
        return tests.stream().filter(test -> test.ids().contains(id)).toList();
    }

    /** The patch file of an id. */
    static String fileName(String id) {
        return id.replaceAll("[^A-Za-z0-9]+", "-") + ".patch";
    }

    /** The test methods of a source file. */
    static List<TestMethod> scan(String module, String type, List<String> source) {
        List<TestMethod> found = new ArrayList<>();
        for (int i = 0; i < source.size(); i++) {
            Matcher test = TEST.matcher(source.get(i));
            if (test.matches()) {
                found.add(testAt(module, type, source, new At(i, test.group(1))));
            }
        }
        return found;
    }

    /** The line of a test's annotation, and how far it is indented. */
    private record At(int line, String indent) {}

    private static TestMethod testAt(String module, String type, List<String> source, At at) {
        int first = at.line();
        while (first > 0 && belongsAbove(source.get(first - 1).strip())) {
            first--;
        }
        int declaration = at.line();
        Matcher method = METHOD.matcher("");
        while (!method.matches() && declaration + 1 < source.size()) {
            declaration++;
            String line = source.get(declaration);
            boolean isMember = line.startsWith(at.indent()) && !line.startsWith(at.indent() + " ");
            method = METHOD.matcher(isMember ? line.substring(at.indent().length()) : "");
        }
        int last = declaration;
        while (last + 1 < source.size() && !source.get(last).equals(at.indent() + "}")) {
            last++;
        }
        String comments = comments(source.subList(first, last + 1));
        String name = type + "#" + (method.matches() ? method.group(1) : "?");
        return new TestMethod(module, name, idsIn(comments), failsIf(comments));
    }

    private static boolean belongsAbove(String line) {
        return line.startsWith("*") || line.startsWith("/*") || line.startsWith("//") || line.startsWith("@");
    }

    private static String comments(List<String> source) {
        StringBuilder text = new StringBuilder();
        for (String line : source) {
            String stripped = line.strip();
            int slashes = line.indexOf("// ");
            if (stripped.startsWith("*") || stripped.startsWith("/*")) {
                text.append(stripped.replaceAll("^/?\\*+/?|\\*/$", "").strip()).append('\n');
            } else if (slashes >= 0) {
                // Behind code it is a remark of its own.
                text.append(stripped.startsWith("//") ? "" : "\n");
                text.append(line.substring(slashes + 3).strip()).append('\n');
            } else {
                text.append('\n');
            }
        }
        return text.toString();
    }

    private static Set<String> idsIn(String comments) {
        Set<String> ids = new TreeSet<>();
        Matcher id = ID.matcher(comments);
        while (id.find()) {
            ids.add(id.group(1) != null ? id.group(1) : "scenario " + id.group(2));
        }
        return ids;
    }

    /** What stands behind the words, up to the end of the comment. */
    private static String failsIf(String comments) {
        List<String> all = new ArrayList<>();
        int at = comments.indexOf(FAILS_IF);
        while (at >= 0) {
            String rest = comments.substring(at + FAILS_IF.length());
            int next = rest.indexOf(FAILS_IF);
            String own = next < 0 ? rest : rest.substring(0, next);
            all.add(own.split("\n\n|\n(given|when|then)", 2)[0]
                    .replace('\n', ' ')
                    .strip());
            at = comments.indexOf(FAILS_IF, at + 1);
        }
        return String.join("; ", all);
    }

    private void write() throws IOException {
        Set<String> owed = owed();
        List<String> left = new ArrayList<>();
        lines(root.resolve(MISSING)).stream().filter(owed::contains).forEach(left::add);
        List<String> text = new ArrayList<>();
        text.add("# No more than " + Math.min(bound(), left.size()) + " lines follow; the number may only fall.");
        text.addAll(left);
        Files.writeString(root.resolve(MISSING), String.join("\n", text) + "\n");
        Files.writeString(root.resolve(TABLE), table());
    }

    private Set<String> owed() {
        Set<String> owed = new TreeSet<>();
        for (String id : ids) {
            if (testsOf(id).isEmpty()) {
                owed.add(id);
            } else if (changeCell(id).isEmpty()) {
                owed.add(id + MUTATION);
            }
        }
        return owed;
    }

    private String testCell(String id) {
        Map<String, List<String>> byModule = new LinkedHashMap<>();
        for (TestMethod test : testsOf(id)) {
            byModule.computeIfAbsent(test.module(), module -> new ArrayList<>()).add("`" + test.name() + "`");
        }
        List<String> cells = new ArrayList<>();
        byModule.forEach((module, names) -> cells.add(module + ": " + String.join(", ", names)));
        return cells.isEmpty() ? "none yet" : String.join("; ", cells);
    }

    private String changeCell(String id) {
        List<String> changes = new ArrayList<>();
        if (patches.contains(fileName(id))) {
            changes.add("[" + fileName(id) + "](mutations/" + fileName(id) + ")");
        }
        testsOf(id).stream()
                .map(test -> test.failsIf().replace("|", "\\|"))
                .filter(text -> !text.isEmpty())
                .distinct()
                .forEach(changes::add);
        return String.join("; ", changes);
    }

    private int bound() throws IOException {
        List<String> lines = Files.readAllLines(root.resolve(MISSING));
        Matcher bound = BOUND.matcher(lines.isEmpty() ? "" : lines.get(0));
        return bound.matches() ? Integer.parseInt(bound.group(1)) : 0;
    }

    private static List<String> lines(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .toList();
    }

    private static Set<String> patchesIn(Path directory) throws IOException {
        Set<String> names = new TreeSet<>();
        for (Path file : list(directory)) {
            String name = String.valueOf(file.getFileName());
            if (name.endsWith(".patch")) {
                names.add(name);
            }
        }
        return names;
    }

    private static List<TestMethod> scan(Path root) throws IOException {
        List<TestMethod> all = new ArrayList<>();
        for (Path module : list(root)) {
            Path sources = module.resolve("src/test/java");
            if (Files.isDirectory(sources)) {
                for (Path file : sourcesIn(sources)) {
                    String type = String.valueOf(file.getFileName()).replace(".java", "");
                    all.addAll(scan(String.valueOf(module.getFileName()), type, Files.readAllLines(file)));
                }
            }
        }
        return all;
    }

    private static List<Path> sourcesIn(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .toList();
        }
    }

    private static List<Path> list(Path directory) throws IOException {
        if (!Files.isDirectory(directory.toAbsolutePath())) {
            return Collections.emptyList();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }
}
