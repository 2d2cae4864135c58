package io.tidemark.cli.log;

import io.tidemark.core.log.offline.Finding;
import io.tidemark.core.log.offline.LogVerifier;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** What is told while files are looked through: the first findings, and how far it is, which any thread may ask. */
final class Heard implements LogVerifier.Listener {
    /** Findings that are kept; a rotten disk has more than anybody reads. */
    private static final int KEPT = 1_000;

    private final List<Finding> findings = new ArrayList<>();
    private final AtomicLong bytes = new AtomicLong();
    private long notKept;

    @Override
    public void found(Finding finding) {
        if (findings.size() < KEPT) {
            findings.add(finding);
        } else {
            notKept++;
        }
    }

    @Override
    public void read(long more) {
        bytes.addAndGet(more);
    }

    List<Finding> findings() {
        return findings;
    }

    /** Findings beyond those that were kept. */
    long notKept() {
        return notKept;
    }

    /** Bytes that were read so far. */
    long bytes() {
        return bytes.get();
    }
}
