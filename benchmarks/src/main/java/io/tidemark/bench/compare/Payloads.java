package io.tidemark.bench.compare;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files of 1,000 different lines of capital letters, the same in each run: what both systems' clients send. */
final class Payloads {
    private static final int LINES = 1_000;
    private static final int LETTERS = 26;
    /** Of Knuth's 64-bit linear congruential generator. */
    private static final long MULTIPLIER = 6364136223846793005L;

    private static final long INCREMENT = 1442695040888963407L;

    private final Path directory;

    Payloads(Path directory) {
        this.directory = directory;
    }

    /** Writes one file per size. */
    void write(int... sizesBytes) throws IOException {
        for (int sizeBytes : sizesBytes) {
            long state = sizeBytes;
            StringBuilder text = new StringBuilder(LINES * (sizeBytes + 1));
            for (int line = 0; line < LINES; line++) {
                for (int i = 0; i < sizeBytes; i++) {
                    state = state * MULTIPLIER + INCREMENT;
                    text.append((char) ('A' + Long.remainderUnsigned(state >>> 33, LETTERS)));
                }
                text.append('\n');
            }
            Files.writeString(file(sizeBytes), text, StandardCharsets.US_ASCII);
        }
    }

    /** The file whose lines are {@code sizeBytes} long. */
    Path file(int sizeBytes) {
        return directory.resolve("payload-" + sizeBytes + ".txt");
    }
}
