package io.tidemark.sim.plan;

import io.tidemark.client.producer.ProducerConfig.Idempotence;
import io.tidemark.model.Acks;
import io.tidemark.model.SafetyRule;
import io.tidemark.model.SafetyRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Plans as text that a person can read and change, one statement a line:
 *
 * <pre>
 * seed 4711
 * brokers 3 min.insync.replicas 2 flush async truncation leader-epoch session 2000ms lag 800ms checkpoint 500ms
 * without FETCH_IN_ONE_EPOCH                            # a planted fault; any number of these
 * client 0 acks all idempotence off partition 0 rate 5  # records a second
 * length 12000ms
 * at 310ms crash leader down 700ms
 * at 900ms cut 1 -> leader for 800ms
 * </pre>
 *
 * <p>The words are those of scenarios. What a plan does not say: the seed is 1, the cluster {@link ClusterShape#DEFAULT}, all rules
 * are kept, nobody writes, nothing goes wrong, and the length is 0.
 */
public final class PlanText {
    private static final int MOST_CLIENT_ID = 999_999;
    private static final int MOST_PARTITIONS = 1_000;
    private static final int MOST_RECORDS_PER_SECOND = 100_000;

    /** What came of reading a text. */
    public sealed interface Parsed {
        /** It is a plan. */
        record Plan(SimPlan plan) implements Parsed {}

        /**
         * It is none.
         *
         * @param line that is wrong, from 1
         */
        record Bad(int line, String problem) implements Parsed {}
    }

    private PlanText() {}

    /** The text of a plan; reading it gives an equal plan. */
    public static String write(SimPlan plan) {
        StringBuilder text = new StringBuilder();
        line(text, "seed " + plan.seed());
        line(text, plan.shape().text());
        plan.rules().waived().forEach(rule -> line(text, "without " + rule.name()));
        plan.clients().forEach(client -> line(text, client(client)));
        line(text, "length " + plan.lengthMs() + "ms");
        plan.faults().forEach(fault -> line(text, fault.text()));
        return text.toString();
    }

    private static void line(StringBuilder text, String statement) {
        text.append(statement).append('\n');
    }

    private static String client(ClientPlan client) {
        return "client " + client.id() + " acks " + word(client.acks()) + " idempotence " + word(client.idempotence())
                + " partition " + client.partition() + " rate " + client.recordsPerSecond();
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** Reads a text; the first line that is wrong is told. */
    public static Parsed parse(String text) {
        Draft draft = new Draft();
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            try {
                Words.ofLine(lines.get(i)).forEach(draft::read);
            } catch (BadStatement e) {
                return new Parsed.Bad(i + 1, String.valueOf(e.getMessage()));
            }
        }
        return new Parsed.Plan(draft.plan());
    }

    /** What was read so far. */
    private static final class Draft {
        private final List<TimedFault> faults = new ArrayList<>();
        private final List<ClientPlan> clients = new ArrayList<>();
        private final List<SafetyRule> waived = new ArrayList<>();
        private ClusterShape shape = ClusterShape.DEFAULT;
        private long seed = 1;
        private int lengthMs;

        SimPlan plan() {
            SafetyRules rules = SafetyRules.without(waived.toArray(new SafetyRule[0]));
            return new SimPlan(seed, shape, rules, faults, clients, lengthMs);
        }

        void read(Words words) {
            if (words.take("seed")) {
                seed = words.wholeNumber();
            } else if (words.take("without")) {
                waived.add(words.oneOf(SafetyRule.values(), SafetyRule::name));
            } else if (words.take("client")) {
                clients.add(readClient(words));
            } else if (words.take("length")) {
                lengthMs = positive(words, "length");
            } else if (words.take("at")) {
                int atMs = positive(words, "at");
                faults.add(new TimedFault(atMs, FaultText.read(words)));
            } else {
                shape = ClusterShape.read(words);
            }
            words.end();
        }

        private static ClientPlan readClient(Words words) {
            int id = words.number(0, MOST_CLIENT_ID);
            words.expect("acks");
            Acks acks = words.oneOf(Acks.values(), PlanText::word);
            words.expect("idempotence");
            Idempotence idempotence = words.oneOf(Idempotence.values(), PlanText::word);
            if (idempotence == Idempotence.ON && acks != Acks.ALL) {
                throw words.expected("acks all, which idempotence needs", word(acks));
            }
            return new ClientPlan(
                    id,
                    acks,
                    idempotence,
                    words.number("partition", 0, MOST_PARTITIONS),
                    words.number("rate", 1, MOST_RECORDS_PER_SECOND));
        }

        private static int positive(Words words, String label) {
            int ms = words.time(label);
            if (ms < 0) {
                throw words.expected("a time that is not negative", ms + "ms");
            }
            return ms;
        }
    }
}
