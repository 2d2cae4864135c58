# shellcheck shell=bash
# Sourced by the commands in bin/: finds Java 17 or newer and starts a main class in this process.
#
#   JAVA_HOME           the Java to use; else the one on PATH
#   TIDEMARK_HEAP_OPTS  heap flags instead of the command's own, such as "-Xms4g -Xmx4g"
#   TIDEMARK_OPTS       further JVM flags; they come last and win
#   TIDEMARK_LOG_DIR    where a server process writes its log files; else logs/ beside bin/

TIDEMARK_HOME=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
export TIDEMARK_HOME

# Prints the path of a Java that is new enough, or says what is missing and ends the command with 69.
find_java() {
  local java release
  if [ -n "${JAVA_HOME:-}" ]; then
    java=$JAVA_HOME/bin/java
  else
    java=$(command -v java || true)
  fi
  if [ ! -x "$java" ]; then
    echo "${0##*/}: found no java${JAVA_HOME:+ in JAVA_HOME=$JAVA_HOME}: install a Java 17 runtime (Debian: openjdk-17-jre-headless) or set JAVA_HOME" >&2
    exit 69
  fi
  # The release file tells the version without the price of starting a JVM.
  release=$(dirname "$(readlink -f "$java")")/../release
  if [ -r "$release" ]; then
    local version
    version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$release")
    if [ "${version:-17}" -lt 17 ]; then
      echo "${0##*/}: needs Java 17 or newer, and $java is Java $version: set JAVA_HOME" >&2
      exit 69
    fi
  fi
  printf '%s\n' "$java"
}

# launch DEFAULT_HEAP MAIN_CLASS JVM_FLAGS... -- ARGUMENTS...
# The flags in the environment are lists of words, which is why they stand unquoted.
launch() {
  local heap=$1 main=$2 java
  shift 2
  local flags=()
  while [ "$1" != -- ]; do
    flags+=("$1")
    shift
  done
  shift
  java=$(find_java)
  # shellcheck disable=SC2086
  exec "$java" ${TIDEMARK_HEAP_OPTS:-$heap} "${flags[@]}" -Dfile.encoding=UTF-8 "-Dtidemark.home=$TIDEMARK_HOME" \
    ${TIDEMARK_OPTS:-} -cp "$TIDEMARK_HOME/lib/*" "$main" "$@"
}

# launch_server NAME DEFAULT_HEAP MAIN_CLASS ARGUMENTS...
# NAME names the log files. A process that is out of memory ends with status 1, for 3 says that storage failed; it leaves
# one heap dump, and never a second beside the first.
launch_server() {
  local name=$1 heap=$2 main=$3 logs=${TIDEMARK_LOG_DIR:-$TIDEMARK_HOME/logs}
  shift 3
  mkdir -p "$logs"
  launch "$heap" "$main" \
    -XX:+UseG1GC -XX:MaxGCPauseMillis=20 -XX:InitiatingHeapOccupancyPercent=35 -XX:+ExplicitGCInvokesConcurrent \
    -XX:+CrashOnOutOfMemoryError -XX:-CreateCoredumpOnCrash -XX:+HeapDumpOnOutOfMemoryError \
    "-XX:HeapDumpPath=$logs/$name.hprof" "-XX:ErrorFile=$logs/$name-hs_err.log" \
    "-Xlog:gc*:file=$logs/$name-gc.log:time,tags:filecount=10,filesize=10M" \
    "-Dlogback.configurationFile=$TIDEMARK_HOME/conf/logback-server.xml" \
    "-Dtidemark.log.dir=$logs" "-Dtidemark.log.name=$name" \
    -- "$@"
}
