package io.tidemark.sim.plan;

import io.tidemark.client.producer.ProducerConfig.Idempotence;
import io.tidemark.model.Acks;

/**
 * One client of a run, which writes to a partition of the run's topic.
 *
 * @param id names it on links and in histories; no broker has it
 * @param acks what it takes for success
 * @param idempotence whether brokers drop what it repeats; on with {@link Acks#ALL} alone
 * @param partition that it writes to
 * @param recordsPerSecond on average, in simulated time
 */
public record ClientPlan(int id, Acks acks, Idempotence idempotence, int partition, int recordsPerSecond) {
    public ClientPlan {
        if (partition < 0 || recordsPerSecond <= 0) {
            throw new IllegalArgumentException(
                    "client " + id + ": partition " + partition + ", " + recordsPerSecond + " records a second");
        }
        if (idempotence == Idempotence.ON && acks != Acks.ALL) {
            throw new IllegalArgumentException("client " + id + ": idempotence needs acks=all");
        }
    }
}
