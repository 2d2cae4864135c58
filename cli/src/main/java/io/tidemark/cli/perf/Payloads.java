package io.tidemark.cli.perf;

import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The values that a measured producer sends in turn, made before the measurement. */
final class Payloads {
    private static final int COUNT = 1_000;
    private static final long MAX_FILE_BYTES = 64L << 20;
    /** Of Knuth's 64-bit linear congruential generator. */
    private static final long MULTIPLIER = 6364136223846793005L;

    private static final long INCREMENT = 1442695040888963407L;

    private Payloads() {}

    /** Different values, the same in each run. */
    static ByteBuffer[] made(int sizeBytes) {
        long state = sizeBytes;
        ByteBuffer[] payloads = new ByteBuffer[COUNT];
        for (int i = 0; i < COUNT; i++) {
            byte[] bytes = new byte[sizeBytes];
            for (int j = 0; j < sizeBytes; j++) {
                state = state * MULTIPLIER + INCREMENT;
                bytes[j] = (byte) ('a' + Long.remainderUnsigned(state >>> 33, 26));
            }
            payloads[i] = ByteBuffer.wrap(bytes);
        }
        return payloads;
    }

    /**
     * The lines of a file, whatever their bytes, without their ends.
     *
     * @throws CommandFailure if it cannot be read, has no line, or is larger than 64 MiB
     */
    static ByteBuffer[] linesOf(Path file) {
        try {
            if (Files.size(file) > MAX_FILE_BYTES) {
                throw new CommandFailure(
                        ExitCode.USAGE, "--payload-file " + file + " is larger than " + MAX_FILE_BYTES + " bytes");
            }
            ByteBuffer[] lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1).stream()
                    .map(line -> ByteBuffer.wrap(line.getBytes(StandardCharsets.ISO_8859_1)))
                    .toArray(ByteBuffer[]::new);
            if (lines.length == 0) {
                throw new CommandFailure(ExitCode.USAGE, "--payload-file " + file + " is empty");
            }
            return lines;
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, "cannot read --payload-file " + file + ": " + e.getMessage());
        }
    }
}
