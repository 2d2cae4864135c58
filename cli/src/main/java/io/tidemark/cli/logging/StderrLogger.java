package io.tidemark.cli.logging;

import java.io.PrintStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** Tidemark's own warnings, and the errors of libraries; {@code -Dtidemark.log.level=debug} lets all say more. */
final class StderrLogger extends LegacyAbstractLogger {
    /** A level of {@link Level}, for every logger. */
    static final String LEVEL_PROPERTY = "tidemark.log.level";

    private static final long serialVersionUID = 1L;
    private static final String OWN = "io.tidemark";

    private final Level threshold;
    private final transient PrintStream err;

    StderrLogger(String name, PrintStream err) {
        this.name = name;
        this.err = err;
        this.threshold = threshold(name, System.getProperty(LEVEL_PROPERTY, ""));
    }

    private static Level threshold(String name, String wanted) {
        for (Level level : Level.values()) {
            if (level.name().equalsIgnoreCase(wanted)) {
                return level;
            }
        }
        return name.startsWith(OWN) ? Level.WARN : Level.ERROR;
    }

    @Override
    public boolean isTraceEnabled() {
        return isEnabled(Level.TRACE);
    }

    @Override
    public boolean isDebugEnabled() {
        return isEnabled(Level.DEBUG);
    }

    @Override
    public boolean isInfoEnabled() {
        return isEnabled(Level.INFO);
    }

    @Override
    public boolean isWarnEnabled() {
        return isEnabled(Level.WARN);
    }

    @Override
    public boolean isErrorEnabled() {
        return isEnabled(Level.ERROR);
    }

    private boolean isEnabled(Level level) {
        return level.toInt() >= threshold.toInt();
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
        return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level,
            @Nullable Marker marker,
            @Nullable String message,
            Object @Nullable [] arguments,
            @Nullable Throwable failure) {
        String text = MessageFormatter.basicArrayFormat(message, arguments);
        err.println(level + " " + name + " " + text + (failure == null ? "" : ": " + failure));
    }
}
