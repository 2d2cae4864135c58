package io.tidemark.server.bounds;

import com.google.protobuf.ByteString;

/**
 * The kinds of bad requests and what each gets: the one table, repeated in docs/protocol.md. An answer is the error code of the
 * request's part, or, in capitals before a comma, the status of the call and the reason in its details.
 */
enum BadRequest {
    ACKS(
            "Produce",
            "no acks, or a value that is none",
            "INVALID_REQUIRED_ACKS",
            BadProduces.request((request, random) ->
                    request.setAcksValue(random.nextBoolean() ? 0 : 4 + Topics.beyond(random) / 2))),
    PRODUCE_TIMEOUT(
            "Produce",
            "a negative timeout",
            "INVALID_REQUEST",
            BadProduces.request((request, random) -> request.setTimeoutMs(Topics.negative(random)))),
    PRODUCE_TWICE(
            "Produce", "a partition twice in one request", "INVALID_REQUEST", BadProduces.request(BadProduces::repeat)),
    PRODUCE_NOWHERE(
            "Produce",
            "no topic, or a negative partition",
            "INVALID_REQUEST",
            BadProduces.part(BadProduces::noPartition)),
    PRODUCE_UNKNOWN(
            "Produce",
            "an unknown topic or partition",
            "UNKNOWN_TOPIC_OR_PARTITION",
            BadProduces.part(BadProduces::unknown)),
    PRODUCE_NEWER_EPOCH(
            "Produce",
            "a leader epoch newer than the broker's",
            "UNKNOWN_LEADER_EPOCH",
            BadProduces.part((part, random) -> part.setLeaderEpoch(Topics.beyond(random)))),
    PRODUCE_NO_EPOCH(
            "Produce",
            "a leader epoch below -1",
            "INVALID_REQUEST",
            BadProduces.part((part, random) -> part.setLeaderEpoch(Topics.noEpoch(random)))),
    NO_BATCH("Produce", "no bytes", "INVALID_RECORD", BadProduces.batch(random -> ByteString.EMPTY)),
    RANDOM_BATCH("Produce", "random bytes as batches", "CORRUPT_MESSAGE", BadProduces.batch(Batches::random)),
    CUT_BATCH("Produce", "a batch that is cut off", "CORRUPT_MESSAGE", BadProduces.batch(Batches::cut)),
    TRAILING_BYTES(
            "Produce",
            "bytes behind the last batch",
            "CORRUPT_MESSAGE",
            BadProduces.batch(random -> Batches.three().concat(Batches.cut(random)))),
    LYING_LENGTH("Produce", "a batch length that is wrong", "CORRUPT_MESSAGE", BadProduces.batch(Batches::lyingLength)),
    WRONG_CRC("Produce", "bytes that do not match the CRC", "CORRUPT_MESSAGE", BadProduces.batch(Batches::wrongCrc)),
    OLD_MAGIC(
            "Produce",
            "message format 0 or 1",
            "INVALID_RECORD",
            BadProduces.batch(random -> Batches.magic(random.nextInt(2)))),
    UNKNOWN_MAGIC(
            "Produce",
            "message format 3 or above",
            "CORRUPT_MESSAGE",
            BadProduces.batch(random -> Batches.magic(3 + random.nextInt(253)))),
    LYING_COUNTS(
            "Produce",
            "record count and last offset delta that lie",
            "INVALID_RECORD",
            BadProduces.batch(Batches::lyingCounts)),
    LYING_TIMESTAMP(
            "Produce", "a largest timestamp that lies", "INVALID_RECORD", BadProduces.batch(Batches::lyingTimestamp)),
    LATER_TIMESTAMP(
            "Produce",
            "a timestamp beyond message.timestamp.after.max.ms from now",
            "INVALID_TIMESTAMP",
            BadProduces.batch(Batches::later)),
    LYING_SIZES("Produce", "a record whose size lies", "INVALID_RECORD", BadProduces.batch(Batches::lyingSizes)),
    RANDOM_RECORDS("Produce", "random bytes as records", "INVALID_RECORD", BadProduces.batch(Batches::randomRecords)),
    UNKNOWN_CODEC(
            "Produce",
            "an unknown codec",
            "INVALID_RECORD",
            BadProduces.batch(random -> Batches.attributes(5 + random.nextInt(3)))),
    WRONG_CODEC(
            "Produce",
            "a codec that the records were not compressed with",
            "INVALID_RECORD",
            BadProduces.batch(random -> Batches.attributes(1 + random.nextInt(4)))),
    FORBIDDEN_ATTRIBUTES(
            "Produce",
            "transactional, control, append time or reserved attributes",
            "INVALID_RECORD",
            BadProduces.batch(random -> Batches.attributes(8 << random.nextInt(13)))),
    BOMB(
            "Produce",
            "records of more than 256 MiB when decompressed",
            "INVALID_RECORD",
            2,
            BadProduces.batch(random -> Batches.bomb())),
    BATCH_TOO_LARGE(
            "Produce", "a batch above max.message.bytes", "MESSAGE_TOO_LARGE", BadProduces.part(BadProduces::tooLarge)),
    HALF_STAMP(
            "Produce",
            "a producer id without epoch or sequence, or the like",
            "INVALID_RECORD",
            BadProduces.batch(Batches::halfStamp)),
    UNKNOWN_PRODUCER(
            "Produce",
            "an unknown producer that does not begin at sequence 0",
            "UNKNOWN_PRODUCER_ID",
            BadProduces.batch(
                    random -> Batches.stamped(random.nextLong() & Long.MAX_VALUE, 1 + random.nextInt(1_000)))),
    BESIDE_A_GOOD_ONE(
            "Produce",
            "a bad part before a good one",
            "INVALID_RECORD, NONE",
            BadProduces.request(BadProduces::besideAGoodOne)),

