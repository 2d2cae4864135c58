package io.tidemark.core.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FaultFilesTest extends FilesContractTest {
    private final FaultPlan plan = new FaultPlan();
    private final List<Duration> pauses = new ArrayList<>();

    @Override
    Files newFiles() {
        return new FaultFiles(new SimDisk(), plan, pauses::add);
    }

    @Test
    void shouldFailAppendsToMatchingFilesAfterSoManyCalls() throws IOException {
        // given
        plan.add(FaultRule.parse("append:*.log:after=2"));
        FileHandle log = files.openForAppend(path("00.log"));
        FileHandle index = files.openForAppend(path("00.index"));

        // when
        log.append(bytes("1"));
        index.append(bytes("-"));
        log.append(bytes("2"));

        // then
        assertThatThrownBy(() -> log.append(bytes("3")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("injected fault: append")
                .hasMessageContaining("00.log");
        assertThatThrownBy(() -> log.append(bytes("3"))).isInstanceOf(IOException.class);
        index.append(bytes("-"));
        assertThat(read("00.log")).isEqualTo("12");
    }

    @Test
    void shouldFailSoManyTimesAndThenWork() throws IOException {
        // given
        plan.add(FaultRule.failing(FileOperation.RENAME, "a").times(1));
        write("a", "x");

        // when, then
        assertThatThrownBy(() -> files.rename(path("a"), path("b"))).isInstanceOf(IOException.class);
        assertThat(plan.isSpent()).isTrue();
        files.rename(path("a"), path("b"));
        assertThat(read("b")).isEqualTo("x");
    }

    @Test
    void shouldWriteHalfAndReadHalf() throws IOException {
        // given
        plan.add(FaultRule.failing(FileOperation.APPEND, "*").cuttingShort().times(1));
        FileHandle handle = files.openForAppend(path("a"));

        // when
        assertThatThrownBy(() -> handle.append(bytes("12"), bytes("3456"))).isInstanceOf(IOException.class);

        // then
        assertThat(read("a")).isEqualTo("123");
        plan.add(FaultRule.failing(FileOperation.READ, "*").cuttingShort().times(1));
        ByteBuffer target = ByteBuffer.allocate(2);
        assertThat(handle.read(target, 0)).isEqualTo(1);
        assertThat(handle.read(target, 1)).isEqualTo(1);
    }

    @Test
    void shouldPauseAndThenDoTheWork() throws IOException {
        // given
        plan.add(FaultRule.parse("force:*:slow=250"));

        // when
        try (FileHandle handle = files.openForAppend(path("a"))) {
            handle.force();
        }

        // then
        assertThat(pauses).containsExactly(Duration.ofMillis(250));
    }

    @Test
    void shouldMatchTheWholePathWhenTheGlobHasASlash() throws IOException {
        // given
        files.createDirectory(path("d1"));
        files.createDirectory(path("d2"));
        plan.add(FaultRule.parse("open-for-append:*/d?/x.log:after=1"));

        // when, then
        write("d1/x.log", "1");
        assertThatThrownBy(() -> write("d2/x.log", "1")).isInstanceOf(IOException.class);
        write("x.log", "1");
    }

    @Test
    void shouldTakeSeveralRulesFromOneText() throws IOException {
        // given
        FaultPlan several = FaultPlan.parse(" delete:*:times=1 ; force,force-directory:*.log ;");
        Files faulty = new FaultFiles(files, several, pauses::add);
        write("a", "x");

        // when, then
        assertThatThrownBy(() -> faulty.delete(path("a"))).isInstanceOf(IOException.class);
        faulty.delete(path("a"));
        try (FileHandle handle = faulty.openForAppend(path("b.log"))) {
            assertThatThrownBy(handle::force).isInstanceOf(IOException.class);
        }
        faulty.forceDirectory(root);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "append",
                "append:",
                "apend:*.log",
                "append:*:after=x",
                "append:*:after=-1",
                "append:*:never",
                "append:*:times=0"
            })
    void shouldRefuseTextThatIsNoRule(String text) {
        assertThatThrownBy(() -> FaultPlan.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    /** The sweep: each call of a scenario fails in one run, and in each run exactly one. */
    @Test
    void shouldFailEachCallOnceInASweep() throws IOException {
        // given
        FaultPlan counting = new FaultPlan();
        scenario(counting);
        long calls = counting.calls();
        assertThat(calls).isEqualTo(5);

        // when, then
        for (long call = 1; call <= calls; call++) {
            FaultPlan failing = FaultPlan.failCall(call);
            assertThatThrownBy(() -> scenario(failing)).isInstanceOf(IOException.class);
            assertThat(failing.isSpent()).isTrue();
        }
        assertThatCode(() -> scenario(FaultPlan.failCall(calls + 1))).doesNotThrowAnyException();
    }

    private void scenario(FaultPlan faults) throws IOException {
        Files fresh = new FaultFiles(new SimDisk(), faults, pauses::add);
        try (FileHandle handle = fresh.openForAppend(java.nio.file.Path.of("/a"))) {
            handle.append(bytes("x"));
            handle.force();
        }
        fresh.forceDirectory(java.nio.file.Path.of("/"));
    }
}
