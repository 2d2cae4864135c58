package io.tidemark.bench.compare;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What Kafka's measuring tools print. */
final class KafkaOutput {
    /** {@code 500000 records sent, 24743.5 records/sec (24.16 MB/sec), 1122.4 ms avg latency, ...}; the last is the total. */
    private static final Pattern PRODUCED = Pattern.compile("records sent, ([0-9.]+) records/sec");

    /** start, end, MB, MB/s, records, records/s, rebalance ms, fetch ms, fetched MB/s, fetched records/s. */
    private static final int CONSUMED_FIELDS = 10;

    private static final int FETCHED_PER_SECOND = 9;

    private KafkaOutput() {}

    /** @throws JobFailure if it is not there */
    static double produced(List<String> output) {
        for (int i = output.size() - 1; i >= 0; i--) {
            Matcher matcher = PRODUCED.matcher(output.get(i));
            if (matcher.find()) {
                return Double.parseDouble(matcher.group(1));
            }
        }
        throw new JobFailure("Kafka's producer printed no result");
    }

    /** @throws JobFailure if it is not there */
    static double consumed(List<String> output) {
        for (int i = output.size() - 1; i >= 0; i--) {
            String[] fields = output.get(i).split(",", -1);
            if (fields.length >= CONSUMED_FIELDS) {
                return Double.parseDouble(fields[FETCHED_PER_SECOND].strip());
            }
        }
        throw new JobFailure("Kafka's consumer printed no result");
    }
}
