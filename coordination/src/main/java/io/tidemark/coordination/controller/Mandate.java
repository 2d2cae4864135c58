package io.tidemark.coordination.controller;

/**
 * The right to write: won by an election, lost with the session, a suspension, or a newer controller.
 *
 * @param controllerEpoch of this controller
 * @param epochNodeVersion of {@code /controller_epoch}: every write checks it (KAFKA-6082)
 */
record Mandate(int controllerEpoch, int epochNodeVersion) {}
