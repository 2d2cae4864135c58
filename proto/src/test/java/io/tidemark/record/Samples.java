package io.tidemark.record;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Records for tests, in a form that compares by content. */
final class Samples {
    private Samples() {}

    /** What goes into a batch and must come out of it. */
    record Sample(
            long timestampMs,
            @Nullable ByteBuffer key,
            @Nullable ByteBuffer value,
            List<Header> headers) {}

    static Sample sample(long timestampMs, @Nullable String key, @Nullable String value, Header... headers) {
        return new Sample(timestampMs, bytes(key), bytes(value), List.of(headers));
    }

    static @Nullable ByteBuffer bytes(@Nullable String text) {
        return text == null ? null : ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The bytes from position to limit. */
    static String hex(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(buffer.position(), bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** Null, empty and other keys, values and header values; timestamps that fall. */
    static List<Sample> everyShape() {
        return List.of(
                sample(1_000, null, null),
                sample(1_500, "", ""),
                sample(900, "key", "value"),
                sample(1_000, null, "v", new Header("h", null)),
                sample(1_000, "k", null, new Header("", bytes("")), new Header("h", bytes("x")), new Header("h", null)),
                sample(1_700_000_000_000L, "ключ", "値", new Header("заголовок \uD83C\uDF0A", bytes("🌊"))));
    }

    static List<Sample> many(int count) {
        List<Sample> samples = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            samples.add(sample(1_000 + i % 7, "key-" + i % 100, "value number " + i));
        }
        return samples;
    }

    /** A few records above the windows and blocks of every codec; half of each is incompressible. */
    static List<Sample> big(SplittableRandom random) {
        List<Sample> samples = new ArrayList<>();
        for (int sizeBytes : new int[] {70_000, 1, 300_000, 65_536, 1_500_000, 3}) {
            byte[] value = new byte[sizeBytes];
            for (int i = 0; i < sizeBytes / 2; i++) {
                value[i] = (byte) random.nextInt();
            }
            samples.add(new Sample(5, bytes("k" + sizeBytes), ByteBuffer.wrap(value), List.of()));
        }
        return samples;
    }

    static List<Sample> random(SplittableRandom random) {
        List<Sample> samples = new ArrayList<>();
        long timestampMs = random.nextLong(4_000_000_000_000L);
        int count = 1 + random.nextInt(random.nextInt(10) == 0 ? 2_000 : 20);
        for (int i = 0; i < count; i++) {
            long shiftMs = random.nextLong(-1_000, 1_000) >> random.nextInt(10);
            samples.add(new Sample(
                    Math.max(-1, timestampMs + shiftMs), randomBytes(random), randomBytes(random), headers(random)));
        }
        return samples;
    }

    private static List<Header> headers(SplittableRandom random) {
        List<Header> headers = new ArrayList<>();
        for (int left = random.nextInt(4) == 0 ? random.nextInt(4) : 0; left > 0; left--) {
            headers.add(new Header("h" + random.nextInt(1_000), randomBytes(random)));
        }
        return headers;
    }

    private static @Nullable ByteBuffer randomBytes(SplittableRandom random) {
        if (random.nextInt(6) == 0) {
            return null;
        }
        byte[] bytes = new byte[random.nextInt(random.nextInt(50) == 0 ? 20_000 : 60)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) ('a' + random.nextInt(3));
        }
        return ByteBuffer.wrap(bytes);
    }

    static ByteBuffer build(Codec codec, List<Sample> samples, ProducerStamp stamp) {
        int maxBytes = RecordBatchBuilder.MAX_BATCH_BYTES;
        RecordBatchBuilder builder = new RecordBatchBuilder(codec, maxBytes, maxBytes);
        for (Sample sample : samples) {
            RecordBatchBuilder.Outcome outcome =
                    builder.tryAppend(sample.timestampMs(), sample.key(), sample.value(), sample.headers());
            if (outcome != RecordBatchBuilder.Outcome.APPENDED) {
                throw new AssertionError(outcome);
            }
        }
        return builder.build(stamp);
    }

    static ByteBuffer build(Codec codec, List<Sample> samples) {
        return build(codec, samples, ProducerStamp.NONE);
    }

    /** The content of a batch as samples, checking on the way that the offsets are {@code baseOffset}, + 1, + 2, ... */
    static List<Sample> read(RecordBatch batch, long baseOffset) {
        List<Sample> samples = new ArrayList<>();
        long offset = baseOffset;
        for (LogRecord record : batch.records()) {
            if (record.offset() != offset++) {
                throw new AssertionError("offset " + record.offset() + " instead of " + (offset - 1));
            }
            samples.add(new Sample(record.timestampMs(), record.key(), record.value(), record.headers()));
        }
        return samples;
    }
}
