package io.tidemark.server.rpc;

import io.tidemark.model.ErrorCode;

/** Error codes between values and messages: equal names, equal numbers. */
public final class ErrorCodes {
    private static final ErrorCode[] BY_NUMBER = ErrorCode.values();

    private ErrorCodes() {}

    public static io.tidemark.wire.v1.ErrorCode toWire(ErrorCode code) {
        return io.tidemark.wire.v1.ErrorCode.forNumber(code.ordinal());
    }

    /** A number that this version does not know becomes UNKNOWN_SERVER_ERROR. */
    public static ErrorCode fromWire(io.tidemark.wire.v1.ErrorCode code) {
        boolean known = code != io.tidemark.wire.v1.ErrorCode.UNRECOGNIZED && code.getNumber() < BY_NUMBER.length;
        return known ? BY_NUMBER[code.getNumber()] : ErrorCode.UNKNOWN_SERVER_ERROR;
    }
}
