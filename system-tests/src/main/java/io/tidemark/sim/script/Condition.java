package io.tidemark.sim.script;

import io.tidemark.sim.MessageKind;
import io.tidemark.sim.plan.Link;
import io.tidemark.sim.plan.Target;
import java.util.List;

/** Something that a scenario waits for or expects. How each is written stands at {@link SimScript}. */
public sealed interface Condition {
    /** The broker leads, as its own replica says, in the highest leader epoch that any does. */
    record Leads(Target broker) implements Condition {}

    /** The broker is the controller, as ZooKeeper has it. */
    record Controls(Target broker) implements Condition {}

    /** Each of the brokers has a node in ZooKeeper. */
    record Registered(List<Target> brokers) implements Condition {
        public Registered {
            brokers = List.copyOf(brokers);
        }
    }

    /** Which member set of the state that ZooKeeper holds. */
    enum MemberSet {
        ISR,
        ELIGIBLE
    }

    /** The set has these brokers and no others, whether their entries are void or not. */
    record HasMembers(MemberSet set, List<Target> brokers) implements Condition {
        public HasMembers {
            brokers = List.copyOf(brokers);
        }
    }

    /** The producer was told that the record is there. */
    record Acknowledged(String value) implements Condition {}

    /** So many messages or more wait at a gate. */
    record Waiting(MessageKind kind, Link link, int count) implements Condition {}

    /** The broker's disk has these records of the partition and no others, in this order. */
    record LogIs(Target broker, List<String> values) implements Condition {
        public LogIs {
            values = List.copyOf(values);
        }
    }

    /** The high watermark of the broker's replica. */
    record HighWatermarkIs(Target broker, int offset) implements Condition {}

    /** Every replica runs, has all that the leader has, and knows that it is committed. */
    record CaughtUp() implements Condition {}

    /** The other one does not hold. */
    record Not(Condition other) implements Condition {}
}
