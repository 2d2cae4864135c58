package io.tidemark.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** What Linux counts, read from {@code /proc}. Times are in clock ticks. */
final class ProcFs {
    private static final double KIB_PER_MIB = 1024;
    /** Fields of {@code /proc/PID/stat} behind the name in parentheses; the first there is the state, number 0. */
    private static final int USER_TICKS = 11;

    private static final int SYSTEM_TICKS = 12;
    private static final int CHILDREN_USER_TICKS = 13;
    private static final int CHILDREN_SYSTEM_TICKS = 14;
    /** Of the line {@code cpu}: user, nice, system, interrupts, soft interrupts; not idle, waiting, stolen. */
    private static final int[] BUSY_FIELDS = {1, 2, 3, 6, 7};

    private final Path root;

    ProcFs(Path root) {
        this.root = root;
    }

    /** Ticks that all cores together have worked. */
    long busyTicks() throws IOException {
        for (String line : Files.readAllLines(root.resolve("stat"))) {
            if (line.startsWith("cpu ")) {
                String[] fields = line.split("\\s+", -1);
                long busy = 0;
                for (int field : BUSY_FIELDS) {
                    busy += Long.parseLong(fields[field]);
                }
                return busy;
            }
        }
        throw new IOException("no line cpu in " + root.resolve("stat"));
    }

    /** Ticks that a process has worked; empty if it is gone. */
    OptionalLong ticks(long pid) {
        return sum(Long.toString(pid), USER_TICKS, SYSTEM_TICKS);
    }

    /** Ticks of this process. */
    OptionalLong ownTicks() {
        return sum("self", USER_TICKS, SYSTEM_TICKS);
    }

    /** Ticks of the children of this process that have ended. */
    OptionalLong endedChildrenTicks() {
        return sum("self", CHILDREN_USER_TICKS, CHILDREN_SYSTEM_TICKS);
    }

    /** The most memory that a process has had in RAM, in MiB; empty if it is gone. */
    OptionalDouble peakRssMib(long pid) {
        try {
            for (String line :
                    Files.readAllLines(root.resolve(Long.toString(pid)).resolve("status"))) {
                if (line.startsWith("VmHWM:")) {
                    return OptionalDouble.of(Long.parseLong(line.replaceAll("\\D", "")) / KIB_PER_MIB);
                }
            }
            return OptionalDouble.empty();
        } catch (IOException gone) {
            return OptionalDouble.empty();
        }
    }

    /** The words with which a process was started; empty if it is gone. */
    String commandLine(long pid) {
        try {
            return Files.readString(root.resolve(Long.toString(pid)).resolve("cmdline"))
                    .replace('\0', ' ');
        } catch (IOException gone) {
            return "";
        }
    }

    private OptionalLong sum(String process, int first, int second) {
        try {
            String stat = Files.readString(root.resolve(process).resolve("stat"));
            // The name may hold spaces and parentheses: what follows the last one is fields.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
            return OptionalLong.of(Long.parseLong(fields[first]) + Long.parseLong(fields[second]));
        } catch (IOException gone) {
            return OptionalLong.empty();
        }
    }
}
