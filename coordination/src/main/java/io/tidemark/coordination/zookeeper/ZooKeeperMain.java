package io.tidemark.coordination.zookeeper;

import io.tidemark.coordination.zookeeper.ZooKeeperArguments.UsageException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.CountDownLatch;

/**
 * {@code tidemark-zookeeper}: one real ZooKeeper server in a process of its own, for development and demos. Production
 * uses an external ensemble (DESIGN section 6).
 *
 * <p>Prints one line when it listens. SIGTERM and SIGINT stop it cleanly, with the JVM's exit codes for them (143, 130).
 * Otherwise it ends with 1 if the server cannot start or go on, or 64 if the command line cannot be used.
 */
public final class ZooKeeperMain {
    private static final int FAILED = 1;
    private static final int USAGE = 64;

    private ZooKeeperMain() {}

    public static void main(String[] arguments) {
        int status = run(System.out, System.err, arguments);
        if (status != 0) {
            System.exit(status);
        }
    }

    /** Runs until the server stops; returns the exit code. */
    static int run(PrintStream out, PrintStream err, String... arguments) {
        if (arguments.length == 1 && arguments[0].equals("--help")) {
            out.println(ZooKeeperArguments.USAGE);
            return 0;
        }
        try {
            return serve(ZooKeeperArguments.parse(arguments), out);
        } catch (UsageException e) {
            err.println("tidemark-zookeeper: " + e.getMessage());
            err.println(ZooKeeperArguments.USAGE);
            return USAGE;
        } catch (IOException | RuntimeException e) {
            err.println("tidemark-zookeeper: cannot start: " + e);
            return FAILED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return FAILED;
        }
    }

    private static int serve(ZooKeeperArguments arguments, PrintStream out) throws IOException, InterruptedException {
        setServerProperties();
        CountDownLatch failed = new CountDownLatch(1);
        try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start(arguments.config(), failed::countDown)) {
            Runtime.getRuntime().addShutdownHook(new Thread(server::close, "zookeeper-stop"));
            Path portFile = arguments.portFile().orElse(null);
            if (portFile != null) {
                writePort(portFile, server.port());
            }
            out.println("ZooKeeper listens on " + arguments.config().host() + ":" + server.port() + ", data in "
                    + arguments.config().dataDir());
            failed.await();
        }
        return FAILED;
    }

    /** Read by ZooKeeper's classes when they are loaded; a process of its own may set them. */
    private static void setServerProperties() {
        System.setProperty("zookeeper.4lw.commands.whitelist", "srvr,ruok");
        System.setProperty("zookeeper.admin.enableServer", "false");
        // Files of a development server need not reserve 64 MiB each.
        System.setProperty("zookeeper.preAllocSize", "4096");
    }

    /** Whole or not at all, so that whoever waits for the file reads a complete number. */
    private static void writePort(Path file, int port) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        Files.writeString(temporary, port + "\n");
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
