package io.tidemark.core.checkpoint;

import io.tidemark.core.io.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * {@code meta.properties} of a log directory: text lines {@code version=1}, {@code cluster.id}, {@code broker.id},
 * {@code directory.id}. Written once, durably, when the directory is first used. A damaged one stays where it is: the
 * broker does not use the directory, and an operator looks.
 */
public final class MetaPropertiesFile {
    /** Name of the file in its log directory. */
    public static final String FILE_NAME = "meta.properties";

    private static final String CLUSTER_ID = "cluster.id";
    private static final String BROKER_ID = "broker.id";
    private static final String DIRECTORY_ID = "directory.id";

    private final AtomicFile file;

    public MetaPropertiesFile(Files files, Path logDirectory) {
        this.file = new AtomicFile(files, logDirectory, FILE_NAME);
    }

    public void write(MetaProperties meta) {
        file.write(new PropertiesText()
                .with(CLUSTER_ID, meta.clusterId())
                .with(BROKER_ID, Integer.toString(meta.brokerId()))
                .with(DIRECTORY_ID, meta.directoryId())
                .encode());
    }

    public StoredValue<MetaProperties> read() {
        Optional<byte[]> content = file.read();
        if (content.isEmpty()) {
            return new StoredValue.Absent<>();
        }
        try {
            PropertiesText text = PropertiesText.decode(content.get());
            long brokerId = text.requiredNumber(BROKER_ID);
            if (brokerId < 0 || brokerId > Integer.MAX_VALUE) {
                throw new DamagedContentException("broker.id is " + brokerId);
            }
            return new StoredValue.Present<>(
                    new MetaProperties(text.required(CLUSTER_ID), (int) brokerId, text.required(DIRECTORY_ID)));
        } catch (DamagedContentException e) {
            return new StoredValue.Damaged<>(file.path(), String.valueOf(e.getMessage()), Optional.empty());
        }
    }
}
