package io.tidemark.cli.dev;

import io.tidemark.runtime.Randomness;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Ports that a directory can keep. The system lends those of its ephemeral range to outgoing connections, so that one which is
 * free today may be taken when its broker starts again: these come from below that range.
 */
public final class FreePorts {
    private static final Path EPHEMERAL_RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
    private static final int USUAL_EPHEMERAL_START = 32_768;
    private static final int LOWEST = 10_000;
    private static final int ATTEMPTS_PER_PORT = 100;

    private final int start;
    private final int end;
    private final Randomness randomness;

    private FreePorts(int start, int end, Randomness randomness) {
        this.start = start;
        this.end = end;
        this.randomness = randomness;
    }

    /** Below the ephemeral range of this machine. */
    public static FreePorts of(Randomness randomness) {
        return from(LOWEST, ephemeralStart(), randomness);
    }

    /** @param end the first port that is not to be used */
    static FreePorts from(int start, int end, Randomness randomness) {
        return new FreePorts(start, end, randomness);
    }

    /**
     * So many different ones, on loopback. All are held until the last is found.
     *
     * @throws IOException if there are not so many
     */
    public List<Integer> find(int count) throws IOException {
        List<ServerSocket> held = new ArrayList<>();
        try {
            for (int attempt = 0; held.size() < count; attempt++) {
                if (attempt > count * ATTEMPTS_PER_PORT || end <= start) {
                    throw new IOException("no free ports from " + start + " to " + (end - 1));
                }
                tryOne(held);
            }
            return held.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket socket : held) {
                socket.close();
            }
        }
    }

    private void tryOne(List<ServerSocket> held) throws IOException {
        try {
            held.add(new ServerSocket(start + randomness.nextInt(end - start), 1, InetAddress.getLoopbackAddress()));
        } catch (BindException e) {
            // Somebody has it: another is tried.
        }
    }

    /** The kernel gives such a file to one large read only: the rest is lost to whoever begins with a small one. */
    static int ephemeralStart() {
        try (BufferedReader range = Files.newBufferedReader(EPHEMERAL_RANGE)) {
            return Integer.parseInt(String.valueOf(range.readLine()).strip().split("\\s+", -1)[0]);
        } catch (IOException | NumberFormatException e) {
            return USUAL_EPHEMERAL_START;
        }
    }
}
