package io.tidemark.sim.run;

import io.tidemark.sim.check.Violation;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names what ended a run by what was thrown, so that a smaller run can be asked whether it goes wrong in the same way. */
final class ViolationName {
    /** The cluster did not do in time what it does in the end. */
    static final String NO_PROGRESS = "progress";

    private static final Pattern INVARIANT = Pattern.compile("^(\\w+): ");
    static final String WAITED = "waited in vain";

    private ViolationName() {}

    /** The name of the invariant, {@link #NO_PROGRESS}, or the class of what a part of a broker threw. */
    static String of(Throwable thrown) {
        if (thrown instanceof Violation violation) {
            return violation.invariant();
        }
        String message = String.valueOf(thrown.getMessage());
        Matcher named = INVARIANT.matcher(message);
        if (named.find()) {
            return named.group(1);
        }
        if (message.startsWith(WAITED)) {
            return NO_PROGRESS;
        }
        Throwable cause = thrown;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getClass().getSimpleName();
    }
}
