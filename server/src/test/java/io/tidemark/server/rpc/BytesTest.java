package io.tidemark.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

final class BytesTest {
    @Test
    void shouldHandOverALoneArrayWithoutACopy() {
        // given
        byte[] array = {9, 1, 2, 3, 9};
        ByteString received = UnsafeByteOperations.unsafeWrap(array, 1, 3);

        // when
        ByteBuffer buffer = Bytes.writable(received);
        buffer.put(0, (byte) 7);

        // then
        assertThat(buffer.remaining()).isEqualTo(3);
        assertThat(array).containsExactly(9, 7, 2, 3, 9);
    }

    @Test
    void shouldGatherSeveralPieces() {
        // given
        ByteString pieces = ByteString.EMPTY;
        for (int i = 0; i < 300; i++) {
            pieces = pieces.concat(UnsafeByteOperations.unsafeWrap(new byte[] {(byte) i, (byte) (i + 1)}));
        }

        // when
        ByteBuffer buffer = Bytes.writable(pieces);

        // then
        assertThat(ByteString.copyFrom(buffer.duplicate())).isEqualTo(pieces);
        assertThat(buffer.isReadOnly()).isFalse();
    }

    @Test
    void shouldTakeBuffersThatAreNoArrays() {
        // given
        ByteBuffer direct = ByteBuffer.allocateDirect(4);
        direct.putInt(0, 0x01020304);

        // when
        ByteBuffer buffer = Bytes.writable(UnsafeByteOperations.unsafeWrap(direct));

        // then
        assertThat(buffer.getInt()).isEqualTo(0x01020304);
    }

    @Test
    void shouldTakeAndGiveNothing() {
        assertThat(Bytes.writable(ByteString.EMPTY).hasRemaining()).isFalse();
        assertThat(Bytes.wrap(ByteBuffer.allocate(0))).isSameAs(ByteString.EMPTY);
    }

    @Test
    void shouldWrapWhatRemainsOfABuffer() {
        // given
        ByteBuffer buffer = ByteBuffer.wrap(new byte[] {1, 2, 3, 4}, 1, 2);

        // when
        ByteString wrapped = Bytes.wrap(buffer);

        // then
        assertThat(wrapped.toByteArray()).containsExactly(2, 3);
    }
}
