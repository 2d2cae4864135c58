package io.tidemark.traceability;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Whether the patches of {@code docs/mutations} fit the sources: the lines that each hunk removes, with those around them, stand
 * in its file, and in one place only. A patch that does not has to be made anew when the code that it changes has moved on.
 */
final class PatchCheck {
    private static final String TARGET = "+++ b/";
    private static final String SOURCE = "--- ";

    private final Path root;

    /** A run of lines of a patch, as they are before it and behind it. */
    private record Hunk(String file, List<String> before, List<String> after) {
        private Hunk(String file) {
            this(file, new ArrayList<>(), new ArrayList<>());
        }

        private void add(String line) {
            String text = line.isEmpty() ? "" : line.substring(1);
            if (!line.startsWith("+")) {
                before.add(text);
            }
            if (!line.startsWith("-")) {
                after.add(text);
            }
        }
    }

    PatchCheck(Path root) {
        this.root = root;
    }

    /** What does not fit, patch by patch. */
    List<String> complaints() throws IOException {
        List<String> complaints = new ArrayList<>();
        Path directory = root.resolve(Traceability.MUTATIONS);
        if (Files.isDirectory(directory)) {
            for (Path patch : patchesIn(directory)) {
                check(patch, complaints);
            }
        }
        return complaints;
    }

    private static List<Path> patchesIn(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".patch"))
                    .sorted()
                    .toList();
        }
    }

    private void check(Path patch, List<String> complaints) throws IOException {
        List<Hunk> hunks = hunksOf(Files.readAllLines(patch));
        if (hunks.isEmpty()) {
            complaints.add(patch.getFileName() + " changes nothing");
        }
        for (Hunk hunk : hunks) {
            int places = places(hunk);
            if (places != 1 || hunk.before().equals(hunk.after())) {
                complaints.add(patch.getFileName() + " does not fit " + hunk.file() + ": what it changes is there "
                        + places + " times");
            }
        }
    }

    /** How often what the hunk changes is in its file. */
    private int places(Hunk hunk) throws IOException {
        Path file = root.resolve(hunk.file());
        if (!Files.isRegularFile(file)) {
            return 0;
        }
        List<String> lines = Files.readAllLines(file);
        int length = hunk.before().size();
        int places = 0;
        for (int at = 0; at + length <= lines.size(); at++) {
            if (lines.subList(at, at + length).equals(hunk.before())) {
                places++;
            }
        }
        return places;
    }

    private static List<Hunk> hunksOf(List<String> patch) {
        List<Hunk> hunks = new ArrayList<>();
        String file = "";
        for (String line : patch) {
            if (line.startsWith(TARGET)) {
                file = line.substring(TARGET.length());
            } else if (line.startsWith("@@")) {
                hunks.add(new Hunk(file));
            } else if (!hunks.isEmpty() && !line.startsWith(SOURCE) && !line.startsWith("\\")) {
                hunks.get(hunks.size() - 1).add(line);
            }
        }
        return hunks;
    }
}
