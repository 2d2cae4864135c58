package io.tidemark.history;

import java.util.Optional;

/** Where a recorder puts events. Called by one thread at a time. */
@FunctionalInterface
public interface EventSink {
    /** Takes one event; throws if it cannot, and the run has no history then. */
    void accept(HistoryEvent event);

    /** Into memory, for runs that are judged at once. An event that breaks the rules is a bug of whoever records. */
    static EventSink into(HistoryBuilder builder) {
        return event -> {
            Optional<String> objection = builder.add(event);
            if (objection.isPresent()) {
                throw new IllegalStateException(objection.get());
            }
        };
    }
}
