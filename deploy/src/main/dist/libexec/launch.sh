# shellcheck shell=bash
# Sourced by the commands in bin/: finds Java 17 or newer and starts a main class in this process.
#
#   JAVA_HOME           the Java to use; else the one on PATH
#   TIDEMARK_HEAP_OPTS  heap flags instead of the command's own, such as "-Xms4g -Xmx4g"
#   TIDEMARK_OPTS       further JVM flags; they come last and win
#   TIDEMARK_LOG_DIR    where a server process writes its log files; else logs/ beside bin/
#   TIDEMARK_ARCHIVE    "off": neither use nor make the class-data archive of the command line

TIDEMARK_HOME=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
export TIDEMARK_HOME

# Sets java to the path of a Java that is new enough, or says what is missing and ends the command with 69.
find_java() {
  if [ -n "${JAVA_HOME:-}" ]; then
    java=$JAVA_HOME/bin/java
  else
    java=$(command -v java || true)
  fi
  if [ ! -x "$java" ]; then
    echo "${0##*/}: found no java${JAVA_HOME:+ in JAVA_HOME=$JAVA_HOME}: install a Java 17 runtime (Debian: openjdk-17-jre-headless) or set JAVA_HOME" >&2
    exit 69
  fi
  java=$(readlink -f "$java")
  # The release file tells the version without the price of starting a JVM.
  release=${java%/bin/java}/release
  if [ -r "$release" ]; then
    local version
    version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$release")
    if [ "${version:-17}" -lt 17 ]; then
      echo "${0##*/}: needs Java 17 or newer, and $java is Java $version: set JAVA_HOME" >&2
      exit 69
    fi
  fi
}

# launch DEFAULT_HEAP MAIN_CLASS JVM_FLAGS... -- ARGUMENTS...
# After find_java. The flags in the environment are lists of words, which is why they stand unquoted.
launch() {
  local heap=$1 main=$2
  shift 2
  local flags=()
  while [ "$1" != -- ]; do
    flags+=("$1")
    shift
  done
  shift
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
  find_java
  mkdir -p "$logs"
  launch "$heap" "$main" \
    -XX:+UseG1GC -XX:MaxGCPauseMillis=20 -XX:InitiatingHeapOccupancyPercent=35 -XX:+ExplicitGCInvokesConcurrent \
    -XX:+CrashOnOutOfMemoryError -XX:-CreateCoredumpOnCrash -XX:+HeapDumpOnOutOfMemoryError \
    "-XX:HeapDumpPath=$logs/$name.hprof" "-XX:ErrorFile=$logs/$name-hs_err.log" \
    "-Xlog:gc*:file=$logs/$name-gc.log:time,tags:filecount=10,filesize=10M" \
    -Dslf4j.provider=ch.qos.logback.classic.spi.LogbackServiceProvider -Dslf4j.internal.verbosity=WARN \
    "-Dlogback.configurationFile=$TIDEMARK_HOME/conf/logback-server.xml" \
    "-Dtidemark.log.dir=$logs" "-Dtidemark.log.name=$name" \
    -- "$@"
}

# launch_cli JVM_FLAGS... -- ARGUMENTS...
launch_cli() {
  find_java
  find_archive
  launch_cli_main io.tidemark.cli.Tidemark ${archive_flag:+"$archive_flag"} "$@"
}

# launch_cli_main MAIN_CLASS JVM_FLAGS... -- ARGUMENTS...
# After find_java. A property tells which streams are terminals, for Java does not know. The JVM's own warnings would go to
# standard output, where data is: they are off, among them that an archive is stale or of another JVM, which is ignored.
launch_cli_main() {
  local main=$1 terminals='' fd
  shift
  for fd in 0 1 2; do
    if [ -t "$fd" ]; then terminals+=$fd; fi
  done
  launch -Xmx512m "$main" -XX:+UseSerialGC -XX:-UsePerfData -Xshare:auto -Xlog:disable -Xlog:all=error:stderr \
    -Dio.grpc.netty.shaded.io.netty.jfr.enabled=false \
    -Dslf4j.provider=org.slf4j.simple.SimpleServiceProvider -Dslf4j.internal.verbosity=WARN \
    -Dorg.slf4j.simpleLogger.defaultLogLevel=error -Dorg.slf4j.simpleLogger.log.io.tidemark=warn \
    -Dorg.slf4j.simpleLogger.showThreadName=false \
    "-Dtidemark.terminals=$terminals" "$@"
}

# Prints the name of the class-data archive for these jars and this Java. After find_java.
archive_name() {
  local key
  key=$({
    stat -L -c '%n %s %Y' "$java" "$TIDEMARK_HOME"/lib/*.jar || true
    cat "$release" || true
  } 2>/dev/null | cksum)
  printf 'cli-%s.jsa\n' "${key%% *}"
}

# Sets archive_flag to the JVM flag for the class-data archive, which halves the start of the command line; empty if there
# is none. The archive stands beside the jars if they are the user's to change or an administrator has put it there; else in
# the user's cache, where only the user's own counts. Without one the command starts all the same, and one is made in the
# background for the next. Nothing here may fail a command.
find_archive() {
  local name place
  archive_flag=
  [ "${TIDEMARK_ARCHIVE:-}" != off ] || return 0
  name=$(archive_name)
  place=$TIDEMARK_HOME/lib
  if [ ! -r "$place/$name" ] && [ ! -w "$place" ]; then
    place=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/tidemark
    [ ! -e "$place" ] || [ -O "$place" ] || return 0
  fi
  if [ -r "$place/$name" ]; then
    archive_flag=-XX:SharedArchiveFile=$place/$name
  elif [ ! -e "$place/$name.failed" ]; then
    (nice -n 19 bash "$TIDEMARK_HOME/libexec/archive-classes.sh" "$place" </dev/null >/dev/null 2>&1 &)
  fi
}
