package io.tidemark.server.bounds;

import java.util.Random;

/** Makes a good message bad. */
@FunctionalInterface
interface Distortion<B> {
    void apply(B message, Random random);
}
