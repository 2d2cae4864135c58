package io.tidemark.sim.script;

import io.tidemark.sim.MessageKind;
import io.tidemark.sim.plan.Link;
import io.tidemark.sim.plan.Target;
import io.tidemark.sim.plan.Words;
import io.tidemark.sim.script.Statement.GateAction;
import io.tidemark.sim.script.Statement.HostAction;
import io.tidemark.sim.script.Statement.LinkAction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** Reads the statements and conditions of scenarios, up to their ends; throws {@link io.tidemark.sim.plan.BadStatement}. */
final class StatementText {
    private static final int PATIENCE_MS = 30_000;
    private static final int MOST_BROKERS = 9;
    private static final int MOST_MESSAGES = 1_000;
    private static final int MOST_OFFSET = 1_000_000;

    private static final SortedMap<String, Function<Words, Statement>> STATEMENTS = statements();
    private static final SortedMap<String, Function<Words, Condition>> CONDITIONS = conditions();

    private StatementText() {}

    static Statement read(Words words) {
        String name = words.next("a statement");
        Function<Words, Statement> reader = STATEMENTS.get(name);
        if (reader == null) {
            throw words.expected("one of " + String.join(", ", STATEMENTS.keySet()), name);
        }
        return reader.apply(words);
    }

    private static SortedMap<String, Function<Words, Statement>> statements() {
        SortedMap<String, Function<Words, Statement>> readers = new TreeMap<>();
        for (HostAction action : HostAction.values()) {
            readers.put(word(action), w -> new Statement.OnHosts(action, brokers(w)));
        }
        readers.put("hold", w -> onGate(GateAction.HOLD, w));
        readers.put("drop", w -> onGate(GateAction.DROP, w));
        readers.put("deliver", w -> onGate(GateAction.DELIVER, w));
        readers.put("release", w -> w.isEmpty() ? new Statement.ReleaseAll() : onGate(GateAction.RELEASE, w));
        readers.put("cut", w -> new Statement.OnLink(LinkAction.CUT, directions(w)));
        readers.put(
                "heal",
                w -> w.isEmpty() ? new Statement.HealAll() : new Statement.OnLink(LinkAction.HEAL, directions(w)));
        readers.put("topic", w -> new Statement.CreateTopic(w.number("replicas", 1, MOST_BROKERS)));
        readers.put("transfer", w -> new Statement.Transfer(w.target()));
        readers.put("min-isr", w -> new Statement.MinIsr(w.number(1, MOST_BROKERS)));
        readers.put("overlook", w -> new Statement.Overlook(w.next("an invariant")));
        readers.put("show", StatementText::show);
        readers.put("produce", StatementText::produce);
        readers.put("run", w -> new Statement.Run(positiveMs(w)));
        readers.put("await", StatementText::await);
        readers.put("expect", w -> new Statement.Expect(condition(w)));
        return Collections.unmodifiableSortedMap(readers);
    }

    private static Statement onGate(GateAction action, Words words) {
        MessageKind kind = kind(words);
        Link link = words.link();
        boolean counts = action == GateAction.DELIVER && !words.isEmpty();
        return new Statement.OnGate(action, kind, link, counts ? words.number(1, MOST_MESSAGES) : 1);
    }

    private static Statement show(Words words) {
        words.expect("states");
        return new Statement.ShowStates();
    }

    private static Statement produce(Words words) {
        String value = words.next("a value");
        words.expect("to");
        return new Statement.Produce(value, words.target());
    }

    private static Statement await(Words words) {
        Condition condition = condition(words);
        return new Statement.Await(condition, words.take("within") ? positiveMs(words) : PATIENCE_MS);
    }

    private static Condition condition(Words words) {
        String name = words.next("a condition");
        Function<Words, Condition> reader = CONDITIONS.get(name);
        if (reader == null) {
            throw words.expected("one of " + String.join(", ", CONDITIONS.keySet()), name);
        }
        return reader.apply(words);
    }

    private static SortedMap<String, Function<Words, Condition>> conditions() {
        SortedMap<String, Function<Words, Condition>> readers = new TreeMap<>();
        readers.put("leader", w -> new Condition.Leads(w.target()));
        readers.put("controller", w -> new Condition.Controls(w.target()));
        readers.put("registered", w -> new Condition.Registered(brokers(w)));
        readers.put("isr", w -> new Condition.HasMembers(Condition.MemberSet.ISR, brokers(w)));
        readers.put("eligible", w -> new Condition.HasMembers(Condition.MemberSet.ELIGIBLE, nobodyOr(w)));
        readers.put("acked", w -> new Condition.Acknowledged(w.next("a value")));
        readers.put("waiting", w -> new Condition.Waiting(kind(w), w.link(), w.number(1, MOST_MESSAGES)));
        readers.put("log", StatementText::log);
        readers.put("high-watermark", w -> {
            Target broker = w.target();
            return new Condition.HighWatermarkIs(broker, w.number("is", 0, MOST_OFFSET));
        });
        readers.put("caught-up", w -> new Condition.CaughtUp());
        readers.put("not", w -> new Condition.Not(condition(w)));
        return Collections.unmodifiableSortedMap(readers);
    }

    private static Condition log(Words words) {
        Target broker = words.target();
        words.expect("is");
        List<String> values = new ArrayList<>();
        if (!words.take("empty")) {
            do {
                values.add(words.next("a value, or \"empty\""));
            } while (!words.isEmpty() && !words.hasNext("within"));
        }
        return new Condition.LogIs(broker, values);
    }

    private static MessageKind kind(Words words) {
        return words.oneOf(MessageKind.values(), MessageKind::text);
    }

    private static List<Target> nobodyOr(Words words) {
        return words.take("nobody") ? List.of() : brokers(words);
    }

    private static List<Target> brokers(Words words) {
        List<Target> brokers = new ArrayList<>();
        do {
            brokers.add(words.target());
        } while (words.hasTarget());
        return brokers;
    }

    /** {@code 1 -> 2}, or {@code 1 - 2} for both. */
    private static List<Link> directions(Words words) {
        Target one = words.target();
        if (words.take("-")) {
            Target other = words.target();
            return List.of(new Link(one, other), new Link(other, one));
        }
        words.expect("->");
        return List.of(new Link(one, words.target()));
    }

    private static int positiveMs(Words words) {
        int ms = words.time("run");
        if (ms < 1) {
            throw words.expected("a positive time", ms + "ms");
        }
        return ms;
    }

    private static String word(HostAction action) {
        return action.name().toLowerCase(Locale.ROOT);
    }
}
