package io.tidemark.record;

import com.github.luben.zstd.RecyclingBufferPool;
import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4FrameInputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import org.xerial.snappy.SnappyOutputStream;

/**
 * The streams behind each {@link Codec}, in the framing that Kafka's clients write and read:
 *
 * <pre>
 * gzip    RFC 1952
 * snappy  written: snappy-java's stream (16-byte header, then int32 length + block); read: that, or one bare block
 * lz4     the LZ4 frame format, independent blocks of at most 64 KiB when written
 * zstd    RFC 8878
 * </pre>
 *
 * <p>What a reader allocates at once is bounded whatever the bytes say: gzip 8 KiB, snappy 22 times the compressed
 * length, lz4 two blocks of 4 MiB, zstd a window of 128 MiB (native memory, touched only as far as it is filled).
 */
final class Compression {
    private static final int GZIP_BUFFER_BYTES = 8 * 1024;

    private Compression() {}

    /** A stream that compresses into {@code target}; must be closed, which writes the end and closes the target. */
    static OutputStream compressing(Codec codec, OutputStream target) throws IOException {
        return switch (codec) {
            case NONE -> target;
            case GZIP -> new GZIPOutputStream(target, GZIP_BUFFER_BYTES);
            case SNAPPY -> new SnappyOutputStream(target);
            case LZ4 ->
                new LZ4FrameOutputStream(
                        target,
                        LZ4FrameOutputStream.BLOCKSIZE.SIZE_64KB,
                        LZ4FrameOutputStream.FLG.Bits.BLOCK_INDEPENDENCE);
            case ZSTD -> new ZstdOutputStreamNoFinalizer(target, RecyclingBufferPool.INSTANCE);
        };
    }

    /**
     * A stream over the decompressed form of {@code source}. Should be closed; one that is forgotten gives its native
     * memory back when it is collected. Corrupt bytes raise {@link IOException} or an unchecked exception of the
     * library, here or on reading.
     */
    static InputStream decompressing(Codec codec, ByteBuffer source) throws IOException {
        InputStream bytes = new ByteBufferInputStream(source);
        return switch (codec) {
            case NONE -> bytes;
            case GZIP -> new GZIPInputStream(bytes, GZIP_BUFFER_BYTES);
            case SNAPPY -> new SnappyBlocks(source);
            case LZ4 -> new LZ4FrameInputStream(bytes);
            case ZSTD -> new ZstdInputStream(bytes, RecyclingBufferPool.INSTANCE);
        };
    }
}
