package io.tidemark.system.threebrokers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A cable between ports of the loopback: what connects to its own port is forwarded to another, until it is pulled out or nothing
 * moves on it. Thread-safe.
 */
final class Cable implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int BACKLOG = 200;

    private final ServerSocket door;
    private final Set<Socket> ends = ConcurrentHashMap.newKeySet();
    private volatile int target;
    private State state = State.SOUND;

    private enum State {
        SOUND,
        /** Connections stay, nothing arrives: the process at the other end stands still. */
        STALLED,
        /** Connections end, and new ones are refused. */
        CUT
    }

    Cable() throws IOException {
        door = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        begin("accept", this::accept);
    }

    /** Its near end, the same for as long as it lives. */
    int port() {
        return door.getLocalPort();
    }

    /** Its far end; connections that are open stay where they are. */
    void leadTo(int port) {
        target = port;
    }

    /** Bytes under way wait in it, as they would for a process that is paused. */
    void stall() {
        become(State.STALLED);
    }

    void cut() {
        become(State.CUT);
        ends.forEach(Cable::drop);
    }

    void mend() {
        become(State.SOUND);
    }

    private synchronized void become(State other) {
        state = other;
        notifyAll();
    }

    private void accept() {
        while (!door.isClosed()) {
            try {
                Socket near = door.accept();
                ends.add(near);
                begin("connect", () -> connect(near));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void connect(Socket near) {
        try {
            awaitPassage();
            Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
            ends.add(far);
            near.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
            begin("back", () -> pump(far, near));
            pump(near, far);
        } catch (IOException refused) {
            drop(near);
            ends.remove(near);
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            int count = in.read(buffer);
            while (count >= 0) {
                awaitPassage();
                out.write(buffer, 0, count);
                count = in.read(buffer);
            }
        } catch (IOException ended) {
            // Both ends go, below.
        }
        drop(from);
        drop(to);
        ends.remove(from);
        ends.remove(to);
    }

    private synchronized void awaitPassage() throws IOException {
        try {
            while (state == State.STALLED) {
                wait();
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        if (state == State.CUT) {
            throw new IOException("the cable is cut");
        }
    }

    private static void drop(Socket socket) {
        try {
            socket.close();
        } catch (IOException gone) {
            // It is closed.
        }
    }

    private static void begin(String name, Runnable task) {
        Thread thread = new Thread(task, "cable-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        cut();
        try {
            door.close();
        } catch (IOException gone) {
            // It is closed.
        }
    }
}
