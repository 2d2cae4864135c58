"""What a program needs around the generated stubs: connections to the brokers, and what a failed call means."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
STUBS = os.environ.get("TIDEMARK_STUBS", os.path.join(HERE, "stubs"))
EX_UNAVAILABLE = 69


def missing(what):
    print(what, file=sys.stderr)
    sys.exit(EX_UNAVAILABLE)


try:
    import google.protobuf  # The stubs need it.
    import grpc
except ImportError as e:
    with open(os.path.join(HERE, "apt-packages"), encoding="utf-8") as packages:
        missing(f"{e}: packages are missing: apt-get install {' '.join(packages.read().split())}")

# The generated grpc/health and grpc/reflection belong to a package whose other half is installed.
sys.path.append(STUBS)
grpc.__path__.append(os.path.join(STUBS, "grpc"))

try:
    from grpc.health.v1 import health_pb2, health_pb2_grpc
    from grpc.reflection.v1 import reflection_pb2, reflection_pb2_grpc
    import status_details_pb2
    from tidemark.v1 import common_pb2, metadata_pb2, metadata_pb2_grpc, plain_pb2_grpc
except ImportError as e:
    missing(f"{e}: generate the stubs first: {HERE}/make_stubs.sh {STUBS}")

# An idle connection that broke is tried again after at most a second; brokers are reached without a proxy.
CHANNEL_OPTIONS = [("grpc.max_reconnect_backoff_ms", 1000), ("grpc.enable_http_proxy", 0)]


class Broker:
    def __init__(self, address):
        self.address = address
        channel = grpc.insecure_channel(address, options=CHANNEL_OPTIONS)
        self.plain = plain_pb2_grpc.PlainServiceStub(channel)
        self._metadata = metadata_pb2_grpc.MetadataServiceStub(channel)
        self._health = health_pb2_grpc.HealthStub(channel)
        self._reflection = reflection_pb2_grpc.ServerReflectionStub(channel)

    def health(self, service):
        """SERVING, NOT_SERVING, ... of "" (the process lives) or "tidemark.ready"; the status code if there is no answer."""
        try:
            answer = self._health.Check(health_pb2.HealthCheckRequest(service=service), timeout=5)
        except grpc.RpcError as e:
            return e.code().name
        return health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status)

    def services(self):
        """The names of what this broker serves, by reflection."""
        question = reflection_pb2.ServerReflectionRequest(list_services="")
        answers = self._reflection.ServerReflectionInfo(iter([question]), timeout=5)
        return sorted(s.name for answer in answers for s in answer.list_services_response.service)

    def partitions(self, topic):
        """The topic's partitions; None if there is no such topic."""
        answer = self._metadata.Metadata(metadata_pb2.MetadataRequest(topics=[topic]), timeout=5)
        found = [t for t in answer.topics if t.error == common_pb2.ERROR_CODE_NONE]
        return sorted(p.partition for p in found[0].partitions) if found else None


class Failure:
    """Why a call failed, and what may be done about it."""

    # A broker that dies, or the way to it, ends a call with one of these and without details.
    _BROKEN = {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.UNKNOWN,
    }

    def __init__(self, error):
        self.code = error.code()
        self.text = error.details()
        self.info = None
        self.delay_s = None
        self._read(dict(error.trailing_metadata() or ()).get("grpc-status-details-bin"))

    def _read(self, trailer):
        for detail in status_details_pb2.Status.FromString(trailer or b"").details:
            name = detail.type_url.rpartition("/")[2]
            if name == "google.rpc.ErrorInfo":
                self.info = status_details_pb2.ErrorInfo.FromString(detail.value)
            elif name == "google.rpc.RetryInfo":
                delay = status_details_pb2.RetryInfo.FromString(detail.value).retry_delay
                self.delay_s = delay.seconds + delay.nanos / 1e9

    @property
    def outcome(self):
        """Of a write: "failed", "retry" or "unknown" (see plain.proto)."""
        told = self.info.metadata.get("outcome") if self.info else None
        return told or ("unknown" if self.code in self._BROKEN else "failed")

    @property
    def may_read_again(self):
        """Of a read: whether another attempt, here or at another broker, may succeed."""
        return self.delay_s is not None or self.code in self._BROKEN

    def __str__(self):
        reason = f" {self.info.reason}" if self.info else ""
        return f"{self.code.name}{reason}: {self.text}"
