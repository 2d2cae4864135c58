package io.tidemark.coordination.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.coordination.broker.Push.Request;
import io.tidemark.coordination.broker.Push.Result;
import io.tidemark.coordination.broker.PushReceiver.Received;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.model.ClusterUpdate;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The push contract, DESIGN section 6; I9, I10, KAFKA-1096. */
final class PushReceiverTest {
    private static final long EPOCH = 100;

    private final PushReceiver receiver = new PushReceiver();

    @Test
    void shouldApplyNumbersInOrderAndAnswerRepeatsWithoutApplyingThemAgain() {
        receiver.registered(EPOCH);

        assertApplied(full(5, EPOCH, 1));
        assertApplied(delta(5, EPOCH, 2));
        assertNotApplied(delta(5, EPOCH, 2), Result.APPLIED);
        assertNotApplied(full(5, EPOCH, 1), Result.APPLIED);
        assertApplied(delta(5, EPOCH, 3));
    }

    @Test
    void shouldAskForFullStateWhenANumberIsMissing() {
        receiver.registered(EPOCH);

        assertNotApplied(delta(5, EPOCH, 1), Result.NEED_FULL);
        assertApplied(full(5, EPOCH, 2));
        assertNotApplied(delta(5, EPOCH, 4), Result.NEED_FULL);
        assertApplied(delta(5, EPOCH, 3));
        assertNotApplied(delta(5, EPOCH, 5), Result.NEED_FULL);
        assertApplied(full(5, EPOCH, 6));
        assertNotApplied(delta(5, EPOCH, 5), Result.APPLIED);
        assertApplied(delta(5, EPOCH, 7));
    }

    /** Otherwise the repetition would be answered as applied, and the broker would never hear of it again. */
    @Test
    void shouldTakeAFullUpdateOnlyAfterOneThatCouldNotBeApplied() {
        receiver.registered(EPOCH);
        assertApplied(full(5, EPOCH, 1));
        assertApplied(delta(5, EPOCH, 2));

        // when the update of number 2 fails half-way
        receiver.notApplied();

        // then
        assertNotApplied(delta(5, EPOCH, 2), Result.NEED_FULL);
        assertApplied(full(5, EPOCH, 3));
        assertApplied(delta(5, EPOCH, 4));

        // when a full one fails, then its repetition is applied
        receiver.notApplied();
        assertApplied(full(5, EPOCH, 4));
    }

    @Test
    void shouldRefuseADeposedControllerOnceANewerOneHasSpoken() {
        receiver.registered(EPOCH);
        assertApplied(full(5, EPOCH, 1));

        // when controller 6 is heard for the first time, though its push cannot be applied
        assertNotApplied(delta(6, EPOCH, 2), Result.NEED_FULL);

        // then
        assertNotApplied(delta(5, EPOCH, 2), Result.STALE_CONTROLLER);
        assertNotApplied(full(5, EPOCH, 3), Result.STALE_CONTROLLER);
        assertApplied(full(6, EPOCH, 3));
        assertThat(receiver.controllerEpoch()).isEqualTo(6);
    }

    @Test
    void shouldRememberTheHighestControllerEvenFromAPushMeantForAnotherLife() {
        receiver.registered(EPOCH);
        assertNotApplied(full(7, EPOCH - 1, 1), Result.STALE_BROKER_EPOCH);

        assertNotApplied(full(6, EPOCH, 1), Result.STALE_CONTROLLER);
    }

    @Test
    void shouldRefuseWhatWasMeantForAnEarlierLife() {
        // given the push that would make a bounced broker cut its log (I10)
        Request old = full(5, EPOCH - 1, 1);
        receiver.registered(EPOCH);

        assertNotApplied(old, Result.STALE_BROKER_EPOCH);
    }

    @Test
    void shouldAskForRepetitionWhileItDoesNotKnowItsOwnRegistration() {
        assertNotApplied(full(5, EPOCH, 1), Result.RETRY);
        receiver.registered(EPOCH);

        assertApplied(full(5, EPOCH, 1));
    }

    @Test
    void shouldStartANewSequenceForANewRegistrationOfTheSameProcess() {
        receiver.registered(EPOCH);
        assertApplied(full(5, EPOCH, 1));
        assertApplied(delta(5, EPOCH, 2));

        receiver.registered(EPOCH + 1);

        assertNotApplied(delta(5, EPOCH, 3), Result.STALE_BROKER_EPOCH);
        assertNotApplied(delta(5, EPOCH + 1, 3), Result.NEED_FULL);
        assertApplied(full(5, EPOCH + 1, 4));
    }

