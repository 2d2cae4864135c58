package io.tidemark.server.rpc;

import io.tidemark.model.ErrorCode;
import java.util.EnumMap;
import java.util.Map;

/** Error codes between values and messages: equal names behind the prefix of the wire's. */
public final class ErrorCodes {
    private static final Map<ErrorCode, io.tidemark.wire.v1.ErrorCode> TO_WIRE = new EnumMap<>(ErrorCode.class);
    private static final Map<io.tidemark.wire.v1.ErrorCode, ErrorCode> FROM_WIRE =
            new EnumMap<>(io.tidemark.wire.v1.ErrorCode.class);

    static {
        for (ErrorCode code : ErrorCode.values()) {
            io.tidemark.wire.v1.ErrorCode wire = io.tidemark.wire.v1.ErrorCode.valueOf("ERROR_CODE_" + code.name());
            TO_WIRE.put(code, wire);
            FROM_WIRE.put(wire, code);
        }
    }

    private ErrorCodes() {}

    public static io.tidemark.wire.v1.ErrorCode toWire(ErrorCode code) {
        return TO_WIRE.getOrDefault(code, io.tidemark.wire.v1.ErrorCode.ERROR_CODE_UNKNOWN_SERVER_ERROR);
    }

    /** A number that this version does not know becomes UNKNOWN_SERVER_ERROR. */
    public static ErrorCode fromWire(io.tidemark.wire.v1.ErrorCode code) {
        return FROM_WIRE.getOrDefault(code, ErrorCode.UNKNOWN_SERVER_ERROR);
    }
}
