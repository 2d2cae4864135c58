# shellcheck shell=bash
# Sourced by ./tidemark and ./test, with $root set to the repository: finds or installs what a build needs, and builds.
# Everything said here goes to stderr; stdout belongs to the command that the user asked for.

: "${root:?}"
readonly required_java=17

say() { printf 'tidemark: %s\n' "$*" >&2; }

# java_major HOME: prints the major version of the JDK in HOME; nothing if there is none.
java_major() {
  [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 0
  sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
}

# Sets JAVA_HOME to a JDK that is new enough; fails if there is none.
find_jdk() {
  local home javac major
  javac=$(command -v javac || true)
  for home in "${JAVA_HOME:-}" "${javac:+$(dirname "$(dirname "$(readlink -f "$javac")")")}" /usr/lib/jvm/*; do
    [ -n "$home" ] || continue
    major=$(java_major "$home")
    if [ "${major:-0}" -ge "$required_java" ]; then
      export JAVA_HOME=$home
      return 0
    fi
  done
  return 1
}

have_tools() { find_jdk && command -v mvn >/dev/null; }

# Ends the script with 69 unless a JDK and Maven are there or can be installed.
require_tools() {
  have_tools && return 0
  if ! command -v apt-get >/dev/null; then
    say "needs a JDK $required_java or newer (javac on PATH, or JAVA_HOME) and Maven 3.8.7 or newer (mvn on PATH): install them and try again"
    exit 69
  fi
  if [ "$(id -u)" != 0 ]; then
    say "needs a JDK $required_java or newer and Maven; install them and try again:"
    say "  sudo apt-get update && sudo apt-get install openjdk-$required_java-jdk-headless maven"
    exit 69
  fi
  install_tools
  have_tools || { say "installed the packages but still found no JDK $required_java or no Maven"; exit 69; }
}

install_tools() {
  export DEBIAN_FRONTEND=noninteractive
  say "found no JDK $required_java or no Maven: asking apt-get for its package lists"
  logged apt.log apt-get update -q
  local packages=()
  if ! find_jdk; then
    # Newer systems have left 17 behind; their default is newer still.
    if apt-cache show "openjdk-$required_java-jdk-headless" >/dev/null 2>&1; then
      packages+=("openjdk-$required_java-jdk-headless")
    else
      packages+=(default-jdk-headless)
    fi
  fi
  # Java trusts the system's certificates through this package.
  packages+=(ca-certificates-java)
  command -v mvn >/dev/null || packages+=(maven)
  say "installing ${packages[*]} (some 300 MB on a bare system)"
  logged apt.log apt-get install -yq --no-install-recommends "${packages[@]}"
}

readonly python_example=$root/docs/examples/python

# Installs what the test of the Python example needs, if it can; never ends the script. That test is skipped if something is missing.
offer_python_packages() {
  bash "$python_example/make_stubs.sh" --check 2>/dev/null && return 0
  local packages skipped="the test of the Python example is skipped, and counted so"
  mapfile -t packages <"$python_example/apt-packages"
  if ! command -v apt-get >/dev/null; then
    say "$skipped: it needs the packages of Debian or Ubuntu named ${packages[*]}"
  elif [ "$(id -u)" != 0 ]; then
    say "$skipped; to run it: sudo apt-get update && sudo apt-get install ${packages[*]}"
  else
    say "installing ${packages[*]} for the test of the Python example (some 20 MB)"
    if ! (install_python_packages "${packages[@]}") || ! bash "$python_example/make_stubs.sh" --check; then
      say "$skipped: its packages could not be installed"
    fi
  fi
}

# Without a network it gives up after a while.
install_python_packages() {
  export DEBIAN_FRONTEND=noninteractive
  local apt=(timeout 300 apt-get -q -o Acquire::Retries=0 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20)
  logged apt-python.log "${apt[@]}" update
  logged apt-python.log "${apt[@]}" install -y --no-install-recommends "$@"
}

# logged FILE COMMAND...: runs the command with its output in target/FILE, and ends the script with 70 if it fails.
logged() {
  local log=$root/target/$1
  shift
  mkdir -p "$root/target"
  "$@" >"$log" 2>&1 </dev/null && return 0
  tail -n 20 "$log" >&2
  say "failed: $*; the whole log is in ${log#"$root"/}"
  exit 70
}

version() { sed -n 's:.*<version>\(.*\)</version>.*:\1:p;T;q' "$root/pom.xml"; }

distribution() { printf '%s/deploy/target/tidemark-%s' "$root" "$(version)"; }

readonly stamp=$root/deploy/target/built.stamp

# Whether the distribution stands and nothing that goes into it is newer.
is_current() {
  [ -e "$stamp" ] && [ -x "$(distribution)/bin/tidemark" ] &&
    [ -z "$(find "$root"/pom.xml "$root"/*/pom.xml "$root"/*/src/main \( -path "$root/system-tests" -o -path "$root/benchmarks" \) -prune -o -newer "$stamp" -print -quit)" ]
}

# Builds run one at a time, for they share the target folders: the lock is held until unlock_builds or the script's end.
lock_builds() {
  exec 9<"$root/pom.xml"
  if ! flock -n 9; then
    say "waiting for another build in this directory to end"
    flock 9
  fi
}

unlock_builds() { exec 9<&-; }

# mark_built TIME: TIME is when the build began, so that what was edited meanwhile is built next time.
mark_built() { touch -d "@$1" "$stamp"; }

now() { date +%s.%N; }

# build_distribution [MODULES]: builds the distribution, or the modules named (deploy among them), without tests and checks. The old one is removed first: a process that still runs from it keeps
# the files that it has open, where overwriting them would break it.
build_distribution() {
  local began started=$SECONDS log=$root/target/build.log
  began=$(now)
  announce_downloads
  say "building the distribution (log: target/build.log)"
  mkdir -p "$root/target"
  rm -rf "$(distribution)" "$stamp"
  if ! quick_build "${1:-deploy}" 2>&1 | tee "$log" | sed -un 's/^\[INFO\] Building \(.*[^ ]\) *\(\[[0-9/]*\]\)$/tidemark:   \1 \2/p' >&2; then
    grep -m 20 '^\[ERROR\]' "$log" >&2 || tail -n 20 "$log" >&2
    say "the build failed; the whole log is in target/build.log"
    exit 70
  fi
  archive_classes
  mark_built "$began"
  say "built in $((SECONDS - started)) s"
}

# Lets the command line start in half the time; it works without.
archive_classes() {
  say "  preparing the command line for a quick start"
  find_jdk || true
  bash "$(distribution)/libexec/archive-classes.sh" 9<&- || say "  that failed; it starts more slowly"
}

# Maven and what it starts do not inherit the lock, lest a process that outlives the build keep it.
quick_build() {
  cd "$root" && mvn -B -ntp -pl "$1" -am package -Dmaven.test.skip=true -Denforcer.skip=true -Dtidemark.skip.tarball=true \
    </dev/null 9<&-
}

announce_downloads() {
  [ -d "${HOME:-}/.m2/repository" ] || say "the first build downloads its libraries, which takes some minutes"
}
