package io.tidemark.cli.start;

import io.tidemark.model.Endpoint;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Answers every gRPC call on a loopback port with one and the same description of a cluster of one broker and one topic.
 *
 * <p>It speaks as much of HTTP/2 (RFC 9113) as one unary call at a time needs. A frame is
 *
 * <pre>length uint24, type uint8, flags uint8, stream uint32, payload</pre>
 *
 * An answer is three frames: headers (status 200, content type), data (the message behind gRPC's five bytes: not compressed,
 * length uint32), trailers (grpc-status 0).
 */
final class CannedBroker implements Closeable {
    /** The one topic that it knows. */
    static final String TOPIC = "orders";

    private static final int PREFACE_BYTES = 24;
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int ACK = 1;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final int MAX_FRAME_BYTES = 1 << 20;

    private final ServerSocket socket;
    private final byte[] message;

    /** Listens on a free port at once, on a daemon thread. */
    CannedBroker() throws IOException {
        socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        message = cluster(address());
        Thread thread = new Thread(this::serve, "canned-broker");
        thread.setDaemon(true);
        thread.start();
    }

    Endpoint address() {
        return new Endpoint(socket.getInetAddress().getHostAddress(), socket.getLocalPort());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private void serve() {
        while (!socket.isClosed()) {
            try (Socket client = socket.accept()) {
                serve(new DataInputStream(client.getInputStream()), new DataOutputStream(client.getOutputStream()));
            } catch (IOException e) {
                // The client went away, as it does after each command, or this was closed.
            }
        }
    }

    private void serve(DataInputStream in, DataOutputStream out) throws IOException {
        in.readNBytes(PREFACE_BYTES);
        frame(out, SETTINGS, 0, 0, new byte[0]);
        while (true) {
            int lengthAndType = in.readInt();
            int type = lengthAndType & 0xff;
            int flags = in.readUnsignedByte();
            int stream = in.readInt();
            byte[] payload = in.readNBytes(Math.min(lengthAndType >>> 8, MAX_FRAME_BYTES));
            if (type == SETTINGS && flags != ACK) {
                frame(out, SETTINGS, ACK, 0, new byte[0]);
            } else if (type == PING && flags != ACK) {
                frame(out, PING, ACK, 0, payload);
            } else if (type <= HEADERS && (flags & END_STREAM) != 0) {
                answer(out, stream);
            }
        }
    }

    private void answer(DataOutputStream out, int stream) throws IOException {
        ByteArrayOutputStream headers = new ByteArrayOutputStream();
        headers.write(0x88); // HPACK: entry 8 of the static table, ":status: 200"
        header(headers, "content-type", "application/grpc");
        frame(out, HEADERS, END_HEADERS, stream, headers.toByteArray());
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        DataOutputStream prefixed = new DataOutputStream(data);
        prefixed.writeByte(0);
        prefixed.writeInt(message.length);
        prefixed.write(message);
        frame(out, DATA, 0, stream, data.toByteArray());
        ByteArrayOutputStream trailers = new ByteArrayOutputStream();
        header(trailers, "grpc-status", "0");
        frame(out, HEADERS, END_HEADERS | END_STREAM, stream, trailers.toByteArray());
    }

    private static void frame(DataOutputStream out, int type, int flags, int stream, byte[] payload)
            throws IOException {
        out.writeInt((payload.length << 8) | type);
        out.writeByte(flags);
        out.writeInt(stream);
        out.write(payload);
        out.flush();
    }

    /** HPACK: a literal that is not remembered, its name new; both shorter than 127 bytes. */
    private static void header(ByteArrayOutputStream out, String name, String value) {
        out.write(0);
        for (String text : List.of(name, value)) {
            out.write(text.length());
            out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
        }
    }

    /** A MetadataResponse of metadata.proto, by its field numbers. */
    private static byte[] cluster(Endpoint address) {
        Message endpoint = new Message().text(1, address.host()).number(2, address.port());
        Message broker = new Message().number(1, 1).message(2, endpoint);
        Message replica = new Message().number(2, 1).number(3, 1).number(4, 1);
        replica.number(5, 1).number(6, 1).number(8, 1);
        Message topic = new Message().text(1, TOPIC).text(3, "0".repeat(32)).message(5, replica);
        return new Message()
                .text(1, "training")
                .number(2, 1)
                .number(3, 1)
                .number(4, 1)
                .message(5, broker)
                .message(6, topic)
                .bytes();
    }

    /** A protobuf message. */
    private static final class Message {
        private static final int LENGTH_DELIMITED = 2;

        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        Message number(int field, int value) {
            varint(field << 3);
            varint(value);
            return this;
        }

        Message text(int field, String value) {
            return delimited(field, value.getBytes(StandardCharsets.UTF_8));
        }

        Message message(int field, Message value) {
            return delimited(field, value.bytes());
        }

        byte[] bytes() {
            return out.toByteArray();
        }

        private Message delimited(int field, byte[] value) {
            varint((field << 3) | LENGTH_DELIMITED);
            varint(value.length);
            out.writeBytes(value);
            return this;
        }

        private void varint(int value) {
            int left = value;
            while (left > 0x7f) {
                out.write((left & 0x7f) | 0x80);
                left >>>= 7;
            }
            out.write(left);
        }
    }
}
