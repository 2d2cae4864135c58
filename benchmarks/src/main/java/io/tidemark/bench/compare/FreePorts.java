package io.tidemark.bench.compare;

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
 * Ports of the loopback interface that nobody uses at the moment, by the same rule as those of {@code tidemark dev}: from
 * below the ephemeral range, for a broker that is killed must find its port again, and the system lends the others to outgoing
 * connections meanwhile.
 */
final class FreePorts {
    private static final Path EPHEMERAL_RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
    private static final int USUAL_EPHEMERAL_START = 32_768;
    private static final int LOWEST = 10_000;
    private static final int ATTEMPTS_PER_PORT = 100;

    private FreePorts() {}

    /** All are held until the last is found, so that they differ. */
    static List<Integer> find(int count, Randomness randomness) throws IOException {
        int end = ephemeralStart();
        List<ServerSocket> held = new ArrayList<>();
        try {
            for (int attempt = 0; held.size() < count; attempt++) {
                if (attempt > count * ATTEMPTS_PER_PORT || end <= LOWEST) {
                    throw new IOException("no free ports from " + LOWEST + " to " + (end - 1));
                }
                tryOne(LOWEST + randomness.nextInt(Math.max(1, end - LOWEST)), held);
            }
            return held.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket socket : held) {
                socket.close();
            }
        }
    }

    private static void tryOne(int port, List<ServerSocket> held) throws IOException {
        try {
            held.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
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
