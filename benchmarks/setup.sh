# shellcheck shell=bash
# Sourced by the commands of this directory, with $root set to the repository: builds the distribution and the benchmarks where
# they are older than their sources, and resolves Kafka.

# shellcheck source=config/setup.sh
. "$root/config/setup.sh"

readonly peer=$root/benchmarks/kafka-peer
readonly simple_logging=(-Dslf4j.provider=org.slf4j.simple.SimpleServiceProvider -Dorg.slf4j.simpleLogger.defaultLogLevel=error)

benchmarks_jar() { printf '%s/benchmarks/target/benchmarks-%s.jar' "$root" "$(version)"; }

benchmarks_are_current() {
  local jar
  jar=$(benchmarks_jar)
  is_current && [ -e "$jar" ] && [ -d "$root/benchmarks/target/jmh-lib" ] && [ ! "$stamp" -nt "$jar" ] &&
    [ -z "$(find "$root/benchmarks/pom.xml" "$root/benchmarks/src/main" -newer "$jar" -print -quit)" ]
}

prepare_benchmarks() {
  if ! benchmarks_are_current; then
    lock_builds
    if ! benchmarks_are_current; then
      require_tools
      build_distribution deploy,benchmarks
    fi
    unlock_builds
  fi
  find_jdk || { say "found no JDK $required_java"; exit 69; }
}

# Writes Kafka's class path to peer/target/classpath.txt, once.
resolve_peer() {
  local file=$peer/target/classpath.txt
  [ -s "$file" ] && [ ! "$peer/pom.xml" -nt "$file" ] && return 0
  say "resolving Kafka's libraries"
  mkdir -p "$peer/target"
  (cd "$peer" && timeout 900 mvn -B -ntp -q dependency:build-classpath "-Dmdep.outputFile=$file.tmp" </dev/null >&2) || {
    say "Maven could not resolve $peer/pom.xml"
    exit 69
  }
  mv "$file.tmp" "$file"
}

# dir_option WORD...: prints what --dir says; nothing if it is not there.
dir_option() {
  local words=("$@") i
  for ((i = 0; i < ${#words[@]}; i++)); do
    case ${words[i]} in
      --dir) printf '%s' "${words[i + 1]:-}" ;;
      --dir=*) printf '%s' "${words[i]#--dir=}" ;;
    esac
  done
}

# copy_app APP: puts a copy of the distribution and the benchmarks there, so that a build in this directory does not change what is measured.
copy_app() {
  rm -rf "$1"
  mkdir -p "$1"
  cp -a "$(distribution)" "$1/tidemark"
  cp -a "$root/benchmarks/target/jmh-lib" "$1/jmh-lib"
  cp "$(benchmarks_jar)" "$1/benchmarks.jar"
}

# run_copy CLASS FLAG... -- WORD...: runs a measurement from a copy in its own --dir, which goes at the end. With kafka=yes Kafka is on its class path.
run_copy() {
  local class=$1 flags=() dir path
  shift
  while [ "$1" != -- ]; do
    flags+=("$1")
    shift
  done
  shift
  prepare_benchmarks
  dir=$(dir_option "$@")
  path="$(benchmarks_jar):$root/benchmarks/target/jmh-lib/*:$(distribution)/lib/*"
  if [ -n "$dir" ]; then
    mkdir -p "$dir"
    app=$(mktemp -d "$(cd "$dir" && pwd)/app-XXXXXX")
    trap 'rm -rf "$app"' EXIT
    copy_app "$app"
    path="$app/benchmarks.jar:$app/jmh-lib/*:$app/tidemark/lib/*"
    if [ "${kafka:-}" = yes ]; then
      resolve_peer
      path+=":$(cat "$peer/target/classpath.txt")"
    fi
  fi
  "$JAVA_HOME/bin/java" "${flags[@]}" "${simple_logging[@]}" -cp "$path" "$class" "$@" </dev/null &
  await_child $!
}

# await_child PID: waits for it, hands signals on, and returns its status.
await_child() {
  local child=$1 status=0
  trap 'kill -TERM "$child" 2>/dev/null' INT TERM
  wait "$child" || status=$?
  while kill -0 "$child" 2>/dev/null; do
    wait "$child" || status=$?
  done
  return "$status"
}
