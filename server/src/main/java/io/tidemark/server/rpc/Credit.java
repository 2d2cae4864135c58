package io.tidemark.server.rpc;

/**
 * What a subscriber may still be sent, in bytes of encoded records. Pure.
 *
 * <p>A record that is larger than the credit that is left waits for more. One that is larger than all credit, that is than
 * what was given at the beginning, could wait for ever: it is sent alone when nothing is outstanding, that is when at least the
 * credit of the beginning is left. The credit is then negative until it is made up for.
 */
final class Credit {
    private final long allBytes;
    private long leftBytes;

    /** @param initialBytes 0 for a subscriber that gives no credit: then there is no bound here */
    Credit(long initialBytes) {
        this.allBytes = initialBytes;
        this.leftBytes = initialBytes;
    }

    boolean isBounded() {
        return allBytes > 0;
    }

    long leftBytes() {
        return isBounded() ? leftBytes : Long.MAX_VALUE;
    }

    /** Adds; false if the sum is not a number of 64 bits, and then nothing is added. */
    boolean tryGrant(long bytes) {
        long sum = leftBytes + bytes;
        boolean fits = leftBytes < 0 || sum >= 0;
        if (fits) {
            leftBytes = sum;
        }
        return fits;
    }

    void spend(long bytes) {
        if (isBounded()) {
            leftBytes -= bytes;
        }
    }

    /** Whether a record of that weight may be sent now. */
    boolean admits(long weightBytes) {
        return !isBounded() || weightBytes <= leftBytes || (weightBytes > allBytes && leftBytes >= allBytes);
    }
}
