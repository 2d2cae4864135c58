
# Names of topics where a command expects one: the script above knows only what stands in the command line itself.

# Prints the names of the topics of the cluster that TIDEMARK_BOOTSTRAP names. They are asked for at most every 30 seconds
# and for at most one second; without an answer there is nothing to complete.
_tidemark_topics() {
  local cache=${XDG_CACHE_HOME:-$HOME/.cache}/tidemark/topics-${TIDEMARK_BOOTSTRAP//[^A-Za-z0-9._-]/_} now asked
  printf -v now '%(%s)T' -1
  asked=$(stat -c %Y "$cache" 2>/dev/null || echo 0)
  if ((now - asked > 30)); then
    mkdir -p "${cache%/*}" 2>/dev/null || return 0
    timeout 1 "${COMP_WORDS[0]}" topic list -o name >"$cache.$$" 2>/dev/null || : >"$cache.$$"
    mv -f "$cache.$$" "$cache"
  fi
  cat "$cache"
}

# Names are what a broker says, and may be anything: they are compared and never expanded, as compgen -W would do, and only
# those that a topic may have are offered.
_tidemark_complete_topics() {
  local name
  while IFS= read -r name; do
    if [[ $name == "$1"* && $name =~ ^[A-Za-z0-9._-]+$ ]]; then
      COMPREPLY+=("$name")
    fi
  done < <(_tidemark_topics)
}

_tidemark_with_topics() {
  _complete_tidemark "$@"
  case "${COMP_WORDS[*]:1:COMP_CWORD-1}" in
    "topic describe" | "topic delete" | produce | consume | "perf produce" | "perf consume")
      if [[ ${#COMPREPLY[@]} -eq 0 && ${COMP_WORDS[COMP_CWORD]} != -* ]]; then
        _tidemark_complete_topics "${COMP_WORDS[COMP_CWORD]}"
      fi
      ;;
  esac
}

complete -F _tidemark_with_topics -o default tidemark
