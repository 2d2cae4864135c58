package io.tidemark.core.checkpoint;

/** Bytes that are not what their format says; turned into {@link StoredValue.Damaged} before it leaves the package. */
final class DamagedContentException extends Exception {
    private static final long serialVersionUID = 1L;

    DamagedContentException(String reason) {
        super(reason);
    }
}
