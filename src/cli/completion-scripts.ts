/**
 * Scripts that complete `outreach` in a shell. Each calls `outreach complete`, which prints one candidate a line, and lets the shell
 * complete file names if there are none.
 */
export const COMPLETION_SCRIPTS = {
  // COMP_WORDS holds words as they are typed, with quotes and backslashes.
  bash: `_outreach() {
  local IFS=$'\\n' word candidate
  local -a words=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    word="\${word#[\\"\\']}"; word="\${word%[\\"\\']}"; words+=("\${word//\\\\/}")
  done
  COMPREPLY=()
  while read -r candidate; do
    COMPREPLY+=("$(printf '%q' "$candidate")")
  done < <(outreach complete -- "\${words[@]}" 2>/dev/null)
}
complete -o default -F _outreach outreach`,
  zsh: `#compdef outreach
_outreach() {
  local -a candidates
  candidates=("\${(@f)$(outreach complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  candidates=("\${(@)candidates:#}")
  if (( $#candidates )); then compadd -a candidates; else _files; fi
}
compdef _outreach outreach`,
  fish: `function __outreach_complete
  set -l words (commandline -opc)
  outreach complete -- $words[2..-1] (commandline -ct) 2>/dev/null
end
complete -c outreach -f -a '(__outreach_complete)'
complete -c outreach -F -n 'string match -q -- "*-file" (commandline -opc)[-1]'`,
} as const;
