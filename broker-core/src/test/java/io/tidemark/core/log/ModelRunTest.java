package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.testkit.SeededRandomness;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ModelRunTest {
    /** Goes wrong when it has met a step that drew 3 and later one that drew 7. */
    private static final class Counter implements ModelRun.Model {
        private boolean sawThree;
        private boolean isWrong;

        @Override
        public String step(SeededRandomness random) {
            int drawn = random.nextInt(10);
            isWrong = sawThree && drawn == 7;
            sawThree |= drawn == 3;
            return "drew " + drawn;
        }

        @Override
        public void check(SeededRandomness random) {
            assertThat(isWrong).isFalse();
        }
    }

    @Test
    void shouldReportTheStepsThatMatterAndHowToRepeatThem() {
        // given
        ModelRun run = new ModelRun("counter", 60, random -> new Counter());

        // when
        Optional<AssertionError> failure = run.find(40, 20);

        // then: 2 steps of some 60, in their order
        assertThat(failure).isPresent();
        assertThat(failure.get().getMessage())
                .containsPattern("(?s)seed 4\\d: fails at step \\d+ of\n\\d+: drew 3\n\\d+: drew 7\nrepeat")
                .containsPattern("\\./test --long log --seed 4\\d --cases 1");
        assertThat(failure.get()).hasCauseInstanceOf(AssertionError.class);
    }

    @Test
    void shouldFindNothingWhereNothingIsWrong() {
        assertThat(new ModelRun("counter", 1, random -> new Counter()).find(1, 50))
                .isEmpty();
    }
}
