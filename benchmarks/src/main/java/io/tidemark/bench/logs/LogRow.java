package io.tidemark.bench.logs;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/** The rows of the table: a benchmark with its parameters, and what an operation of it counts as. */
enum LogRow {
    APPEND_16K("append, validated batches of 16 KiB", "AppendRace.append", 16 << 10, 64, 16),
    APPEND_1M("append, validated batches of 1 MiB", "AppendRace.append", 1 << 20, 64, 16),
    READ_SEQUENTIAL("sequential read, 1 MiB at a time", "ReadRace.sequential", LogRow.ITS_OWN, 256, 16),
    READ_RANDOM("random read of a batch of 16 KiB by offset", "ReadRace.random", LogRow.ITS_OWN, 256, 16),
    INDEX_LOOKUP("look-up in the offset index", "ReadRace.lookUp", LogRow.ITS_OWN, 256, 16),
    RECOVERY("recovery scan, batches of 16 KiB", "RecoveryRace.recover", 16 << 10, 256, 16),
    CLEANER("cleaner, one pass, each key ten times", "CleanRace.clean", LogRow.ITS_OWN, 256, 16);

    /** In place of a size of batches: the benchmark has no such parameter. */
    private static final int ITS_OWN = 0;

    /** What a row must reach, as a multiple of Kafka's figure. */
    static final double BAR = 0.9;

    private final String title;
    private final String benchmark;
    private final int batchBytes;
    private final int mebibytes;
    private final int quickMebibytes;

    LogRow(String title, String benchmark, int batchBytes, int mebibytes, int quickMebibytes) {
        this.title = title;
        this.benchmark = benchmark;
        this.batchBytes = batchBytes;
        this.mebibytes = mebibytes;
        this.quickMebibytes = quickMebibytes;
    }

    /** How much is measured. */
    enum Size {
        FULL,
        /** It works; what it says means nothing. */
        QUICK
    }

    /** The name by which it is selected. */
    String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    String title() {
        return title;
    }

    /** A pattern that the benchmark's full name alone fits. */
    String pattern() {
        return "^" + (LogRow.class.getPackageName() + "." + benchmark).replace(".", "\\.") + "$";
    }

    /** Parameters but for the system. */
    SortedMap<String, String> parameters(Size size) {
        SortedMap<String, String> all = new TreeMap<>();
        if (batchBytes != ITS_OWN) {
            all.put("batchBytes", Integer.toString(batchBytes));
        }
        all.put("mebibytes", Integer.toString(mebibytes(size)));
        return all;
    }

    /** What it counts. */
    String unit() {
        return countsOperations() ? "1/s" : "MiB/s";
    }

    /** The figure of so many operations per second. */
    double figure(double operationsPerSecond, Size size) {
        return countsOperations() ? operationsPerSecond : operationsPerSecond * mebibytes(size);
    }

    /**
     * The rows whose key one of {@code names} is or begins.
     *
     * @throws IllegalArgumentException if a name fits none
     */
    static List<LogRow> select(List<String> names) {
        for (String name : names) {
            if (Arrays.stream(values()).noneMatch(row -> row.isCalled(name))) {
                throw new IllegalArgumentException("there is no row " + name + "; rows: " + String.join(" ", keys()));
            }
        }
        return Arrays.stream(values())
                .filter(row -> names.stream().anyMatch(row::isCalled))
                .toList();
    }

    /** The keys of all. */
    static List<String> keys() {
        return Arrays.stream(values()).map(LogRow::key).toList();
    }

    private boolean isCalled(String name) {
        return key().equals(name) || key().startsWith(name + "-");
    }

    private boolean countsOperations() {
        return this == READ_RANDOM || this == INDEX_LOOKUP;
    }

    private int mebibytes(Size size) {
        return size == Size.QUICK ? quickMebibytes : mebibytes;
    }
}
