package io.tidemark.server.bounds;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import org.slf4j.LoggerFactory;

/** Collects what is logged as an error, or says that it is an internal one: by our own code, and by gRPC through the JDK's logging. */
final class LogWatch implements AutoCloseable {
    private static final java.util.logging.Logger JDK_ROOT = java.util.logging.Logger.getLogger("");

    private final List<String> alarms = new CopyOnWriteArrayList<>();
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Ours ours = new Ours();
    private final Theirs theirs = new Theirs();

    LogWatch() {
        ours.setContext(root.getLoggerContext());
        ours.start();
        root.addAppender(ours);
        JDK_ROOT.addHandler(theirs);
    }

    List<String> alarms() {
        return alarms;
    }

    private void look(boolean isError, String line) {
        if (isError || line.toLowerCase(Locale.ROOT).contains("internal error")) {
            alarms.add(line);
        }
    }

    private final class Ours extends AppenderBase<ILoggingEvent> {
        @Override
        protected void append(ILoggingEvent event) {
            look(
                    event.getLevel().isGreaterOrEqual(Level.ERROR),
                    event.getLoggerName() + ": " + event.getFormattedMessage());
        }
    }

    private final class Theirs extends Handler {
        @Override
        public void publish(LogRecord event) {
            look(
                    event.getLevel().intValue() >= java.util.logging.Level.WARNING.intValue(),
                    event.getLoggerName() + ": " + event.getMessage() + " " + event.getThrown());
        }

        @Override
        public void flush() {
            // Nothing is buffered.
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    @Override
    public void close() {
        root.detachAppender(ours);
        JDK_ROOT.removeHandler(theirs);
    }
}
