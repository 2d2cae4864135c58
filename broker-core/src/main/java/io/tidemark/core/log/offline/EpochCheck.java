package io.tidemark.core.log.offline;

import io.tidemark.core.log.LeaderEpochCheckpoint;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Compares the epoch file of a partition with the headers of its batches, which are the truth (DESIGN section 3). */
final class EpochCheck implements CrossCheck {
    private static final String NEXT =
            "batch headers are the truth: the next start rebuilds the file from them; of a running"
                    + " broker the file follows within a second";
    private static final int NONE = -1;

    private final FewFindings findings;
    private final List<EpochEntry> entries;
    private int next;
    private int toldInFile = NONE;
    private int toldInHeader = NONE;

    /** Reads the epoch file of a partition, which is there; tells what is wrong with it alone. Empty if it is damaged. */
    static Optional<EpochCheck> of(VerifyRun run, Path partitionDirectory) {
        Path file = partitionDirectory.resolve(LeaderEpochCheckpoint.FILE_NAME);
        run.countFile();
        Optional<List<EpochEntry>> entries = EpochFile.read(run.io(), partitionDirectory);
        if (entries.isEmpty()) {
            run.found(Finding.ofFile(
                    file, "the file is damaged", "nothing is lost: the next start rebuilds it from the batches"));
        }
        return entries.map(read -> new EpochCheck(run, file, read));
    }

    private EpochCheck(VerifyRun run, Path file, List<EpochEntry> entries) {
        this.findings = new FewFindings(run, file, NEXT);
        this.entries = entries;
        for (int i = 1; i < entries.size(); i++) {
            EpochEntry before = entries.get(i - 1);
            EpochEntry entry = entries.get(i);
            if (entry.epoch() <= before.epoch() || entry.startOffset() < before.startOffset()) {
                findings.add(
                        Finding.UNKNOWN,
                        entry.startOffset(),
                        "epoch " + entry.epoch() + " from offset " + entry.startOffset() + " does not rise above epoch "
                                + before.epoch() + " from offset " + before.startOffset());
            }
        }
    }

    @Override
    public void onBatch(Path logFile, StoredBatch batch) {
        while (next < entries.size() && entries.get(next).startOffset() <= batch.baseOffset()) {
            next++;
        }
        // The first entry begins where the log does, which may be inside a batch; what is below is not the file's
        // matter.
        boolean isBelowTheLog = next == 0 && !entries.isEmpty();
        if (isBelowTheLog) {
            return;
        }
        int inFile = next == 0 ? NONE : entries.get(next - 1).epoch();
        if (inFile != batch.leaderEpoch()) {
            disagree(inFile, logFile, batch);
        } else if (next < entries.size() && entries.get(next).startOffset() <= batch.lastOffset()) {
            findings.add(
                    Finding.UNKNOWN,
                    entries.get(next).startOffset(),
                    "epoch " + entries.get(next).epoch() + " starts inside the batch " + batch.baseOffset() + " to "
                            + batch.lastOffset() + " of " + logFile.getFileName());
        }
    }

    @Override
    public void onEnd(long endOffset) {
        for (EpochEntry entry : entries) {
            if (entry.startOffset() > endOffset) {
                findings.add(
                        Finding.UNKNOWN,
                        entry.startOffset(),
                        "epoch " + entry.epoch() + " starts behind the end of the log, which is " + endOffset);
            }
        }
        findings.end();
    }

    /** Says it once for a run of batches that are all the same. */
    private void disagree(int inFile, Path logFile, StoredBatch batch) {
        if (inFile == toldInFile && batch.leaderEpoch() == toldInHeader) {
            return;
        }
        toldInFile = inFile;
        toldInHeader = batch.leaderEpoch();
        findings.add(
                Finding.UNKNOWN,
                batch.baseOffset(),
                (inFile == NONE ? "no epoch" : "epoch " + inFile) + " for offset " + batch.baseOffset()
                        + ", whose batch in "
                        + logFile.getFileName() + " at position " + batch.position() + " has epoch "
                        + batch.leaderEpoch());
    }
}
