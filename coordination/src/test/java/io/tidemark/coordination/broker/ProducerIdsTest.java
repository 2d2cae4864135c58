package io.tidemark.coordination.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualEventLoops;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.model.ErrorCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class ProducerIdsTest {
    private static final int MAX_WAITERS = 3;

    private final ManualEventLoops loops = new ManualEventLoops(new ManualScheduler(new ManualClock()));
    private final Queue<Consumer<ControllerChannel.ProducerIdsAnswer>> asked = new ArrayDeque<>();
    private final List<Long> epochsAsked = new ArrayList<>();
    private final List<ProducerIds.Allocated> answers = new ArrayList<>();
    private long brokerEpoch = 7;
    private final ProducerIds ids =
            new ProducerIds(loops.open("ids"), new RecordingChannel(), () -> brokerEpoch, MAX_WAITERS);

    @Test
    void shouldServeWaitersInOrderFromOneBlockAndAskForTheNextWhenItIsUsedUp() {
        // given
        allocate(3);
        assertThat(asked).hasSize(1);

        // when
        answer(new ControllerChannel.ProducerIdsAnswer(ErrorCode.NONE, 1000, 2));

        // then
        assertThat(answers).containsExactly(id(1000), id(1001));
        assertThat(asked).hasSize(1);
        brokerEpoch = 8;
        answer(new ControllerChannel.ProducerIdsAnswer(ErrorCode.NONE, 5000, 10));
        allocate(1);
        assertThat(answers).containsExactly(id(1000), id(1001), id(5000), id(5001));
        assertThat(epochsAsked).containsExactly(7L, 7L);
    }

    @Test
    void shouldHandTheControllersErrorToAllWaitersAndAskAgainForTheNext() {
        // given
        allocate(2);

        // when
        answer(new ControllerChannel.ProducerIdsAnswer(ErrorCode.NOT_CONTROLLER, -1, 0));

        // then
        ProducerIds.Allocated failed = new ProducerIds.Allocated(ErrorCode.NOT_CONTROLLER, -1);
        assertThat(answers).containsExactly(failed, failed);
        allocate(1);
        assertThat(asked).hasSize(1);
    }

    @Test
    void shouldBoundItsWaiters() {
        allocate(MAX_WAITERS + 1);

        assertThat(answers).containsExactly(new ProducerIds.Allocated(ErrorCode.THROTTLED, -1));
        assertThat(asked).hasSize(1);
    }

    @Test
    void shouldTakeAnEmptyBlockForAnError() {
        allocate(1);
        answer(new ControllerChannel.ProducerIdsAnswer(ErrorCode.NONE, 0, 0));

        assertThat(answers).containsExactly(new ProducerIds.Allocated(ErrorCode.UNKNOWN_SERVER_ERROR, -1));
        assertThat(asked).isEmpty();
    }

    private void allocate(int count) {
        for (int i = 0; i < count; i++) {
            ids.allocate(answers::add);
        }
        loops.runAll();
    }

    private void answer(ControllerChannel.ProducerIdsAnswer block) {
        asked.remove().accept(block);
        loops.runAll();
    }

    private static ProducerIds.Allocated id(long producerId) {
        return new ProducerIds.Allocated(ErrorCode.NONE, producerId);
    }

    private final class RecordingChannel implements ControllerChannel {
        @Override
        public void controlledShutdown(long epoch, Consumer<ShutdownAnswer> answer) {
            throw new AssertionError("not asked for");
        }

        @Override
        public void allocateProducerIds(long epoch, Consumer<ControllerChannel.ProducerIdsAnswer> answer) {
            epochsAsked.add(epoch);
            asked.add(answer);
        }
    }
}
