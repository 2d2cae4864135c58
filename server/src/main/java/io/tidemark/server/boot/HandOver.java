package io.tidemark.server.boot;

import io.tidemark.coordination.broker.ControllerChannel;
import io.tidemark.core.config.ControlledShutdownConfig;
import io.tidemark.model.ErrorCode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the controller to take this broker out of leaderships and in-sync sets, for the thread that stops it. */
final class HandOver {
    private static final Logger LOG = LoggerFactory.getLogger(HandOver.class);
    private static final long ANSWER_LIMIT_MS = 10_000;

    private final ControlledShutdownConfig config;
    private final ControllerChannel controller;
    private final BrokerEpoch epoch;

    HandOver(ControlledShutdownConfig config, ControllerChannel controller, BrokerEpoch epoch) {
        this.config = config;
        this.controller = controller;
        this.epoch = epoch;
    }

    void run() throws InterruptedException {
        for (int attempt = 0; attempt <= config.maxRetries(); attempt++) {
            if (ask()) {
                return;
            }
            pause();
        }
        LOG.warn("stopping without a hand-over: the controller did not confirm it");
    }

    /** The stopping thread has nothing else to do, and nobody cuts its pause short. */
    private void pause() throws InterruptedException {
        var unused = new CountDownLatch(1).await(config.retryBackoff().toMillis(), TimeUnit.MILLISECONDS);
    }

    private boolean ask() throws InterruptedException {
        CompletableFuture<ControllerChannel.ShutdownAnswer> answered = new CompletableFuture<>();
        controller.controlledShutdown(epoch.current(), answered::complete);
        try {
            ControllerChannel.ShutdownAnswer answer = answered.get(ANSWER_LIMIT_MS, TimeUnit.MILLISECONDS);
            if (answer.error() == ErrorCode.NONE && answer.remaining().isEmpty()) {
                LOG.info("all leaderships are handed over");
                return true;
            }
            LOG.info("hand-over: {}, still leading {}", answer.error(), answer.remaining());
            return answer.error() == ErrorCode.NONE;
        } catch (TimeoutException | ExecutionException e) {
            LOG.warn("the controller did not answer the hand-over: {}", e.toString());
            return false;
        }
    }
}
