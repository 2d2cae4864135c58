package io.tidemark.core.log.offline;

import io.tidemark.core.io.Files;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The entries of an index file, one after the other, for whoever compares them with batches. Those that do not rise are told when
 * the file is read, and so is what is no whole entry. Not thread-safe.
 */
final class IndexCursor<E> {
    private static final String NEXT =
            "no record is lost, for a broker checks what an index says; to have it rebuilt delete the file"
                    + " while the broker is stopped";

    private final FewFindings findings;
    private final Form<E> form;
    private final List<E> entries = new ArrayList<>();
    private final List<Integer> slots = new ArrayList<>();
    private int next;

    /**
     * How entries of one kind are read, compared and named.
     *
     * @param floor below every entry
     * @param rises whether the first may follow the second
     * @param offset that the entry names
     * @param text names the entry to a person
     */
    record Form<E>(
            int entryBytes,
            Source<E> source,
            E floor,
            BiPredicate<E, E> rises,
            ToLongFunction<E> offset,
            Function<E, String> text) {}

    /** Reads the whole entries of a file. */
    @FunctionalInterface
    interface Source<E> {
        List<E> read(Files io, Path file) throws IOException;
    }

    private IndexCursor(FewFindings findings, Form<E> form) {
        this.findings = findings;
        this.form = form;
    }

    /** Reads the file; tells what is wrong with it alone. */
    static <E> IndexCursor<E> open(VerifyRun run, Path file, Form<E> form) throws IOException {
        IndexCursor<E> cursor = new IndexCursor<>(new FewFindings(run, file, NEXT), form);
        run.countFile();
        long sizeBytes = run.io().size(file);
        if (sizeBytes > IndexFile.MAX_BYTES) {
            cursor.findings.add(
                    Finding.UNKNOWN, Finding.UNKNOWN, sizeBytes + " bytes are more than any index has; not read");
            return cursor;
        }
        cursor.take(form.source().read(run.io(), file));
        long oddBytes = sizeBytes % form.entryBytes();
        if (oddBytes != 0) {
            cursor.findings.add(
                    sizeBytes - oddBytes, Finding.UNKNOWN, oddBytes + " bytes at the end are no whole entry");
        }
        return cursor;
    }

    private void take(List<E> all) {
        E before = form.floor();
        for (int slot = 0; slot < all.size(); slot++) {
            E entry = all.get(slot);
            if (form.rises().test(entry, before)) {
                entries.add(entry);
                slots.add(slot);
                before = entry;
            } else {
                String what = before.equals(form.floor())
                        ? "the beginning"
                        : form.text().apply(before);
                tell(slot, entry, " does not rise above " + what);
            }
        }
    }

    /** The next entry that rises; null behind the last. */
    @Nullable
    E peek() {
        return next < entries.size() ? entries.get(next) : null;
    }

    /** The next entry is right. */
    void pass() {
        next++;
    }

    /** The next entry is wrong: tells why, and passes it. */
    void wrong(String why) {
        tell(slots.get(next), entries.get(next), why);
        next++;
    }

    /** There are no more batches: tells what is left. */
    void end() {
        while (next < entries.size()) {
            wrong(": that is behind the last good batch of the log");
        }
        findings.end();
    }

    /** There are no batches to compare with. */
    void endUncompared() {
        findings.end();
    }

    private void tell(int slot, E entry, String why) {
        long position = (long) slot * form.entryBytes();
        findings.add(position, form.offset().applyAsLong(entry), form.text().apply(entry) + why);
    }
}
