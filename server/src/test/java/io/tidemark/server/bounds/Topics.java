package io.tidemark.server.bounds;

import java.util.Random;

/** The topics of a broker that takes bad requests, and names and numbers that it does not have. */
final class Topics {
    /** Ten records in its one partition, and never one more. */
    static final String TARGET = "target";

    /** Takes batches of 1,000 bytes. */
    static final String SMALL = "small";

    /** For what is odd but right. */
    static final String ODD = "odd";

    static final String[] UNKNOWN = {
        "no-such-topic", ".", "..", "a/b", "../../etc/passwd", "é\u0000", "Target", "%n%s", " "
    };

    private static final int[] NEGATIVES = {-1, -2, -1_000, Integer.MIN_VALUE};
    private static final int[] BEYOND = {1, 2, 1_000_000, Integer.MAX_VALUE};

    private Topics() {}

    static String unknown(Random random) {
        return UNKNOWN[random.nextInt(UNKNOWN.length)];
    }

    static String tooLong(Random random) {
        return "x".repeat(250 + random.nextInt(100_000));
    }

    static int negative(Random random) {
        return NEGATIVES[random.nextInt(NEGATIVES.length)];
    }

    /** Below the -1 that says "no epoch". */
    static int noEpoch(Random random) {
        return NEGATIVES[1 + random.nextInt(NEGATIVES.length - 1)];
    }

    /** Above each number there is: of partitions as of epochs. */
    static int beyond(Random random) {
        return BEYOND[random.nextInt(BEYOND.length)];
    }
}
