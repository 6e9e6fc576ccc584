import { isNameIn, namesIn } from '../../base/members.ts';

/** The command that completion scripts call, with the words of the line up to the cursor. */
export const COMPLETE_COMMAND = '__complete';

/** The completion script of each shell. It passes the output of the program to the shell, but never evaluates it. */
const SCRIPTS = {
  // Readline begins a word after "=" and ":", so the part before them is removed. Works in Bash 3.2, which macOS has.
  bash: `_merchant_sandbox() {
  local line=\${COMP_LINE:0:COMP_POINT} breaks=\${COMP_WORDBREAKS//[^:=]/} kept='' current word
  local -a words
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  current=\${words[\${#words[@]}-1]}
  [[ -n $breaks ]] && kept=\${current%"\${current##*["$breaks"]}"}
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    if [[ $word == :files ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "\${current#"$kept"}")
      return
    fi
    [[ $word == *= ]] && compopt -o nospace 2>/dev/null
    COMPREPLY+=("\${word#"$kept"}")
  done < <("\${words[0]/#\\~/$HOME}" __complete "\${words[@]:1}" 2>/dev/null)
}
complete -F _merchant_sandbox merchant-sandbox
`,
  zsh: `#compdef merchant-sandbox
_merchant_sandbox() {
  local line word help
  local -a whole begun
  for line in "\${(@f)$("\${(Q)words[1]}" __complete "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -z $line ]] && continue
    if [[ $line == :files ]]; then
      [[ $PREFIX == --*=* ]] && compset -P '*='
      _files
      return
    fi
    word=\${line%%$'\\t'*} help=\${line#*$'\\t'}
    if [[ $word == *= ]]; then
      begun+=("\${word//:/\\\\:}\${help:+:$help}")
    else
      whole+=("\${word//:/\\\\:}\${help:+:$help}")
    fi
  done
  local found=1
  (( $#whole )) && _describe 'merchant-sandbox' whole && found=0
  (( $#begun )) && _describe 'merchant-sandbox' begun -S '' && found=0
  return found
}
if [[ $funcstack[1] == _merchant_sandbox ]]; then
  _merchant_sandbox "$@"
else
  compdef _merchant_sandbox merchant-sandbox
fi
`,
  fish: `function __merchant_sandbox_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l found ($words[1] __complete $words[2..-1] "$current" 2>/dev/null)
    if test "$found[1]" = :files
        set -l flag (string match -r -- '^--[a-z-]+=' "$current")
        for path in (__fish_complete_path (string replace -r -- '^--[a-z-]+=' '' "$current"))
            printf '%s%s\\n' "$flag" $path
        end
    else if set -q found[1]
        printf '%s\\n' $found
    end
end
complete -c merchant-sandbox -f -a '(__merchant_sandbox_complete)'
`,
} as const;

export type Shell = keyof typeof SCRIPTS;
export const SHELLS = namesIn<Shell>(SCRIPTS);

export function completionScript(shell: string): string | undefined {
  return isNameIn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
}
