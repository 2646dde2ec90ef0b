# Completes rch in bash, and in zsh behind `autoload -U bashcompinit && bashcompinit`, from what --help says: commands,
# options, and the words that an option or the first argument takes. Anything else is a file.

# `a|b`, or the list behind the last colon, as `a, b or c` or `a (default) or b`.
_rch_words_of() {
  sed -nE 's/^ +[^ ]+ ([a-z_]+(\|[a-z_]+)+).*/\1/; t found
           s/ \(default\)//; s/, and -$//
           s/.*: ([a-z0-9+_-]+(, [a-z0-9+_-]+)*( or [a-z0-9+_-]+)?)$/\1/; t found; d
           :found; s/\||, | or / /g; p'
}

_rch() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} word help
  local -a path=()
  help=$(rch --help 2> /dev/null)
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    sed -n '/^Subcommands:/,/^$/p' <<< "$help" | grep -q "^  $word " || continue
    path+=("$word")
    help=$(rch "${path[@]}" --help 2> /dev/null)
  done
  # One line for each option, whatever the width.
  local whole words
  whole=$(tr '\n' '~' <<< "$help" | sed 's/~  *\([^ -]\)/ \1/g' | tr '~' '\n')
  if [[ $current == -* ]]; then
    words=$(sed -n '/^Subcommands:/q; /^Options:/,$p' <<< "$help" | grep -oE '^  -[^ ]+' | tr ',' '\n')
  elif [[ $previous == --explain ]]; then
    words=$(rch show diagnostics --format json 2> /dev/null | sed -nE 's/^ *"name": "([a-z0-9-]+)",?$/\1/p')
  elif [[ $previous == -* ]]; then
    words=$(grep -E "^  ([^ ]*,)?$previous " <<< "$whole" | _rch_words_of)
  else
    words=$(sed -n '/^Subcommands:/,/^$/p' <<< "$help" | grep -oE '^  [a-z]+')
    # The first argument of a command that has no commands of its own.
    [[ -n $words || $previous != "${path[-1]:-}" ]] ||
      words=$(sed -n '/^Positionals:/,/^$/p' <<< "$help" | sed -nE '2s/^ +[^ ]+ TEXT REQUIRED +/  _ x: /p' | _rch_words_of)
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _rch rch
