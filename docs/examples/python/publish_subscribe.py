#!/usr/bin/python3
"""Publishes numbered records and subscribes to them at the same time, at any brokers that live, and checks what arrived.

Prints one line of JSON; ends with 0 if every record was acknowledged, none is lost, out of order or duplicated, else with 1.
"""

import argparse
import json
import os
import queue
import sys
import threading
import time
import uuid
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import brokers
import grpc
from tidemark.v1 import plain_pb2

# Each lane has a key of its own and publishes one record after the other, which is what keeps their order.
LANES = 16
PUBLISH_TIMEOUT_S = 30
CREDIT_BYTES = 256 * 1024
PAUSE_S = 0.1


def tell(text):
    print(text, file=sys.stderr, flush=True)


class GaveUp(Exception):
    pass


class Deadline:
    def __init__(self, seconds):
        self._end = time.monotonic() + seconds

    def left_s(self):
        left = self._end - time.monotonic()
        if left <= 0:
            raise GaveUp("the time is over (--timeout)")
        return left

    def pause(self, seconds):
        time.sleep(min(seconds, self.left_s()))


class Publisher:
    """Publishes record 0, 1, 2, ... on LANES threads: record n on lane n % LANES, with that lane's key."""

    def __init__(self, cluster, options, run, deadline, on_progress):
        self._cluster, self._options, self._run, self._deadline = cluster, options, run, deadline
        self._on_progress = on_progress
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._began = time.monotonic()
        self.acknowledged = {}  # number -> (partition, offset)
        self.retried_unknown = Counter()  # number -> attempts that may have written it, and were repeated

    def publish_all(self):
        with ThreadPoolExecutor(LANES) as pool:
            for lane in [pool.submit(self._publish_lane, lane) for lane in range(LANES)]:
                lane.result()

    def _publish_lane(self, lane):
        at = lane
        try:
            for number in range(lane, self._options.records, LANES):
                if self._stop.is_set():
                    return
                self._keep_rate(number)
                at = self._publish(number, lane, at)
        except BaseException:
            self._stop.set()
            raise

    def _keep_rate(self, number):
        if self._options.rate:
            early_s = self._began + number / self._options.rate - time.monotonic()
            self._deadline.pause(max(0, early_s))

    def _publish(self, number, lane, at):
        """Publishes at the broker numbered at, or at the next ones until one acknowledges; returns which one did."""
        request = plain_pb2.PublishRequest(
            topic=self._options.topic,
            key=f"key-{lane}".encode(),
            value=str(number).encode(),
            headers=[plain_pb2.PlainHeader(key="run", value=self._run)],
        )
        while True:
            broker = self._cluster[at % len(self._cluster)]
            try:
                answer = broker.plain.Publish(request, timeout=min(PUBLISH_TIMEOUT_S, self._deadline.left_s()))
            except grpc.RpcError as e:
                self._after(number, broker, brokers.Failure(e))
                at += 1
            else:
                self._acknowledge(number, answer)
                return at

    def _after(self, number, broker, failure):
        if failure.outcome == "failed":
            raise GaveUp(f"record {number} at {broker.address}: {failure}")
        if failure.outcome == "unknown":
            tell(f"record {number} at {broker.address}: it may be written, is published again and may be there twice: {failure}")
            with self._lock:
                self.retried_unknown[number] += 1
        self._deadline.pause(failure.delay_s or PAUSE_S)

    def _acknowledge(self, number, answer):
        with self._lock:
            self.acknowledged[number] = (answer.partition, answer.offset)
            count = len(self.acknowledged)
            if count % max(1, self._options.records // 10) == 0:
                self._on_progress(count)


class Subscriber(threading.Thread):
    """Reads all partitions from the beginning on, and goes on at another broker, by offset, when its broker dies."""

    def __init__(self, cluster, topic, partitions, run, deadline):
        super().__init__(daemon=True)
        self._cluster, self._topic, self._run, self._deadline = cluster, topic, run, deadline
        self._next_offsets = dict.fromkeys(partitions)  # None: nothing was read yet
        self._lock = threading.Lock()
        self._call = None
        self._ending = False
        self.received = []  # (partition, offset, key, number) of this run, as they came
        self.failure = None

    def finish(self):
        """Reads to the end of what is committed by now, and returns when that is done."""
        with self._lock:
            self._ending = True
            call = self._call
        if call:
            call.cancel()
        self.join()
        if self.failure:
            raise self.failure

    def run(self):
        at = 0
        try:
            while not self._follow(self._cluster[at % len(self._cluster)]):
                at += 1
        except Exception as e:  # To be raised where finish() is called.
            self.failure = e

    def _follow(self, broker):
        """Reads at one broker; returns whether everything has been read, or whether to go on at the next."""
        requests = queue.SimpleQueue()
        with self._lock:
            ending = self._ending
            requests.put(self._start(ending))
            self._call = broker.plain.Subscribe(iter(requests.get, None), timeout=self._deadline.left_s())
        try:
            for response in self._call:
                self._take(response)
                spent = sum(record.ByteSize() for record in response.records)
                requests.put(plain_pb2.SubscribeRequest(credit=plain_pb2.Credit(bytes=max(1, spent))))
            return ending
        except grpc.RpcError as e:
            self._after(broker, ending, brokers.Failure(e))
            return False
        finally:
            requests.put(None)

    def _start(self, stop_at_end):
        earliest = plain_pb2.StartAt(edge=plain_pb2.StartAt.EDGE_EARLIEST)
        return plain_pb2.SubscribeRequest(
            start=plain_pb2.Subscription(
                topic=self._topic,
                partitions=[
                    plain_pb2.PartitionStart(
                        partition=partition, **{"from": earliest if offset is None else plain_pb2.StartAt(offset=offset)}
                    )
                    for partition, offset in self._next_offsets.items()
                ],
                credit_bytes=CREDIT_BYTES,
                stop_at_end=stop_at_end,
            )
        )

    def _take(self, response):
        for record in response.records:
            # Records of other runs may be in the topic, too.
            if any(h.key == "run" and h.value == self._run for h in record.headers):
                self.received.append((response.partition, record.offset, record.key, int(record.value)))
        self._next_offsets[response.partition] = response.next_offset

    def _after(self, broker, ending, failure):
        if self._ending and not ending and failure.code == grpc.StatusCode.CANCELLED:
            return  # By finish().
        if not failure.may_read_again:
            raise GaveUp(f"subscription at {broker.address}: {failure}")
        tell(f"subscription at {broker.address}: resuming at the next broker from offsets {self._next_offsets}: {failure}")
        self._deadline.pause(failure.delay_s or PAUSE_S)


def verify(acknowledged, retried_unknown, received):
    """Compares what brokers acknowledged with what arrived."""
    number_at = {(partition, offset): number for partition, offset, _, number in received}
    copies = Counter(number for _, _, _, number in received)
    out_of_order = 0
    last_offset, last_number, seen = {}, {}, set()
    for partition, offset, key, number in received:
        out_of_order += offset <= last_offset.get(partition, -1)
        last_offset[partition] = offset
        # A second copy may come late; the first ones of a key are in the order of publishing.
        if number not in seen:
            out_of_order += number < last_number.get(key, -1)
            last_number[key] = number
            seen.add(number)
    return {
        "published": len(acknowledged),
        "consumed": len(received),
        "lost": sum(number_at.get(place) != number for number, place in acknowledged.items()),
        "outOfOrder": out_of_order,
        # An attempt whose outcome is not known may have written a copy; more than those are too many.
        "duplicated": sum(max(0, n - 1 - retried_unknown[number]) for number, n in copies.items()),
        "retriedUnknown": len(retried_unknown),
    }


def ready(bootstrap):
    """The brokers that say they are ready."""
    cluster = []
    for address in bootstrap.split(","):
        broker = brokers.Broker(address.strip())
        lives, is_ready = broker.health(""), broker.health("tidemark.ready")
        tell(f"{broker.address}: {lives}, tidemark.ready: {is_ready}")
        if lives == is_ready == "SERVING":
            cluster.append(broker)
    if not cluster:
        raise GaveUp(f"none of {bootstrap} is ready")
    return cluster


def publish_and_subscribe(options):
    deadline = Deadline(options.timeout)
    cluster = ready(options.bootstrap)
    services = cluster[0].services()
    partitions = cluster[0].partitions(options.topic)
    if partitions is None:
        raise GaveUp(f"no topic {options.topic}; create it: tidemark topic create {options.topic} --partitions 6")

    run = uuid.uuid4().bytes
    subscriber = Subscriber(cluster, options.topic, partitions, run, deadline)
    publisher = Publisher(
        cluster,
        options,
        run,
        deadline,
        lambda count: tell(f"acknowledged {count} of {options.records}, consumed {len(subscriber.received)}"),
    )
    subscriber.start()
    try:
        publisher.publish_all()
    except GaveUp as e:
        tell(e)
    subscriber.finish()
    return {**verify(publisher.acknowledged, publisher.retried_unknown, subscriber.received), "services": services}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    known = os.environ.get("TIDEMARK_BOOTSTRAP")
    parser.add_argument("--bootstrap", metavar="H:P[,H:P...]", default=known, required=not known)
    parser.add_argument("--topic", required=True)
    parser.add_argument("--records", type=int, default=10_000, metavar="N")
    parser.add_argument("--rate", type=float, default=0, metavar="N", help="at most so many records per second")
    parser.add_argument("--timeout", type=float, default=180, metavar="SECONDS", help="gives up after it (default 180)")
    options = parser.parse_args()
    try:
        report = publish_and_subscribe(options)
    except (GaveUp, grpc.RpcError) as e:
        tell(brokers.Failure(e) if isinstance(e, grpc.RpcError) else e)
        return 1
    print(json.dumps(report))
    sound = report["published"] == options.records and not (report["lost"] or report["outOfOrder"] or report["duplicated"])
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
