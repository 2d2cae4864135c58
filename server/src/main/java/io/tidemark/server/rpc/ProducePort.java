package io.tidemark.server.rpc;

import io.tidemark.replication.produce.Produce;
import io.tidemark.runtime.Cancellable;
import java.util.List;
import java.util.function.Consumer;

/** Where produces go: {@code ProduceHandler::produce}, whose contract this is. Never blocks. */
@FunctionalInterface
public interface ProducePort {
    /**
     * @param answer given one result for each part, in order, exactly once, on any thread
     * @return for a caller that is gone: {@code answer} is then not called
     */
    Cancellable produce(Produce.Request request, Consumer<List<Produce.Result>> answer);
}
