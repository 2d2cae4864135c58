package io.tidemark.core.checkpoint;

import io.tidemark.core.io.FileHandle;
import io.tidemark.core.io.Files;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** The boot id of a Linux kernel. */
public final class KernelBootId implements BootId {
    /** Where the kernel shows it. */
    public static final Path PATH = Path.of("/proc/sys/kernel/random/boot_id");

    private static final int MAX_BYTES = 128;

    private final Files files;

    public KernelBootId(Files files) {
        this.files = files;
    }

    @Override
    public Optional<String> current() {
        // The kernel says that the file has no bytes, so its size is of no use.
        ByteBuffer content = ByteBuffer.allocate(MAX_BYTES);
        try (FileHandle handle = files.openForRead(PATH)) {
            handle.read(content, 0);
        } catch (IOException e) {
            return Optional.empty();
        }
        String text =
                StandardCharsets.US_ASCII.decode(content.flip()).toString().trim();
        return Optional.of(text).filter(id -> id.matches("[0-9a-fA-F-]{16,64}"));
    }
}
