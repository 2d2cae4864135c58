package io.tidemark.core.log;

import kafka.tools.DumpLogSegments;

/** Runs Kafka's dump tool over log and index files, in a process of its own: the tool writes to standard output. */
final class KafkaDumpMain {
    private KafkaDumpMain() {}

    public static void main(String[] args) {
        String logs = args[0];
        String indexes = args[1];
        DumpLogSegments.main(new String[] {"--files", logs, "--deep-iteration", "--print-data-log"});
        DumpLogSegments.main(new String[] {"--files", indexes});
        DumpLogSegments.main(new String[] {"--files", indexes, "--index-sanity-check"});
        DumpLogSegments.main(new String[] {"--files", indexes, "--verify-index-only"});
        String timeIndexes = args[2];
        DumpLogSegments.main(new String[] {"--files", timeIndexes});
        DumpLogSegments.main(new String[] {"--files", timeIndexes, "--index-sanity-check"});
        DumpLogSegments.main(new String[] {"--files", timeIndexes, "--verify-index-only"});
    }
}
