package io.tidemark.model;

/**
 * An entry of an in-sync or eligible set: a broker in one incarnation (I11).
 *
 * <p>The entry is <em>valid</em> while the broker's recorded incarnation equals {@code incarnation}, otherwise
 * <em>void</em>: it then cannot be elected, but stays on record (DESIGN section 6).
 */
public record Member(int brokerId, long incarnation) {
    @Override
    public String toString() {
        return brokerId + "#" + incarnation;
    }
}
