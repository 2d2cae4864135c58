package io.tidemark.server.bounds;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.grpc.CallOptions;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.tidemark.wire.v1.AdminServiceGrpc;
import io.tidemark.wire.v1.CreateTopicRequest;
import io.tidemark.wire.v1.FetchPartition;
import io.tidemark.wire.v1.FetchRequest;
import io.tidemark.wire.v1.FetchServiceGrpc;
import io.tidemark.wire.v1.ListOffsetsPartition;
import io.tidemark.wire.v1.ListOffsetsRequest;
import io.tidemark.wire.v1.MetadataRequest;
import io.tidemark.wire.v1.MetadataServiceGrpc;
import io.tidemark.wire.v1.PartitionProduce;
import io.tidemark.wire.v1.PlainServiceGrpc;
import io.tidemark.wire.v1.ProduceRequest;
import io.tidemark.wire.v1.ProduceServiceGrpc;
import io.tidemark.wire.v1.PublishRequest;
import io.tidemark.wire.v1.SubscribeRequest;
import io.tidemark.wire.v1.Subscription;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** Bytes where messages should be. */
final class RawCalls {
    private static final int LARGEST_MESSAGE_BYTES = 100 << 20;

    /** A method, and a message that it takes. */
    private record Method(MethodDescriptor<?, ?> descriptor, MessageLite sample) {}

    private static final List<Method> METHODS = List.of(
            new Method(
                    ProduceServiceGrpc.getProduceMethod(),
                    ProduceRequest.newBuilder()
                            .addPartitions(PartitionProduce.newBuilder()
                                    .setTopic(Topics.TARGET)
                                    .setBatches(Batches.three()))
                            .build()),
            new Method(
                    FetchServiceGrpc.getFetchMethod(),
                    FetchRequest.newBuilder()
                            .addPartitions(FetchPartition.newBuilder().setTopic(Topics.TARGET))
                            .build()),
            new Method(
                    FetchServiceGrpc.getListOffsetsMethod(),
                    ListOffsetsRequest.newBuilder()
                            .addPartitions(ListOffsetsPartition.newBuilder().setTopic(Topics.TARGET))
                            .build()),
            new Method(
                    MetadataServiceGrpc.getMetadataMethod(),
                    MetadataRequest.newBuilder().addTopics(Topics.TARGET).build()),
            new Method(
                    AdminServiceGrpc.getCreateTopicMethod(),
                    CreateTopicRequest.newBuilder().setName(Topics.TARGET).build()),
            new Method(
                    PlainServiceGrpc.getPublishMethod(),
                    PublishRequest.newBuilder().setTopic(Topics.TARGET).build()),
            new Method(
                    PlainServiceGrpc.getPublishStreamMethod(),
                    PublishRequest.newBuilder().setTopic(Topics.TARGET).build()),
            new Method(
                    PlainServiceGrpc.getSubscribeMethod(),
                    SubscribeRequest.newBuilder()
                            .setStart(Subscription.newBuilder().setTopic(Topics.TARGET))
                            .build()));

    private RawCalls() {}

    /** Passes bytes through, either way. */
    private static final class Bytes implements MethodDescriptor.Marshaller<InputStream> {
        @Override
        public InputStream stream(InputStream value) {
            return value;
        }

        @Override
        public InputStream parse(InputStream stream) {
            return stream;
        }
    }

    private static CompletableFuture<String> send(
            Victim victim, String method, CallOptions options, InputStream message) {
        return victim.call(raw(method), options, List.of(message), answer -> "a message");
    }

    private static MethodDescriptor<InputStream, InputStream> raw(String method) {
        return MethodDescriptor.<InputStream, InputStream>newBuilder()
                .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
                .setFullMethodName(method)
                .setRequestMarshaller(new Bytes())
                .setResponseMarshaller(new Bytes())
                .build();
    }

    private static boolean isReadable(Method method, byte[] bytes) {
        try {
            method.descriptor.parseRequest(new ByteArrayInputStream(bytes));
            return true;
        } catch (StatusRuntimeException e) {
            return false;
        }
    }

    /** No message of the method's. */
    static CompletableFuture<String> randomBytes(Victim victim, Random random) {
        Method method = METHODS.get(random.nextInt(METHODS.size()));
        byte[] bytes;
        do {
            bytes = new byte[1 + random.nextInt(300)];
            random.nextBytes(bytes);
        } while (isReadable(method, bytes));
        return send(
                victim, method.descriptor.getFullMethodName(), CallOptions.DEFAULT, new ByteArrayInputStream(bytes));
    }

