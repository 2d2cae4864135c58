package io.tidemark.cli.demo;

import com.google.gson.JsonObject;
import io.tidemark.cli.Facts;
import io.tidemark.cli.Units;

/**
 * What a demonstration found.
 *
 * @param sent records that were handed to the producer
 * @param acked acknowledged with acks=all
 * @param killedAtAcked acknowledged when the leader was killed
 * @param consumed records that came back
 * @param lost acknowledged records that did not come back
 * @param duplicated records that came back more than once, counted beyond the first
 * @param outOfOrder records that came back after a later one
 * @param failoverMs longest time without an acknowledgement
 */
record DemoReport(
        long sent,
        long acked,
        long killedAtAcked,
        long consumed,
        long lost,
        long duplicated,
        long outOfOrder,
        long failoverMs) {
    /** Whether nothing acknowledged is missing and order held. */
    boolean isGood() {
        return lost == 0 && outOfOrder == 0 && duplicated == 0;
    }

    JsonObject toJson() {
        JsonObject json = new JsonObject();
        json.addProperty("sent", sent);
        json.addProperty("acked", acked);
        json.addProperty("killedAtAcked", killedAtAcked);
        json.addProperty("consumed", consumed);
        json.addProperty("lost", lost);
        json.addProperty("duplicated", duplicated);
        json.addProperty("outOfOrder", outOfOrder);
        json.addProperty("failoverMs", failoverMs);
        return json;
    }

    Facts facts() {
        return new Facts("demo")
                .with("sent", Units.count(sent))
                .with("acknowledged", Units.count(acked))
                .with("acknowledged at the kill", Units.count(killedAtAcked))
                .with("consumed", Units.count(consumed))
                .with("lost", Units.count(lost))
                .with("duplicated", Units.count(duplicated))
                .with("out of order", Units.count(outOfOrder))
                .with("longest silence", Units.count(failoverMs) + " ms");
    }
}