    FETCH_NOWHERE(
            "Fetch", "no topic, or a negative partition", "INVALID_REQUEST", BadReads.entry(BadReads::noPartition)),
    FETCH_UNKNOWN(
            "Fetch", "an unknown topic or partition", "UNKNOWN_TOPIC_OR_PARTITION", BadReads.entry(BadReads::unknown)),
    FETCH_NEGATIVE(
            "Fetch", "a negative offset or size of a partition", "INVALID_REQUEST", BadReads.entry(BadReads::negative)),
    FETCH_NEGATIVE_BOUNDS(
            "Fetch", "a negative wait or size of the request", "INVALID_REQUEST", BadReads.fetch(BadReads::negative)),
    FETCH_BEYOND(
            "Fetch", "an offset beyond the log's end", "OFFSET_OUT_OF_RANGE", BadReads.entry(BadReads::beyondTheEnd)),
    FETCH_NEWER_EPOCH(
            "Fetch",
            "a leader epoch newer than the broker's",
            "UNKNOWN_LEADER_EPOCH",
            BadReads.entry((entry, random) -> entry.setCurrentLeaderEpoch(Topics.beyond(random)))),
    FETCH_NO_EPOCH("Fetch", "an epoch below -1", "INVALID_REQUEST", BadReads.entry(BadReads::noEpoch)),
    FETCH_NEWER_RECORD(
            "Fetch",
            "records of an epoch that the log does not have",
            "NONE, diverging",
            BadReads.entry(BadReads::newerThanAny)),
    FETCH_SIZES("Fetch", "absurd sizes, without a wait", "NONE", BadReads.fetch(BadReads::absurdSizes)),
    FETCH_MANY(
            "Fetch",
            "thousands of unknown partitions",
            "UNKNOWN_TOPIC_OR_PARTITION",
            5,
            BadReads.fetch(BadReads::absurdlyMany)),

    OFFSETS_NOWHERE(
            "ListOffsets",
            "no topic, or a negative partition",
            "INVALID_REQUEST",
            BadReads.offsets(BadReads::noPartition)),
    OFFSETS_UNKNOWN(
            "ListOffsets",
            "an unknown topic or partition",
            "UNKNOWN_TOPIC_OR_PARTITION",
            BadReads.offsets(BadReads::unknown)),
    OFFSETS_NO_PLACE(
            "ListOffsets",
            "no position, an unknown one, or a negative time",
            "INVALID_REQUEST",
            BadReads.offsets(BadReads::noPlace)),
    OFFSETS_NEWER_EPOCH(
            "ListOffsets",
            "a leader epoch newer than the broker's",
            "UNKNOWN_LEADER_EPOCH",
            BadReads.offsets((part, random) -> part.setCurrentLeaderEpoch(Topics.beyond(random)))),
    OFFSETS_NO_EPOCH(
            "ListOffsets",
            "a leader epoch below -1",
            "INVALID_REQUEST",
            BadReads.offsets((part, random) -> part.setCurrentLeaderEpoch(Topics.noEpoch(random)))),
    METADATA_UNKNOWN(
            "Metadata", "unknown, empty and endless topic names", "UNKNOWN_TOPIC_OR_PARTITION", BadReads.metadata()),

