package io.tidemark.client;

import io.tidemark.client.admin.Admin;
import io.tidemark.client.consumer.Consumer;
import io.tidemark.client.consumer.ConsumerConfig;
import io.tidemark.client.net.ClientThread;
import io.tidemark.client.net.GrpcTransport;
import io.tidemark.client.producer.Producer;
import io.tidemark.client.producer.ProducerConfig;

/** Opens producers, consumers and admins over gRPC, each with a thread and connections of its own that its close ends. */
public final class Tidemark {
    private Tidemark() {}

    public static Producer producer(ProducerConfig config) {
        ClientThread thread = new ClientThread("tidemark-producer");
        GrpcTransport transport = new GrpcTransport(GrpcTransport.Settings.DEFAULT);
        return new Producer(config, thread.runtime(), transport, () -> release(thread, transport));
    }

    public static Consumer consumer(ConsumerConfig config) {
        ClientThread thread = new ClientThread("tidemark-consumer");
        GrpcTransport transport = new GrpcTransport(GrpcTransport.Settings.DEFAULT);
        return new Consumer(config, thread.runtime(), transport, () -> release(thread, transport));
    }

    public static Admin admin(Admin.Settings settings) {
        ClientThread thread = new ClientThread("tidemark-admin");
        GrpcTransport transport = new GrpcTransport(
                new GrpcTransport.Settings(settings.timeout(), GrpcTransport.Settings.DEFAULT.maxMessageBytes()));
        return new Admin(settings, thread.runtime(), transport, () -> release(thread, transport));
    }

    private static void release(ClientThread thread, GrpcTransport transport) {
        thread.close();
        transport.close();
    }
}
