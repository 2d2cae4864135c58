package io.tidemark.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.history.HistoryFile.Unreadable;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of histories: either format, and what is wrong with a file is said with line and column. */
final class HistoryFileTest {
    private static final String INVOKE = "{:index 0, :time 1, :type :invoke, :process 0, :f :crash, :value nil}";

    @TempDir
    private Path directory;

    @Test
    void shouldConvertThereAndBackToTheByte() throws IOException {
        // given
        Path edn = Histories.file("53-combo-truncation");
        Path json = directory.resolve("history.jsonl");
        Path back = directory.resolve("back.edn");

        // when
        assertThat(HistoryFile.convert(edn, json, HistoryFormat.jsonLines())).isEmpty();
        assertThat(HistoryFile.convert(json, back, HistoryFormat.edn())).isEmpty();

        // then
        assertThat(back).hasSameTextualContentAs(edn);
        assertThat(HistoryFile.load(json)).isEqualTo(HistoryFile.load(edn));
        assertThat(HistoryFile.load(json).history().orElseThrow().eventCount()).isEqualTo(52);
    }

    @Test
    void shouldSayLineAndColumn() throws IOException {
        assertThat(unreadable(INVOKE, "", "{:index 1, :time 1, :type :ok, :process 0, :f :crash, :value [}"))
                .isEqualTo(new Unreadable(3, 63, "'}' closes nothing"));
        assertThat(unreadable(INVOKE, INVOKE))
                .isEqualTo(new Unreadable(2, 1, "index 0 does not rise above 0"));
        assertThat(unreadable("{\"index\":0}").toString()).startsWith("line 1, column 1: index");
    }

    @Test
    void shouldRefuseWhatIsNoText() throws IOException {
        Path file = directory.resolve("binary");
        Files.write(file, new byte[] {'{', (byte) 0xff, (byte) 0xfe, '\n'});

        assertThat(HistoryFile.load(file).unreadable().orElseThrow().message()).startsWith("not UTF-8");
    }

    @Test
    void shouldTakeAnEmptyFileForAnEmptyHistory() throws IOException {
        Path file = Files.writeString(directory.resolve("empty"), "");

        assertThat(HistoryFile.load(file).history().orElseThrow().operations()).isEmpty();
    }

    @Test
    void shouldBoundTheLengthOfALine() throws IOException {
        // given
        BoundedLines lines = new BoundedLines(new StringReader("ab\r\n\nabc\nabcd\nx"), 3);

        // when, then
        assertThat(lines.next()).contains("ab");
        assertThat(lines.next()).contains("");
        assertThat(lines.next()).contains("abc");
        assertThat(lines.isStuck()).isFalse();
        assertThat(lines.next()).isEmpty();
        assertThat(lines.isStuck()).isTrue();
        assertThat(lines.next()).isEmpty();
    }

    @Test
    void shouldReadALastLineWithoutAnEnd() throws IOException {
        BoundedLines lines = new BoundedLines(new StringReader("a\nb"), 3);

        assertThat(List.of(lines.next(), lines.next(), lines.next()))
                .containsExactly(Optional.of("a"), Optional.of("b"), Optional.empty());
    }

    private Unreadable unreadable(String... lines) throws IOException {
        Path file = Files.write(directory.resolve("history"), List.of(lines));
        return HistoryFile.load(file).unreadable().orElseThrow();
    }
}