    CREATE_NAME("CreateTopic", "an illegal name", "INVALID_TOPIC", BadAdminCalls.create(BadAdminCalls::illegalName)),
    CREATE_TWICE(
            "CreateTopic",
            "a topic that exists",
            "TOPIC_ALREADY_EXISTS",
            BadAdminCalls.create((request, random) -> request.setName(Topics.TARGET))),
    CREATE_PARTITIONS(
            "CreateTopic",
            "a negative or absurd number of partitions",
            "INVALID_PARTITIONS",
            BadAdminCalls.create(BadAdminCalls::partitions)),
    CREATE_COPIES(
            "CreateTopic",
            "a negative replication factor, or one above the live brokers",
            "INVALID_REPLICATION_FACTOR",
            BadAdminCalls.create(BadAdminCalls::copies)),
    CREATE_SETTINGS(
            "CreateTopic",
            "an unknown setting, or an illegal value",
            "INVALID_CONFIG",
            BadAdminCalls.create(BadAdminCalls::settings)),
    CREATE_ABSURD_SETTINGS(
            "CreateTopic",
            "settings of megabytes",
            "INVALID_CONFIG",
            5,
            BadAdminCalls.create(BadAdminCalls::absurdSettings)),
    ALTER_UNKNOWN(
            "AlterTopic",
            "an unknown topic",
            "UNKNOWN_TOPIC_OR_PARTITION",
            BadAdminCalls.alter((request, random) -> request.setName(Topics.unknown(random)))),
    ALTER_SETTINGS(
            "AlterTopic",
            "an unknown setting, an illegal value, one that the topic has not to be taken away",
            "INVALID_CONFIG",
            BadAdminCalls.alter(BadAdminCalls::settings)),
    DELETE_UNKNOWN("DeleteTopic", "an unknown topic", "UNKNOWN_TOPIC_OR_PARTITION", BadAdminCalls.delete()),
    TRANSFER_NOWHERE(
            "TransferLeader",
            "no topic, or a negative partition",
            "INVALID_REQUEST",
            BadAdminCalls.transfer(
                    Topics.TARGET,
                    (request, random) -> request.getPartitionBuilder().setPartition(Topics.negative(random)))),
    TRANSFER_UNKNOWN(
            "TransferLeader",
            "an unknown topic or partition",
            "UNKNOWN_TOPIC_OR_PARTITION",
            BadAdminCalls.transfer(
                    Topics.TARGET,
                    (request, random) -> request.getPartitionBuilder().setPartition(Topics.beyond(random)))),
    TRANSFER_TO_NOBODY(
            "TransferLeader",
            "a broker that is no member of the in-sync set",
            "INELIGIBLE_REPLICA",
            BadAdminCalls.transfer(
                    Topics.TARGET,
                    (request, random) -> request.setToBroker(
                            random.nextBoolean() ? Topics.negative(random) : 2 + Topics.beyond(random) / 2))),
    DELETE_RECORDS_NOWHERE(
            "DeleteRecords",
            "no topic, a negative partition, or an offset below -1",
            "INVALID_REQUEST",
            BadAdminCalls.deleteRecords(BadAdminCalls::nowhere)),
    DELETE_RECORDS_UNKNOWN(
            "DeleteRecords",
            "an unknown topic or partition",
            "UNKNOWN_TOPIC_OR_PARTITION",
            BadAdminCalls.deleteRecords(
                    (request, random) -> request.getPartitionBuilder().setPartition(Topics.beyond(random)))),
    DELETE_RECORDS_BEYOND(
            "DeleteRecords",
            "an offset above the high watermark",
            "OFFSET_OUT_OF_RANGE",
            BadAdminCalls.deleteRecords((request, random) ->
                    request.setBeforeOffset(random.nextBoolean() ? Long.MAX_VALUE : 11 + random.nextInt(1_000)))),

