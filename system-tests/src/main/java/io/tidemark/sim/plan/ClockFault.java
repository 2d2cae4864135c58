package io.tidemark.sim.plan;

/** What goes wrong with the clock of a broker's process. */
public sealed interface ClockFault extends SimFault {
    @Override
    default FaultFamily family() {
        return FaultFamily.CLOCK;
    }

    /** @param ppm millionths by which it is faster meanwhile, or slower */
    record Drift(Target who, int ppm, int lastsMs) implements ClockFault {
        @Override
        public Drift lasting(int otherMs) {
            return new Drift(who, ppm, otherMs);
        }

        @Override
        public String text() {
            return "drift " + who.text() + " ppm " + ppm + " for " + lastsMs + "ms";
        }
    }

    /** @param byMs by which the hand of its wall clock moves, forward or back */
    record WallJump(Target who, int byMs) implements ClockFault {
        @Override
        public String text() {
            return "wall-jump " + who.text() + " by " + byMs + "ms";
        }
    }
}
