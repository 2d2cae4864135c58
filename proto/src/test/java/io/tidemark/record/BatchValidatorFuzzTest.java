package io.tidemark.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Samples.Sample;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Whatever the bytes are, the validator answers, agrees with the iterator, and takes no absurd amount of memory. */
final class BatchValidatorFuzzTest {
    private static final long SEED = Long.getLong("tidemark.seed", 6_554);
    private static final int MUTATIONS = 20_000;

    /** Two lz4 blocks of 4 MiB, which a frame's header can demand, with their compressed form. */
    private static final long ENOUGH_BYTES = 16L * 1024 * 1024;

    @Test
    void shouldAnswerToEveryMutation() {
        SplittableRandom random = new SplittableRandom(SEED);
        List<ByteBuffer> originals = originals(random);
        int accepted = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            ByteBuffer bytes = mutate(originals.get(i % originals.size()), random);
            String where = "mutation " + i + " of seed " + SEED + "; replay with -Dtidemark.seed=" + SEED;
            long before = Allocations.ofThisThreadBytes();
            BatchValidation produced = BatchValidator.validateProduced(bytes, 1_000_000);
            BatchValidation replicated = BatchValidator.validateReplicated(bytes, 0, 10);
            assertThat(Allocations.ofThisThreadBytes() - before).as(where).isLessThan(ENOUGH_BYTES);
            assertThat(produced.message().isEmpty()).as(where).isEqualTo(produced.isValid());
            assertThat(replicated.message().isEmpty()).as(where).isEqualTo(replicated.isValid());
            if (produced.isValid()) {
                accepted++;
                assertThat(countRecords(bytes)).as(where).isEqualTo(produced.recordCount());
            }
        }
        assertThat(accepted).as("seed %d", SEED).isBetween(1, MUTATIONS / 2);
    }

    @Test
    void shouldAnswerToNoise() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 2_000; i++) {
            byte[] noise = new byte[random.nextInt(300)];
            random.nextBytes(noise);
            if (noise.length > RecordBatch.MAGIC_AT) {
                noise[RecordBatch.MAGIC_AT] = RecordBatch.MAGIC;
            }
            assertThat(BatchValidator.validateProduced(ByteBuffer.wrap(noise), 1_000_000))
                    .as("seed %d", SEED)
                    .matches(validation -> !validation.isValid());
        }
    }

    private static List<ByteBuffer> originals(SplittableRandom random) {
        List<ByteBuffer> originals = new ArrayList<>();
        for (Codec codec : Codec.values()) {
            originals.add(Samples.build(codec, Samples.everyShape()));
            originals.add(Samples.build(codec, Samples.many(50), new ProducerStamp(1, (short) 0, 5)));
            List<Sample> few = Samples.random(random);
            originals.add(Samples.build(codec, few.subList(0, Math.min(few.size(), 10))));
        }
        return originals;
    }

    /** One to three changed bytes, ints or lengths; mostly with a right CRC, so that the deeper checks are reached. */
    private static ByteBuffer mutate(ByteBuffer original, SplittableRandom random) {
        ByteBuffer bytes =
                ByteBuffer.allocate(original.limit()).put(original.duplicate()).flip();
        for (int left = 1 + random.nextInt(3); left > 0; left--) {
            int at = random.nextInt(random.nextBoolean() ? RecordBatch.HEADER_BYTES : bytes.limit());
            switch (random.nextInt(4)) {
                case 0 -> bytes.put(at, (byte) random.nextInt());
                case 1 -> bytes.put(at, (byte) (bytes.get(at) ^ (1 << random.nextInt(8))));
                case 2 -> bytes.put(at, random.nextBoolean() ? (byte) -1 : (byte) 0);
                default ->
                    bytes.putInt(Math.min(at, bytes.limit() - Integer.BYTES), random.nextInt() >> random.nextInt(32));
            }
        }
        if (random.nextInt(8) == 0) {
            bytes.limit(random.nextInt(bytes.limit()));
        }
        if (random.nextInt(8) != 0 && bytes.limit() >= RecordBatch.HEADER_BYTES) {
            bytes.put(RecordBatch.MAGIC_AT, RecordBatch.MAGIC);
            bytes.putInt(RecordBatch.LENGTH_AT, bytes.limit() - RecordBatch.ENTRY_OVERHEAD_BYTES);
            RawBatch.seal(bytes);
        }
        return bytes;
    }

    private static long countRecords(ByteBuffer bytes) {
        long count = 0;
        for (RecordBatch batch : RecordBatches.of(bytes)) {
            for (LogRecord record : batch.records()) {
                count += record.headers() == null ? 0 : 1;
            }
        }
        return count;
    }
}
