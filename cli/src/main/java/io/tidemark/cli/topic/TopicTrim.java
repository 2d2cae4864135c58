package io.tidemark.cli.topic;

import com.google.gson.JsonObject;
import io.tidemark.cli.ClusterOptions;
import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.OutputOption;
import io.tidemark.cli.TopicLookup;
import io.tidemark.client.admin.Admin;
import io.tidemark.client.net.Metadata;
import io.tidemark.model.TopicPartition;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidemark topic trim} (OPERATIONS 1.2). */
@Command(
        name = "trim",
        description = {
            "Delete the records of one partition below an offset; returns when every live replica has deleted them.",
            "Asks on a terminal; elsewhere it needs --yes."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  tidemark topic trim orders --partition 0 --to 1000",
            "  tidemark topic trim orders -p 0 --to latest --yes -o json"
        })
final class TopicTrim implements Callable<Integer> {
    private static final String LATEST = "latest";
    private static final Pattern OFFSET = Pattern.compile("\\d{1,18}");

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OutputOption output = new OutputOption();

    @Mixin
    private Confirmation confirmation = new Confirmation();

    @Parameters(paramLabel = "NAME", description = "name of the topic")
    private String name = "";

    @Option(
            names = {"-p", "--partition"},
            paramLabel = "P",
            required = true,
            description = "number of the partition")
    private int partition;

    @Option(
            names = "--to",
            paramLabel = "OFFSET",
            required = true,
            description = "first offset to keep, or latest for everything that is committed")
    private String to = "";

    @Override
    public Integer call() {
        long beforeOffset = parse(to);
        if (partition < 0) {
            throw new CommandFailure(ExitCode.USAGE, "--partition is a number from 0, not " + partition);
        }
        String where = name + "/" + partition;
        String what = "cannot delete records of " + where;
        long start = cluster.talk(admin -> delete(admin, beforeOffset, what));
        JsonObject json = new JsonObject();
        json.addProperty("topic", name);
        json.addProperty("partition", partition);
        json.addProperty("logStartOffset", start);
        output.output().sentence(json, Long.toString(start), where + " starts at offset " + start + " now");
        return ExitCode.OK;
    }

    private long delete(Admin admin, long beforeOffset, String what) {
        Metadata.Topic topic = new TopicLookup(cluster, what).find(admin, name);
        if (!topic.partitions().containsKey(partition)) {
            throw TopicLookup.noPartition(what, topic, partition);
        }
        String which = beforeOffset == Admin.TO_HIGH_WATERMARK ? "All records" : "Records before " + beforeOffset;
        confirmation.require(
                name,
                which + " of " + name + "/" + partition + " will be gone.",
                "records of " + name + "/" + partition + " are not deleted");
        return cluster.answer(what, admin.deleteRecords(new TopicPartition(name, partition), beforeOffset));
    }

    private static long parse(String text) {
        if (text.equals(LATEST)) {
            return Admin.TO_HIGH_WATERMARK;
        }
        if (OFFSET.matcher(text).matches()) {
            return Long.parseLong(text);
        }
        throw new CommandFailure(
                ExitCode.USAGE,
                "--to is an offset from 0 or latest, not \"" + text + "\"",
                "tidemark topic trim orders --partition 0 --to 1000, for example");
    }
}
