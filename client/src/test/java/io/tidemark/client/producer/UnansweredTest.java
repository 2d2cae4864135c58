package io.tidemark.client.producer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class UnansweredTest {
    private final Unanswered unanswered = new Unanswered();

    @Test
    void shouldLetAFlushWaitForWhatWasSentBeforeItOnly() {
        // given
        long early = unanswered.add();
        long first = unanswered.beginFlush();
        long late = unanswered.add();

        // when
        assertThat(unanswered.anyFromBefore(first)).isTrue();
        assertThat(unanswered.remove(early)).isTrue();

        // then
        assertThat(unanswered.anyFromBefore(first)).isFalse();
        assertThat(unanswered.any()).isTrue();
        assertThat(unanswered.remove(late)).isTrue();
        assertThat(unanswered.any()).isFalse();
    }

    @Test
    void shouldKeepFlushesApart() {
        // given
        long one = unanswered.add();
        long other = unanswered.add();
        long first = unanswered.beginFlush();
        long between = unanswered.add();
        long second = unanswered.beginFlush();

        // when
        assertThat(unanswered.remove(other)).isFalse();

        // then
        assertThat(unanswered.anyFromBefore(first)).isTrue();
        assertThat(unanswered.remove(one)).isTrue();
        assertThat(unanswered.anyFromBefore(first)).isFalse();
        assertThat(unanswered.anyFromBefore(second)).isTrue();
        assertThat(unanswered.remove(between)).isTrue();
        assertThat(unanswered.anyFromBefore(second)).isFalse();
        assertThat(unanswered.any()).isFalse();
    }
}
