package io.tidemark.core.log.offline;

import java.nio.file.Path;

/** Tells the first findings about a file one by one and the rest as a number: one wrong byte may put every later entry out of order. */
final class FewFindings {
    private static final int TOLD = 5;

    private final VerifyRun run;
    private final Path file;
    private final String next;
    private long count;

    FewFindings(VerifyRun run, Path file, String next) {
        this.run = run;
        this.file = file;
        this.next = next;
    }

    void add(long position, long offset, String what) {
        count++;
        if (count <= TOLD) {
            run.found(new Finding(file, position, offset, what, next));
        }
    }

    /** Tells how many were not told. */
    void end() {
        if (count > TOLD) {
            run.found(Finding.ofFile(file, (count - TOLD) + " more entries of this file are wrong", next));
        }
    }
}
