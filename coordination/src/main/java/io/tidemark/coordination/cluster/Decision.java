package io.tidemark.coordination.cluster;

import java.util.List;

/**
 * What one event leads to. The shell commits the writes in their order, and only then adopts the next state and carries
 * out the commands. If a write is refused the shell adopts nothing and resigns or loads again. It may decide later events
 * on a state whose writes are still under way: their versions build on each other.
 *
 * @param next the state once all writes are committed
 * @param notices what to count and log
 */
public record Decision(ClusterState next, List<StateWrite> writes, List<Command> commands, List<Notice> notices) {
    public Decision {
        writes = List.copyOf(writes);
        commands = List.copyOf(commands);
        notices = List.copyOf(notices);
    }
}
