package io.tidemark.server.rpc;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * What gRPC's transport reports by itself, through the JDK's logging: a message over the limit, with a stack. That is the
 * caller's fault and the caller is told, with RESOURCE_EXHAUSTED (KNOWN_BUGS 41); here it gets one line.
 */
final class TransportReports {
    private static final org.slf4j.Logger LOG = org.slf4j.LoggerFactory.getLogger(TransportReports.class);

    /** Held on to: the JDK forgets a logger, and what was set in it, when nobody else does. */
    private static final Logger TRANSPORT = Logger.getLogger("io.grpc.netty.shaded.io.grpc.netty.NettyServerStream");

    private TransportReports() {}

    /** Lets through what somebody should look at. Idempotent. */
    static void keepToNews() {
        TRANSPORT.setFilter(TransportReports::isNews);
    }

    private static boolean isNews(LogRecord report) {
        boolean tooLarge = report.getThrown() instanceof StatusRuntimeException failure
                && failure.getStatus().getCode() == Status.Code.RESOURCE_EXHAUSTED;
        if (tooLarge) {
            LOG.info("a message is refused: {}", report.getThrown().getMessage());
        }
        return !tooLarge;
    }
}