    @Test
    void shouldNotGoBackToAnEarlierRegistration() {
        receiver.registered(EPOCH + 1);
        receiver.registered(EPOCH);

        assertNotApplied(full(5, EPOCH, 1), Result.STALE_BROKER_EPOCH);
    }

    @Test
    void shouldApplyEachPushAtMostOnceAndInOrderHoweverTheyArrive() {
        long seed = Long.getLong("tidemark.seed", 1);
        SeededRandomness randomness = new SeededRandomness(seed);
        for (int run = 0; run < 300; run++) {
            assertShuffledRunIsSafe(randomness, seed);
        }
    }

    /** Pushes of three controllers to two registrations, each sent up to three times, in any order. */
    private static List<Request> shuffledPushes(SeededRandomness randomness) {
        List<Request> sent = new ArrayList<>();
        for (int controller = 5; controller <= 7; controller++) {
            for (int number = 1; number <= 6; number++) {
                long broker = EPOCH + randomness.nextInt(2);
                boolean full = number == 1 || randomness.oneIn(4);
                Request push = full ? full(controller, broker, number) : delta(controller, broker, number);
                for (int copies = 1 + randomness.nextInt(3); copies > 0; copies--) {
                    sent.add(randomness.nextInt(sent.size() + 1), push);
                }
            }
        }
        return sent;
    }

    private static void assertShuffledRunIsSafe(SeededRandomness randomness, long seed) {
        List<Request> sent = shuffledPushes(randomness);
        PushReceiver receiver = new PushReceiver();
        receiver.registered(EPOCH);
        int secondRegistration = randomness.nextInt(sent.size());

        // when
        List<Request> applied = new ArrayList<>();
        for (int i = 0; i < sent.size(); i++) {
            if (i == secondRegistration) {
                receiver.registered(EPOCH + 1);
            }
            Received received = receiver.receive(sent.get(i));
            assertThat(received.answer().sequence())
                    .as("seed %d", seed)
                    .isEqualTo(sent.get(i).sequence());
            if (received.update() != null) {
                assertThat(received.answer().result()).as("seed %d", seed).isEqualTo(Result.APPLIED);
                applied.add(sent.get(i));
            }
        }

        // then epochs never fall, numbers rise, and a partial update follows its very predecessor
        for (int i = 0; i < applied.size(); i++) {
            Request now = applied.get(i);
            Request before = i == 0 ? null : applied.get(i - 1);
            boolean sameStream = before != null
                    && before.controllerEpoch() == now.controllerEpoch()
                    && before.brokerEpoch() == now.brokerEpoch();
            assertThat(before == null || before.controllerEpoch() <= now.controllerEpoch())
                    .as("seed %d", seed)
                    .isTrue();
            assertThat(before == null || before.brokerEpoch() <= now.brokerEpoch())
                    .as("seed %d", seed)
                    .isTrue();
            assertThat(!sameStream || now.sequence() > before.sequence())
                    .as("seed %d", seed)
                    .isTrue();
            assertThat(now.update().full() || (sameStream && now.sequence() == before.sequence() + 1))
                    .as("seed %d", seed)
                    .isTrue();
        }
    }

    private void assertApplied(Request push) {
        Received received = receiver.receive(push);
        assertThat(received.answer()).isEqualTo(new Push.Answer(push.sequence(), Result.APPLIED));
        assertThat(received.update()).isSameAs(push.update());
    }

    private void assertNotApplied(Request push, Result result) {
        Received received = receiver.receive(push);
        assertThat(received.answer()).isEqualTo(new Push.Answer(push.sequence(), result));
        assertThat(received.update()).isNull();
    }

    private static Request full(int controllerEpoch, long brokerEpoch, long sequence) {
        return push(controllerEpoch, brokerEpoch, sequence, true);
    }

    private static Request delta(int controllerEpoch, long brokerEpoch, long sequence) {
        return push(controllerEpoch, brokerEpoch, sequence, false);
    }

    private static Request push(int controllerEpoch, long brokerEpoch, long sequence, boolean full) {
        ClusterUpdate update = new ClusterUpdate(full, new TreeMap<>(), 1, List.of(), List.of());
        return new Request(1, controllerEpoch, brokerEpoch, sequence, update);
    }
}
