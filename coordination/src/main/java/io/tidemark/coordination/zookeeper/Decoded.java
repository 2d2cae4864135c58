package io.tidemark.coordination.zookeeper;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What became of a node's text: a value, or what is wrong with it. Bad text is an expected outcome, since people with a
 * ZooKeeper shell can write it.
 *
 * @param path the node
 * @param value null if the text is bad
 * @param carry to be handed to the encoder when the node is rewritten, so that fields of a newer version survive; empty
 *     if there are none
 * @param problem what is wrong, naming the path; empty if nothing is
 */
public record Decoded<T>(String path, @Nullable T value, String carry, String problem) {
    static <T> Decoded<T> of(String path, T value, String carry) {
        return new Decoded<>(path, value, carry, "");
    }

    static <T> Decoded<T> bad(String path, String reason) {
        return new Decoded<>(path, null, "", "bad content of " + path + ": " + reason);
    }

    public boolean isOk() {
        return value != null;
    }

    /** The value, if the text was good. */
    public Optional<T> toOptional() {
        return Optional.ofNullable(value);
    }

    /** The value; throws {@link BadNodeException} for bad text. */
    public T orThrow() {
        if (value == null) {
            throw new BadNodeException(problem);
        }
        return value;
    }

    /** A node's content cannot be used. The message names path and reason. */
    public static final class BadNodeException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public BadNodeException(String message) {
            super(message);
        }
    }
}
