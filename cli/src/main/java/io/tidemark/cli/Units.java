package io.tidemark.cli;

import java.util.Locale;

/** Numbers for people. Programs get them raw. */
public final class Units {
    private static final long SECONDS_PER_MINUTE = 60;
    private static final int THOUSAND = 1_000;
    private static final double BYTES_PER_MB = 1e6;
    private static final String[] BYTES = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};

    private Units() {}

    /** 1,234,567. */
    public static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** 512 B, 1.5 kB, 64.0 MB: powers of 1000. */
    public static String bytes(long sizeBytes) {
        if (sizeBytes < THOUSAND) {
            return sizeBytes + " " + BYTES[0];
        }
        double size = sizeBytes;
        int unit = 0;
        while (size >= THOUSAND && unit < BYTES.length - 1) {
            size /= THOUSAND;
            unit++;
        }
        return String.format(Locale.ROOT, "%.1f %s", size, BYTES[unit]);
    }

    /** 12.34 MB/s. */
    public static String megabytesPerSecond(double bytesPerSecond) {
        return String.format(Locale.ROOT, "%.2f MB/s", bytesPerSecond / BYTES_PER_MB);
    }

    /** 3.14 ms. */
    public static String milliseconds(double ms) {
        return String.format(Locale.ROOT, "%.2f ms", ms);
    }

    /** 12 s, 3 min 5 s, 2 h 0 min. */
    public static String seconds(long seconds) {
        long minutes = seconds / SECONDS_PER_MINUTE;
        long hours = minutes / SECONDS_PER_MINUTE;
        if (minutes == 0) {
            return seconds + " s";
        }
        return hours == 0
                ? minutes + " min " + seconds % SECONDS_PER_MINUTE + " s"
                : hours + " h " + minutes % SECONDS_PER_MINUTE + " min";
    }
}
