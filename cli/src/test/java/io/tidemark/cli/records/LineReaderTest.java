package io.tidemark.cli.records;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LineReaderTest {
    private static List<String> lines(InputStream in) throws IOException {
        List<String> lines = new ArrayList<>();
        try (LineReader reader = new LineReader(in)) {
            byte[] line = reader.next();
            while (line != null) {
                lines.add(new String(line, ISO_8859_1));
                line = reader.next();
            }
        }
        return lines;
    }

    private static List<String> lines(String text) throws IOException {
        return lines(new ByteArrayInputStream(text.getBytes(ISO_8859_1)));
    }

    /** Gives one byte at a time, as a slow pipe does. */
    private static final class Dripping extends InputStream {
        private final InputStream in;

        Dripping(String text) {
            this.in = new ByteArrayInputStream(text.getBytes(UTF_8));
        }

        @Override
        public int read() throws IOException {
            return in.read();
        }

        @Override
        public int read(byte[] target, int from, int length) throws IOException {
            return in.read(target, from, Math.min(1, length));
        }
    }

    @Test
    void shouldFindNoLineInNothing() throws IOException {
        assertThat(lines("")).isEmpty();
    }

    @Test
    void shouldKeepEmptyLines() throws IOException {
        assertThat(lines("\na\n\n\nb\n")).containsExactly("", "a", "", "", "b");
    }

    @Test
    void shouldCountALastLineWithoutLineFeed() throws IOException {
        assertThat(lines("a\nb")).containsExactly("a", "b");
    }

    @Test
    void shouldSplitAtLineFeedsAlone() throws IOException {
        assertThat(lines("a\r\nb\rc\u0085d\n")).containsExactly("a\r", "b\rc\u0085d");
    }

    @Test
    void shouldKeepBytesThatAreNoText() throws IOException {
        assertThat(lines("\u00ff\u00fe\u0000\u0080\nb\n")).containsExactly("\u00ff\u00fe\u0000\u0080", "b");
    }

    @Test
    void shouldJoinLinesAcrossBuffers() throws IOException {
        // given lines around the size of the buffer, and one of several
        List<String> expected = List.of(
                "a".repeat(65_535), "b".repeat(65_536), "c".repeat(65_537), "d".repeat(300_000), "", "e".repeat(7));

        // then
        assertThat(lines(String.join("\n", expected))).isEqualTo(expected);
        assertThat(lines(String.join("\n", expected) + "\n")).isEqualTo(expected);
    }

    @Test
    void shouldWaitForTheRestOfALine() throws IOException {
        assertThat(lines(new Dripping("first\n\nlast"))).containsExactly("first", "", "last");
    }

    // Fails if: a line is gathered for as long as no line feed comes.
    @Test
    void shouldRefuseALineThatIsLongerThanAnyRecord() throws IOException {
        // given
        InputStream in = new ByteArrayInputStream("1234\n12345\n".getBytes(ISO_8859_1));

        // when
        try (LineReader reader = new LineReader(in, 4)) {
            byte[] first = reader.next();

            // then
            assertThat(first).hasSize(4);
            assertThatThrownBy(reader::next).isInstanceOf(IOException.class).hasMessageContaining("line 2");
        }
    }
}
