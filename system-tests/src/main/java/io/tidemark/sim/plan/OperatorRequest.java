package io.tidemark.sim.plan;

/** What an operator asks of the controller, whoever that is. */
public sealed interface OperatorRequest extends SimFault {
    @Override
    default FaultFamily family() {
        return FaultFamily.OPERATOR;
    }

    /** @param to member of the in-sync set that is to lead */
    record Transfer(Target to) implements OperatorRequest {
        @Override
        public String text() {
            return "transfer " + to.text();
        }
    }

    /** @param replicas of which the topic's {@code min.insync.replicas} is made */
    record MinIsr(int replicas) implements OperatorRequest {
        @Override
        public String text() {
            return "min-isr " + replicas;
        }
    }
}
