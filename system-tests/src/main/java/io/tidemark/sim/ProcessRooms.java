package io.tidemark.sim;

import io.tidemark.coordination.broker.ProducerIds;
import io.tidemark.core.log.LogDirectories;
import io.tidemark.core.log.LogHousekeeping;
import io.tidemark.core.log.LogScrubber;
import io.tidemark.core.log.cleaner.LogCleaner;
import io.tidemark.replication.ReplicationAssembly;
import io.tidemark.server.metadata.PushApplication;

/** What a process has once its logs are loaded; none of it is there before. */
record ProcessRooms(
        String clusterId,
        LogDirectories logs,
        ReplicationAssembly replication,
        PushApplication pushes,
        ProducerIds producerIds,
        LogScrubber scrubber,
        LogHousekeeping housekeeping,
        LogCleaner cleaner) {}
