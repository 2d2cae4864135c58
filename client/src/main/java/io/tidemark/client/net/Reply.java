package io.tidemark.client.net;

import io.tidemark.client.TidemarkException;
import io.tidemark.model.ErrorCode;
import org.jspecify.annotations.Nullable;

/** The answer to a call: a value, or why there is none. */
public sealed interface Reply<T> {
    /** The broker answered. */
    record Value<T>(T value) implements Reply<T> {}

    /**
     * No answer, or an error for the whole call.
     *
     * @param error BROKER_NOT_AVAILABLE when the call was certainly not sent, REQUEST_TIMED_OUT when its outcome is
     *     unknown, or what the broker said
     */
    record Failure<T>(ErrorCode error, String message) implements Reply<T> {
        public TidemarkException exception() {
            return new TidemarkException(error, message);
        }
    }

    static <T> Reply<T> of(T value) {
        return new Value<>(value);
    }

    static <T> Reply<T> failed(ErrorCode error, String message) {
        return new Failure<>(error, message);
    }

    /** The value, or null. */
    default @Nullable T orNull() {
        return this instanceof Value<T> answered ? answered.value() : null;
    }
}
