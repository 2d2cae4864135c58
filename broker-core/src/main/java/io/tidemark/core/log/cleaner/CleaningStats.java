package io.tidemark.core.log.cleaner;

import java.util.OptionalLong;

/** What a pass has done so far. For one thread. */
final class CleaningStats {
    private long readBytes;
    private long writtenBytes;
    private long readRecords;
    private long keptRecords;
    private long keylessRecords;
    private long earliestHorizonMs = Long.MAX_VALUE;

    void read(long bytes) {
        readBytes += bytes;
    }

    void written(long bytes) {
        writtenBytes += bytes;
    }

    void records(long read, long kept) {
        readRecords += read;
        keptRecords += kept;
    }

    /** A record has no key and goes: it should have been refused. */
    void keyless() {
        keylessRecords++;
    }

    /** A batch with tombstones stays. */
    void tombstonesUntil(long horizonMs) {
        earliestHorizonMs = Math.min(earliestHorizonMs, horizonMs);
    }

    /** Read and written. */
    long movedBytes() {
        return readBytes + writtenBytes;
    }

    /** When the first of the tombstones that were kept may go. */
    OptionalLong earliestHorizonMs() {
        return earliestHorizonMs == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(earliestHorizonMs);
    }

    @Override
    public String toString() {
        return readBytes + " bytes read, " + writtenBytes + " written, " + keptRecords + " of " + readRecords
                + " records kept, " + keylessRecords + " without a key";
    }
}
