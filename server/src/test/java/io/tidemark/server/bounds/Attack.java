package io.tidemark.server.bounds;

import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** Sends one bad request. */
@FunctionalInterface
interface Attack {
    /** @return what the broker says, in the words of {@link Victim} */
    CompletableFuture<String> send(Victim victim, Random random);
}
