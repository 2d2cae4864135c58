package io.tidemark.sim.plan;

/** What happens to a broker's process; its machine and its page cache are well. */
public sealed interface ProcessFault extends SimFault {
    @Override
    default FaultFamily family() {
        return FaultFamily.PROCESS;
    }

    /** It is killed. */
    record Crash(Target who, int lastsMs) implements ProcessFault {
        @Override
        public Crash lasting(int otherMs) {
            return new Crash(who, otherMs);
        }

        @Override
        public String text() {
            return "crash " + who.text() + " down " + lastsMs + "ms";
        }
    }

    /**
     * Its watchdog starts it again.
     *
     * @param calls it dies in the so manieth call to its files from now on that changes something, the first being 1
     */
    record CrashInFileCall(Target who, int calls) implements ProcessFault {
        @Override
        public String text() {
            return "crash-in-file-call " + who.text() + " calls " + calls;
        }
    }

    /** It is stopped in its tracks, and goes on. */
    record Pause(Target who, int lastsMs) implements ProcessFault {
        @Override
        public Pause lasting(int otherMs) {
            return new Pause(who, otherMs);
        }

        @Override
        public String text() {
            return "pause " + who.text() + " for " + lastsMs + "ms";
        }
    }

    /** It is asked to stop, and hands over what it leads. */
    record StopCleanly(Target who, int lastsMs) implements ProcessFault {
        @Override
        public StopCleanly lasting(int otherMs) {
            return new StopCleanly(who, otherMs);
        }

        @Override
        public String text() {
            return "stop " + who.text() + " down " + lastsMs + "ms";
        }
    }
}
