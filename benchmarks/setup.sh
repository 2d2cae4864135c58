# shellcheck shell=bash
# Sourced by ./jmh and ./compare, with $root set to the repository: builds the distribution and the benchmarks where they are
# older than their sources.

# shellcheck source=config/setup.sh
. "$root/config/setup.sh"

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
