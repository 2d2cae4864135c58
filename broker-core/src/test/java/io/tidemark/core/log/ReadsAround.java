package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

/** Reads of a log of one record for each batch, of which one batch is damaged. */
final class ReadsAround {
    private ReadsAround() {}

    /**
     * Asserts that each other batch is read, and the damaged one answered with its damage.
     *
     * @param records from offset 0 on
     * @param maxBytes of each read
     * @return what is known of the damage
     */
    static LogDamage assertReadAround(Log log, int records, int bad, int maxBytes, String what) {
        for (long offset = 0; offset < records; offset++) {
            if (offset != bad) {
                ReadResult result = LogRig.ask(log, offset, maxBytes);
                assertThat(result).as("%s, read at %d", what, offset).isInstanceOf(ReadResult.Data.class);
                assertThat(Batches.outline(((ReadResult.Data) result).batches()))
                        .as("%s, read at %d", what, offset)
                        .containsExactly(offset + "-" + offset + "@0");
            }
        }
        ReadResult result = LogRig.ask(log, bad, maxBytes);
        assertThat(result).as(what).isInstanceOf(ReadResult.Corrupt.class);
        LogDamage damage = ((ReadResult.Corrupt) result).damage();
        assertThat(damage.firstBadOffset()).as(what).isEqualTo(bad);
        assertThat(damage.behindOffset()).as(what).isEqualTo(bad + 1);
        assertThat(log.damage()).as(what).isPresent();
        return damage;
    }
}
