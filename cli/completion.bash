# Completes rch in bash, and in zsh behind `autoload -U bashcompinit && bashcompinit`, from what --help says: commands,
# options, and the words that an option takes. Anything else is a file.
_rch() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} word help
  local -a path=()
  help=$(rch --help 2> /dev/null)
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    sed -n '/^Subcommands:/,/^$/p' <<< "$help" | grep -q "^  $word " || continue
    path+=("$word")
    help=$(rch "${path[@]}" --help 2> /dev/null)
  done
  local words
  if [[ $current == -* ]]; then
    words=$(sed -n '/^Subcommands:/q; /^Options:/,$p' <<< "$help" | grep -oE '^  -[^ ]+' | tr ',' '\n')
  elif [[ $previous == -* ]]; then
    # `--format text|json …`, or a list behind the colon that ends the help of the option
    word=$(tr '\n' '~' <<< "$help" | sed 's/~  *\([^ -]\)/ \1/g' | tr '~' '\n' | grep -E "^  ([^ ]*,)?$previous ")
    words=$(sed -nE 's/^ +[^ ]+ ([a-z]+(\|[a-z]+)+).*/\1/; t found; s/.*: ([a-z-]+(, [a-z-]+)+)$/\1/; T; :found; s/[|,]/ /g; p' <<< "$word")
  else
    words=$(sed -n '/^Subcommands:/,/^$/p' <<< "$help" | grep -oE '^  [a-z]+')
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _rch rch