    PUBLISH_UNKNOWN(
            "Publish, PublishStream",
            "an unknown topic or partition",
            "NOT_FOUND, UNKNOWN_TOPIC_OR_PARTITION",
            BadPlainCalls.publish(BadPlainCalls::unknown)),
    PUBLISH_NO_TOPIC(
            "Publish, PublishStream",
            "no topic, or a name of more than 249 characters",
            "INVALID_ARGUMENT, INVALID_REQUEST",
            BadPlainCalls.publish(
                    (record, random) -> record.setTopic(random.nextBoolean() ? "" : Topics.tooLong(random)))),
    PUBLISH_NEGATIVE(
            "Publish, PublishStream",
            "a negative partition or timestamp",
            "INVALID_ARGUMENT, INVALID_REQUEST",
            BadPlainCalls.publish(BadPlainCalls::negative)),
    PUBLISH_LATER(
            "Publish, PublishStream",
            "a timestamp beyond message.timestamp.after.max.ms from now",
            "INVALID_ARGUMENT, INVALID_TIMESTAMP",
            BadPlainCalls.publish(BadPlainCalls::later)),
    PUBLISH_TOO_LARGE(
            "Publish, PublishStream",
            "a record above max.message.bytes",
            "FAILED_PRECONDITION, MESSAGE_TOO_LARGE",
            BadPlainCalls.publish(BadPlainCalls::tooLarge)),
    PUBLISH_ACKS(
            "Publish",
            "acks of an unknown value",
            "INVALID_ARGUMENT, INVALID_REQUEST",
            BadPlainCalls.publishAlone(BadPlainCalls::unknownAcks)),
    PUBLISH_ODD(
            "Publish, PublishStream",
            "odd but right: empty, repeated and thousands of headers, any timestamp of the past",
            "OK",
            BadPlainCalls.publish(BadPlainCalls::oddHeaders)),
    SUBSCRIBE_UNKNOWN(
            "Subscribe",
            "an unknown topic or partition",
            "NOT_FOUND, UNKNOWN_TOPIC_OR_PARTITION",
            BadPlainCalls.subscribe(BadPlainCalls::unknown)),
    SUBSCRIBE_MANY(
            "Subscribe",
            "thousands of unknown partitions",
            "NOT_FOUND, UNKNOWN_TOPIC_OR_PARTITION",
            5,
            BadPlainCalls.subscribe(BadPlainCalls::absurdlyMany)),
    SUBSCRIBE_MALFORMED(
            "Subscribe",
            "a place, a partition or credit that cannot be",
            "INVALID_ARGUMENT, INVALID_REQUEST",
            BadPlainCalls.subscribe(BadPlainCalls::malformed)),
    SUBSCRIBE_TWICE(
            "Subscribe",
            "two places to begin in one partition",
            "INVALID_ARGUMENT, INVALID_REQUEST",
            BadPlainCalls.subscribe(BadPlainCalls::contradictoryStarts)),
    SUBSCRIBE_BEYOND(
            "Subscribe",
            "an offset beyond the log's end",
            "OUT_OF_RANGE, OFFSET_OUT_OF_RANGE",
            BadPlainCalls.subscribe(BadPlainCalls::beyondTheEnd)),
    SUBSCRIBE_OUT_OF_TURN(
            "Subscribe",
            "a second start, credit before the start, no or too much credit",
            "INVALID_ARGUMENT, INVALID_REQUEST",
            BadPlainCalls.outOfTurn()),
    SUBSCRIBE_CREDIT(
            "Subscribe",
            "credit where none was agreed",
            "INVALID_ARGUMENT, INVALID_REQUEST",
            BadPlainCalls.creditUnasked()),
    SUBSCRIBE_NOTHING("Subscribe", "no message", "INVALID_ARGUMENT, INVALID_REQUEST", BadPlainCalls.nothing()),

    RANDOM_BYTES("any", "random bytes as a message", "INVALID_ARGUMENT, INVALID_REQUEST", RawCalls::randomBytes),
    CUT_MESSAGE("any", "a message that is cut off", "INVALID_ARGUMENT, INVALID_REQUEST", RawCalls::cutMessage),
    UNKNOWN_METHOD(
            "none", "an unknown method, or one of the peers' listener", "UNIMPLEMENTED", RawCalls::unknownMethod),
    OVERSIZED("any", "a message above 100 MiB", "RESOURCE_EXHAUSTED", 2, RawCalls::oversized),
    OVERSIZED_COMPRESSED("any", "a compressed message above 100 MiB", "RESOURCE_EXHAUSTED", 2, RawCalls::compressed),
    NO_HTTP2("none", "random bytes on a connection", "closed", RawCalls::noHttp2);

    private static final int USUAL = 20;

    final String call;
    final String what;
    final String answer;
    final int weight;
    final Attack attack;

    BadRequest(String call, String what, String answer, Attack attack) {
        this(call, what, answer, USUAL, attack);
    }

    /** @param weight how often it comes, beside the others */
    BadRequest(String call, String what, String answer, int weight, Attack attack) {
        this.call = call;
        this.what = what;
        this.answer = answer;
        this.weight = weight;
        this.attack = attack;
    }

    /** The kind's line of the table in docs/protocol.md. */
    String row() {
        return "| " + call + " | " + what + " | "
                + (answer.equals("closed") ? "the connection is closed" : "`" + answer + "`") + " |";
    }
}
