package io.tidemark.server.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.server.FakeBroker;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Two brokers that talk to each other over real sockets. */
abstract class TwoBrokers {
    FakeBroker one;
    FakeBroker two;

    @BeforeEach
    void start() throws IOException {
        one = new FakeBroker(1);
        two = new FakeBroker(2);
    }

    @AfterEach
    void stop() {
        one.close();
        two.close();
    }

    static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        T value = queue.poll(20, TimeUnit.SECONDS);
        assertThat(value).as("an answer").isNotNull();
        return value;
    }
}
