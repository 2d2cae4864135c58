package io.tidemark.server.rpc;

import io.tidemark.coordination.controller.BrokerCommands.LogEnds;
import io.tidemark.coordination.controller.BrokerCommands.LogQuery;
import java.util.List;

/** Tells how far this broker's logs go, under its current broker epoch. Called on the loop of {@link PushTarget}. */
@FunctionalInterface
public interface LogEndsSource {
    /** One answer for each query; a log under another topic id counts as not present. */
    LogEnds describe(List<LogQuery> logs);
}
