package io.tidemark.sim.script;

import io.tidemark.sim.MessageKind;
import io.tidemark.sim.plan.Link;
import io.tidemark.sim.plan.Target;
import java.util.List;

/** One thing that a scenario lets happen, or waits for. What each is called and what it does stands at {@link SimScript}. */
public sealed interface Statement {
    /** What happens to machines and processes. */
    enum HostAction {
        START,
        STOP,
        CRASH,
        POWEROFF,
        WIPE
    }

    /** What happens to messages of one kind on one link. */
    enum GateAction {
        HOLD,
        RELEASE,
        DELIVER,
        DROP
    }

    /** What happens to a link. */
    enum LinkAction {
        CUT,
        HEAL
    }

    /** One or more hosts, one after the other. */
    record OnHosts(HostAction action, List<Target> hosts) implements Statement {
        public OnHosts {
            hosts = List.copyOf(hosts);
        }
    }

    /** @param count of messages, for {@link GateAction#DELIVER} alone */
    record OnGate(GateAction action, MessageKind kind, Link link, int count) implements Statement {}

    /** All that is held is let through, and all that comes. */
    record ReleaseAll() implements Statement {}

    /** @param directions one, or both */
    record OnLink(LinkAction action, List<Link> directions) implements Statement {
        public OnLink {
            directions = List.copyOf(directions);
        }
    }

    /** All links, disks and paused processes are well again. */
    record HealAll() implements Statement {}

    /** @param replicas of its one partition, on the first brokers */
    record CreateTopic(int replicas) implements Statement {}

    /** The leadership is to move. */
    record Transfer(Target to) implements Statement {}

    /** The topic is to have another minimum. */
    record MinIsr(int replicas) implements Statement {}

    /** The invariant of that name is not checked any more: it would end the run before anything is lost. */
    record Overlook(String invariant) implements Statement {}

    /** From now on the trace tells each state of the partition that is written. */
    record ShowStates() implements Statement {}

    /** One record with acks=all; it need not be answered. */
    record Produce(String value, Target to) implements Statement {}

    /** Time passes. */
    record Run(int ms) implements Statement {}

    /** Time passes until the condition holds, which it must within the limit. */
    record Await(Condition condition, int withinMs) implements Statement {}

    /** The condition holds now. */
    record Expect(Condition condition) implements Statement {}
}
