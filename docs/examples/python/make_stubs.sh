#!/usr/bin/env bash
# Generates Python stubs from the repository's .proto files and Debian's health and reflection ones, with Debian's protoc.
# usage: make_stubs.sh DIRECTORY    generates into it
#        make_stubs.sh --check      only tells whether the packages are there: status 69 if one is missing
set -euo pipefail

here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
ours=$here/../../../proto/src/main/protobuf
standard=/usr/share/grpc-proto

check() {
  [ -x /usr/bin/protoc ] && [ -x /usr/bin/grpc_python_plugin ] && [ -r "$standard/grpc/reflection/v1/reflection.proto" ] &&
    /usr/bin/python3 -c 'import grpc, google.protobuf' 2>/dev/null && return 0
  echo "make_stubs.sh: packages are missing: apt-get install $(tr '\n' ' ' <"$here/apt-packages")" >&2
  exit 69
}

case ${1:-} in
  --check) check ;;
  '' | -*)
    sed -n '2,4s/^# //p' "${BASH_SOURCE[0]}" >&2
    exit 64
    ;;
  *)
    check
    mkdir -p "$1"
    /usr/bin/protoc --plugin=protoc-gen-grpc=/usr/bin/grpc_python_plugin --python_out="$1" --grpc_out="$1" \
      -I "$ours" -I "$standard" -I "$here" "$ours"/tidemark/v1/*.proto "$here/status_details.proto" \
      "$standard/grpc/health/v1/health.proto" "$standard/grpc/reflection/v1/reflection.proto"
    ;;
esac
