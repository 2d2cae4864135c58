package io.tidemark.sim;

/** A message on its way. */
interface Envelope {
    /** How a message is lost. */
    enum Loss {
        /** Its packets vanish: only time tells. */
        SILENT,
        /** Its connection breaks, which its sender sees. */
        TOLD
    }

    MessageKind kind();

    /** It has come to the other host. */
    void arrive();

    /** It never will. */
    void lost(Loss loss);

    /** A copy of it comes to the other host, of which its sender knows nothing; answers have no copies. */
    void arriveAgain();
}
