package io.tidemark.sim.script;

import io.tidemark.sim.plan.BadStatement;
import io.tidemark.sim.plan.ClusterShape;
import io.tidemark.sim.plan.Words;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A scenario: one order of events in which a safety rule matters, as text that a person can follow. {@code #} begins a comment,
 * {@code ;} separates statements of a line. First comes what it is about:
 *
 * <pre>
 * scenario growth needs the start of the leader epoch (I7)    # a title
 * rule JOIN_FROM_EPOCH_START violates InSyncHolds             # what is lost without the rule is found by this; several rules if
 *                                                             # one shields another
 * seed 1                                                      # of delays and elections; 1 if it is not said
 * brokers 4 min.insync.replicas 2 lag 1s                      # as in plans
 * </pre>
 *
 * <p>A rule is one of {@link io.tidemark.model.SafetyRule}, or {@code replica.truncation}. Then follows what happens, one after the
 * other; time passes in {@code run}, {@code await} and {@code topic} alone. A broker is a number, or {@code leader}, {@code controller}, {@code
 * follower}; a link is {@code 1 -> 2}, number 0 being the producer's host.
 *
 * <pre>
 * start 1 2            processes start
 * stop 1               they hand over and end
 * crash 1              they die; what they wrote is in the page cache
 * poweroff 1           machines lose power; what was not forced may be gone
 * wipe 1               processes die, and their disks are empty
 * cut 1 - 2            nothing passes between them any more; {@code 1 -> 2}: in that direction
 * heal 1 - 2           it passes again; without a link: everything is well again
 * hold KIND 1 -> 2     messages of that kind wait where they arrive (kinds: {@link io.tidemark.sim.MessageKind#text})
 * deliver KIND 1 -> 2  lets one through that waits, or so many: {@code deliver push 4 -> 2 3}
 * drop KIND 1 -> 2     those that wait are lost with their connection; others that come wait on
 * release KIND 1 -> 2  lets all through, and holds no more; without a kind: everywhere
 * overlook StateSteps  this invariant is not checked from now on: it would end the run before anything is lost
 * show states          the trace tells each state of the partition that is written to ZooKeeper from now on
 * topic replicas 2     creates it with one partition on brokers 1 and 2
 * transfer 2           an operator moves the leadership
 * min-isr 1            an operator sets min.insync.replicas
 * produce m0 to 1      sends a record with acks=all
 * run 20ms             time passes
 * await CONDITION      until it holds, at most 30 s; {@code within 2s} at the end says otherwise
 * expect CONDITION     it holds now
 * </pre>
 *
 * <pre>
 * leader 1             leads in the highest leader epoch in which any replica does
 * controller 4         as ZooKeeper has it
 * registered 1 2       each has a node in ZooKeeper
 * isr 1 2              of the state that ZooKeeper holds, void entries included
 * eligible 3           the same; {@code eligible nobody}
 * acked m0             the producer was told so
 * waiting KIND 1 -> 2 1  so many messages or more are held there
 * log 1 is m0 m1       its disk has these records and no others; {@code log 2 is empty}
 * high-watermark 1 is 2
 * caught-up            every replica runs, and has and commits what the leader has
 * not CONDITION
 * </pre>
 */
public final class SimScript {
    private final String title;
    private final Claim claim;
    private final long seed;
    private final ClusterShape shape;
    private final List<Step> steps;

    /** A statement and the line that it stands in, from 1. */
    public record Step(int line, Statement statement) {}

    /**
     * What the scenario shows.
     *
     * @param waiver what has to be waived for the loss
     * @param invariant that finds it
     */
    public record Claim(Waiver waiver, String invariant) {}

    /** What came of reading a text. */
    public sealed interface Parsed {
        /** It is a scenario. */
        record Script(SimScript script) implements Parsed {}

        /**
         * It is none.
         *
         * @param line that is wrong, from 1
         */
        record Bad(int line, String problem) implements Parsed {}
    }

    private SimScript(String title, Claim claim, long seed, ClusterShape shape, List<Step> steps) {
        this.title = title;
        this.claim = claim;
        this.seed = seed;
        this.shape = shape;
        this.steps = List.copyOf(steps);
    }

    /** What it is about, for a person. */
    public String title() {
        return title;
    }

    /** What it shows. */
    public Claim claim() {
        return claim;
    }

    /** Decides delays and whatever else is left to chance. */
    public long seed() {
        return seed;
    }

    /** The cluster; its truncation mode is left to the {@link Waiver}. */
    public ClusterShape shape() {
        return shape;
    }

    /** What happens. */
    public List<Step> steps() {
        return steps;
    }

    /** Reads a text; the first line that is wrong is told. */
    public static Parsed parse(String text) {
        Draft draft = new Draft();
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            try {
                for (Words words : Words.ofLine(lines.get(i))) {
                    draft.read(words, i + 1);
                }
            } catch (BadStatement e) {
                return new Parsed.Bad(i + 1, String.valueOf(e.getMessage()));
            }
        }
        return draft.finish(Math.max(1, lines.size()));
    }

    /** What was read so far. */
    private static final class Draft {
        private final List<Step> steps = new ArrayList<>();
        private @Nullable String title;
        private @Nullable Waiver waiver;
        private String invariant = "";
        private long seed = 1;
        private @Nullable ClusterShape shape;

        void read(Words words, int line) {
            if (words.take("scenario")) {
                title = rest(words);
            } else if (words.take("rule")) {
                readRule(words);
            } else if (words.take("seed")) {
                seed = words.wholeNumber();
            } else if (words.hasNext("brokers")) {
                shape = ClusterShape.read(words);
            } else {
                steps.add(new Step(line, StatementText.read(words)));
            }
            words.end();
        }

        private void readRule(Words words) {
            List<String> names = new ArrayList<>();
            while (!words.take("violates")) {
                String name = words.next("a rule, or \"violates\"");
                names.add(name);
                if (Waiver.of(names).isEmpty()) {
                    throw words.expected("a safety rule, " + Waiver.TRUNCATION + " or \"violates\"", name);
                }
            }
            if (names.isEmpty()) {
                throw words.expected("a rule", "\"violates\"");
            }
            waiver = Waiver.of(names).orElseThrow();
            invariant = words.next("an invariant");
        }

        private static String rest(Words words) {
            StringBuilder text = new StringBuilder(words.next("a title"));
            while (!words.isEmpty()) {
                text.append(' ').append(words.next("a word"));
            }
            return text.toString();
        }

        Parsed finish(int lastLine) {
            if (title == null) {
                return new Parsed.Bad(lastLine, "nothing says \"scenario\" and what it is about");
            }
            if (waiver == null) {
                return new Parsed.Bad(lastLine, "no \"rule\" is named");
            }
            if (shape == null) {
                return new Parsed.Bad(lastLine, "nothing says how many \"brokers\" there are");
            }
            return new Parsed.Script(new SimScript(title, new Claim(waiver, invariant), seed, shape, steps));
        }
    }
}
