package io.tidemark.server.bounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.CallOptions;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.tidemark.server.plain.OneBroker;
import io.tidemark.wire.v1.MetadataRequest;
import io.tidemark.wire.v1.MetadataResponse;
import io.tidemark.wire.v1.MetadataServiceGrpc;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.management.ObjectName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * KNOWN_BUGS 43 (grpc/grpc-java#1849, #10850): the timers of calls that are done leave their queues at once, at both ends. {@code mvn
 * verify -Pslow -pl server -am -Dit.test=QuickCallsIT} makes a million.
 */
final class QuickCallsIT {
    private static final int AT_ONCE = 64;
    private static final int WARM_UP = 5_000;

    /** A timer of each call would be at least 72 bytes, with what it holds several hundred: 15 MB of 50,000 calls. */
    private static final long HEAP_TOLERANCE_BYTES = 3 << 20;

    /** Housekeeping of either end, which comes and goes. */
    private static final long TIMERS_TOLERANCE = 100;

    @TempDir
    private Path directory;

    @Test
    void shouldKeepNoTimersOfCallsThatAreDone() throws Exception {
        call(50_000);
    }

    @Test
    @Tag("slow")
    @Timeout(600)
    void shouldKeepNoTimersOfAMillionCallsThatAreDone() throws Exception {
        call(1_000_000);
    }

    private void call(int calls) throws Exception {
        try (OneBroker broker = new OneBroker(directory)) {
            // given
            await().atMost(Duration.ofSeconds(30)).until(broker::isReady);
            makeCalls(broker, WARM_UP);
            long timersBefore = timers();
            Footprint before = Footprint.now();

            // when
            makeCalls(broker, calls);

            // then
            long timersAfter = timers();
            Footprint after = Footprint.now();
            System.out.println("timers " + timersBefore + " " + timersAfter + ", " + before + " " + after);
            assertThat(timersAfter).isLessThan(timersBefore + TIMERS_TOLERANCE);
            assertThat(after.heapBytes()).isLessThan(before.heapBytes() + HEAP_TOLERANCE_BYTES);
        }
    }

    private static void makeCalls(OneBroker broker, int calls) throws InterruptedException {
        Semaphore room = new Semaphore(AT_ONCE);
        for (int i = 0; i < calls; i++) {
            assertThat(room.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
            ClientCalls.asyncUnaryCall(
                    broker.channel()
                            .newCall(
                                    MetadataServiceGrpc.getMetadataMethod(),
                                    CallOptions.DEFAULT.withDeadlineAfter(10, TimeUnit.MINUTES)),
                    MetadataRequest.getDefaultInstance(),
                    new StreamObserver<MetadataResponse>() {
                        @Override
                        public void onNext(MetadataResponse response) {}

                        @Override
                        public void onError(Throwable cause) {}

                        @Override
                        public void onCompleted() {
                            room.release();
                        }
                    });
        }
        assertThat(room.tryAcquire(AT_ONCE, 30, TimeUnit.SECONDS)).isTrue();
    }

    /** Scheduled tasks of the JDK's executors and the transport's loops that are reachable, whoever holds them. */
    private static long timers() throws Exception {
        String histogram = (String) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
        return histogram
                .lines()
                .filter(line -> line.contains("ScheduledFutureTask"))
                .mapToLong(line -> Long.parseLong(line.trim().split("\\s+")[1]))
                .sum();
    }
}
