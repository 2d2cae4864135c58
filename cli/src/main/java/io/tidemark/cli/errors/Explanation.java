package io.tidemark.cli.errors;

import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import io.tidemark.client.TidemarkException;
import io.tidemark.model.ErrorCode;

/** What a failed request means for the person who made it: exit code, message, next step. */
public final class Explanation {
    private Explanation() {}

    /**
     * The failure of a command.
     *
     * @param what could not be done
     * @param tried the addresses that were tried
     */
    public static CommandFailure of(String what, String tried, TidemarkException failure) {
        if (failure.error() == ErrorCode.BROKER_NOT_AVAILABLE) {
            return new CommandFailure(
                    ExitCode.CANNOT_CONNECT,
                    what + ": no broker answered; tried " + tried + " (" + failure.getMessage() + ")",
                    "see that the cluster runs, and that --bootstrap or TIDEMARK_BOOTSTRAP names its brokers");
        }
        return new CommandFailure(exitCode(failure.error()), what + ": " + failure.getMessage(), next(failure.error()));
    }

    /** The failure of a request that the command did not expect. */
    public static CommandFailure of(TidemarkException failure) {
        String message = String.valueOf(failure.getMessage());
        return new CommandFailure(exitCode(failure.error()), message, next(failure.error()));
    }

    private static int exitCode(ErrorCode error) {
        return switch (error) {
            case BROKER_NOT_AVAILABLE -> ExitCode.CANNOT_CONNECT;
            case REQUEST_TIMED_OUT -> ExitCode.TIMED_OUT;
            default -> ExitCode.FAILED;
        };
    }

    /** What to do about an error, and where to read more. */
    public static String next(ErrorCode error) {
        ErrorGuide.Entry entry = ErrorGuide.of(error);
        return entry.next() + " More: tidemark error " + error;
    }
}
