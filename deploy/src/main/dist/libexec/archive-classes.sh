#!/usr/bin/env bash
# archive-classes.sh [DIRECTORY]
# Makes the class-data archive that lets the command line start in half the time, for the Java that JAVA_HOME or PATH names;
# in lib/ unless a directory is named. An administrator who installs for others runs it once after unpacking and after each
# update of Java; otherwise the first command makes the archive in the background. Needs a Java runtime only.
set -euo pipefail
# shellcheck source=deploy/src/main/dist/libexec/launch.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/launch.sh"

find_java
place=${1:-$TIDEMARK_HOME/lib}
name=$(archive_name)
mkdir -p "$place"
# One at a time: who comes second leaves it to the first.
exec 9<"$place"
if command -v flock >/dev/null && ! flock -n 9; then exit 0; fi
if [ -r "$place/$name" ]; then exit 0; fi

fresh=$place/$name.$$
classes=$fresh.classes
trap 'rm -f "$fresh" "$classes"' EXIT

# A static archive in two steps, for a dynamic one takes no classes of the age of picocli's.
list_classes() (
  launch_cli_main io.tidemark.cli.start.ArchiveTraining -XX:TieredStopAtLevel=1 "-XX:DumpLoadedClassList=$classes" --
)

make_archive() (
  launch_cli_main io.tidemark.cli.Tidemark -Xshare:dump "-XX:SharedClassListFile=$classes" "-XX:SharedArchiveFile=$fresh" --
)

# A JVM trusts the archive's contents, and a short one would end it: so it is read in full once, and forced to the disk.
check_archive() (
  launch_cli_main io.tidemark.cli.Tidemark "-XX:SharedArchiveFile=$fresh" -Xshare:on -XX:+VerifySharedSpaces -- --version
)

if ! { list_classes && make_archive && check_archive && sync "$fresh"; } </dev/null >/dev/null 2>&1; then
  # Not tried again for these jars and this Java.
  : >"$place/$name.failed"
  echo "${0##*/}: $java made no class-data archive; the command line works without" >&2
  exit 1
fi
mv -f "$fresh" "$place/$name"
# Those of earlier jars and other versions of Java; a few stay, for who changes between them.
find "$place" -maxdepth 1 -name 'cli-*.jsa*' -printf '%T@ %p\n' | sort -rn | tail -n +4 | cut -d ' ' -f 2- |
  while IFS= read -r old; do rm -f "$old"; done
