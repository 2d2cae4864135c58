package io.tidemark.system.threebrokers;

import io.tidemark.core.io.DiskFiles;
import io.tidemark.core.io.FaultFiles;
import io.tidemark.core.io.FaultPlan;
import io.tidemark.core.io.FaultRule;
import io.tidemark.core.io.FileHandle;
import io.tidemark.core.io.FileOperation;
import io.tidemark.core.io.Files;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** The disk of one broker, which fails or stands still while the broker runs. Thread-safe. */
final class BrokerDisk {
    private static final String NOBODY = "";

    private final FaultPlan plan = new FaultPlan();
    private final AtomicInteger held = new AtomicInteger();
    private final AtomicInteger failedForces = new AtomicInteger();
    private final Files files;
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private volatile String unluckyThread = NOBODY;

    BrokerDisk() {
        files = forcing(Files.class, new FaultFiles(new DiskFiles(), plan, delay -> hold()));
    }

    Files files() {
        return files;
    }

    void fail(FaultRule rule) {
        plan.add(rule);
    }

    /** What failed so far, as {@code operation path}. */
    List<String> hits() {
        return plan.hits();
    }

    /** Every force fails that a thread of that name asks for. */
    void failForcesOf(String thread) {
        unluckyThread = thread;
    }

    int failedForces() {
        return failedForces.get();
    }

    /** Whoever does that to such a file stands still until {@link #goOn}. */
    void hold(FileOperation operation, String glob) {
        gate = new CountDownLatch(1);
        plan.add(FaultRule.failing(operation, glob).slowing(Duration.ofNanos(1)));
    }

    /** Whoever wants anything of this disk stands still until {@link #goOn}. */
    void holdEverything() {
        gate = new CountDownLatch(1);
        plan.add(FaultRule.failingAny().slowing(Duration.ofNanos(1)));
    }

    /** Threads that stand still. */
    int held() {
        return held.get();
    }

    /** The disk is sound again. */
    void goOn() {
        plan.clear();
        unluckyThread = NOBODY;
        gate.countDown();
    }

    private void hold() {
        held.incrementAndGet();
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            held.decrementAndGet();
        }
    }

    /** The same port, whose forces fail for the thread that has no luck. */
    private <T> T forcing(Class<T> port, T target) {
        return port.cast(Proxy.newProxyInstance(
                port.getClassLoader(),
                new Class<?>[] {port},
                (proxy, method, arguments) -> through(target, method, arguments)));
    }

    private Object through(Object target, Method method, Object[] arguments) throws Throwable {
        boolean forces = method.getName().equals("force") || method.getName().equals("forceDirectory");
        if (forces && Thread.currentThread().getName().equals(unluckyThread)) {
            failedForces.incrementAndGet();
            throw new IOException("injected fault: a force by " + unluckyThread);
        }
        try {
            Object result = method.invoke(target, arguments);
            return result instanceof FileHandle handle ? forcing(FileHandle.class, handle) : result;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
