package io.tidemark.core.purgatory;

import io.tidemark.model.ErrorCode;

/**
 * Why a waiting ended.
 *
 * @param ending the kind of end
 * @param error {@link ErrorCode#NONE} unless the ending is {@link Ending#FAILED}
 */
public record Completion(Ending ending, ErrorCode error) {
    /** The number that was waited for is reached. */
    public static final Completion SATISFIED = new Completion(Ending.SATISFIED, ErrorCode.NONE);

    /** The time is up; what is there is answered. */
    public static final Completion EXPIRED = new Completion(Ending.EXPIRED, ErrorCode.NONE);

    /** The caller has vanished: nobody takes an answer. */
    public static final Completion CANCELLED = new Completion(Ending.CANCELLED, ErrorCode.NONE);

    /** How a waiting can end. */
    public enum Ending {
        SATISFIED,
        EXPIRED,
        CANCELLED,
        FAILED
    }

    public Completion {
        if ((ending == Ending.FAILED) == (error == ErrorCode.NONE)) {
            throw new IllegalArgumentException("an error goes with a failure and with nothing else: " + ending);
        }
    }

    /** What was waited for cannot happen here any more: leadership lost, log cut, partition stopped, shutdown. */
    public static Completion failed(ErrorCode error) {
        return new Completion(Ending.FAILED, error);
    }
}
