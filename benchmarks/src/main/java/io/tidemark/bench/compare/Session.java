package io.tidemark.bench.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** One repetition of one system: a fresh cluster, warmed up, all jobs, stopped. */
final class Session {
    private final Contender contender;
    private final JobRunner runner;
    private final Tool tool;
    private final int repetition;
    private final Consumer<Sample> onSample;

    /**
     * @param tool that contender and runner use
     * @param onSample told of each sample as it comes
     */
    Session(Contender contender, JobRunner runner, Tool tool, int repetition, Consumer<Sample> onSample) {
        this.contender = contender;
        this.runner = runner;
        this.tool = tool;
        this.repetition = repetition;
        this.onSample = onSample;
    }

    /** Runs the jobs. Whatever happens, nothing that was started runs on afterwards. */
    List<Sample> run(List<Job> jobs) throws IOException, InterruptedException {
        List<Sample> samples = new ArrayList<>();
        Thread killer = new Thread(this::killAll, "compare-killer");
        Runtime.getRuntime().addShutdownHook(killer);
        try {
            contender.start();
            runner.warmUp();
            for (Job job : jobs) {
                add(samples, runner.run(job));
            }
        } catch (JobFailure failure) {
            // Without its cluster no job of this session can be run, and each of them says so.
            for (Job job : jobs.subList(samples.size(), jobs.size())) {
                add(samples, Sample.failed(contender.name(), repetition, job, String.valueOf(failure.getMessage())));
            }
        } finally {
            stop();
            // A process that is about to end keeps its hooks: this one is at work.
            if (!tool.isClosed()) {
                Runtime.getRuntime().removeShutdownHook(killer);
            }
        }
        return samples;
    }

    private void add(List<Sample> samples, Sample sample) {
        samples.add(sample);
        onSample.accept(sample);
    }

    /** Of an interrupted comparison: first the clients, which might start something, then the cluster. */
    private void killAll() {
        tool.close();
        contender.kill();
    }

    private void stop() throws IOException, InterruptedException {
        try {
            contender.stop();
        } catch (JobFailure stopped) {
            System.err.println("compare: " + stopped.getMessage());
            contender.kill();
        }
    }
}