    /** A message that was cut within a field. */
    static CompletableFuture<String> cutMessage(Victim victim, Random random) {
        Method method = METHODS.get(random.nextInt(METHODS.size()));
        ByteString whole = method.sample.toByteString();
        byte[] bytes;
        do {
            bytes = whole.substring(0, 1 + random.nextInt(whole.size() - 1)).toByteArray();
        } while (isReadable(method, bytes));
        return send(
                victim, method.descriptor.getFullMethodName(), CallOptions.DEFAULT, new ByteArrayInputStream(bytes));
    }

    static CompletableFuture<String> unknownMethod(Victim victim, Random random) {
        String[] names = {
            "tidemark.v1.ProduceService/Produced",
            "tidemark.v1.NoService/Produce",
            "tidemark.v1.plainservice/Publish",
            "tidemark.internal.v1.ControllerService/CreateTopic",
            "tidemark.internal.v1.ReplicaFetchService/ReplicaFetch",
            "tidemark.internal.v1.BrokerCommandService/Push",
            "x/y",
            "/"
        };
        return send(
                victim,
                names[random.nextInt(names.length)],
                CallOptions.DEFAULT,
                new ByteArrayInputStream(new byte[random.nextInt(100)]));
    }

    /** One byte more than a message may have. */
    static CompletableFuture<String> oversized(Victim victim, Random random) {
        Method method = METHODS.get(random.nextInt(METHODS.size()));
        return victim.callAlone(
                raw(method.descriptor.getFullMethodName()),
                CallOptions.DEFAULT,
                new Zeros(LARGEST_MESSAGE_BYTES + 1),
                answer -> "a message");
    }

    /** The same, small on its way. */
    static CompletableFuture<String> compressed(Victim victim, Random random) {
        Method method = METHODS.get(random.nextInt(METHODS.size()));
        return send(
                victim,
                method.descriptor.getFullMethodName(),
                CallOptions.DEFAULT.withCompression("gzip"),
                new PublishOfZeros(LARGEST_MESSAGE_BYTES + 1));
    }

    /** Bytes on a connection of their own that are no HTTP/2. */
    static CompletableFuture<String> noHttp2(Victim victim, Random random) {
        byte[] bytes = new byte[24 + random.nextInt(1_000)];
        random.nextBytes(bytes);
        String[] address = victim.authority().split(":");
        return CompletableFuture.supplyAsync(() -> {
            try (Socket socket = new Socket(address[0], Integer.parseInt(address[1]))) {
                socket.setSoTimeout(10_000);
                socket.getOutputStream().write(bytes);
                socket.getInputStream().readAllBytes();
                return "closed";
            } catch (java.net.SocketTimeoutException e) {
                return "left open";
            } catch (java.net.SocketException e) {
                return "closed";
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** So many zeros, which nobody has in memory. */
    private static class Zeros extends InputStream implements KnownLength {
        private int left;

        Zeros(int sizeBytes) {
            this.left = sizeBytes;
        }

        @Override
        public int read() {
            if (left == 0) {
                return -1;
            }
            left--;
            return 0;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (left == 0 && length > 0) {
                return -1;
            }
            int count = Math.min(left, length);
            java.util.Arrays.fill(target, offset, offset + count, (byte) 0);
            left -= count;
            return count;
        }

        @Override
        public int available() {
            return left;
        }
    }

    /** A record to publish whose value is zeros; the field's number is that of a length-delimited field in every request. */
    private static final class PublishOfZeros extends java.io.SequenceInputStream {
        PublishOfZeros(int sizeBytes) {
            super(new ByteArrayInputStream(head(sizeBytes)), new Zeros(sizeBytes));
        }

        private static byte[] head(int sizeBytes) {
            java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
            com.google.protobuf.CodedOutputStream out = com.google.protobuf.CodedOutputStream.newInstance(bytes);
            try {
                out.writeTag(100, com.google.protobuf.WireFormat.WIRETYPE_LENGTH_DELIMITED);
                out.writeUInt32NoTag(sizeBytes);
                out.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return bytes.toByteArray();
        }
    }
}
