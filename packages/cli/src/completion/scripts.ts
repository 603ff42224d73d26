// Tested by completion.test.ts.
import type { CompletedCommand, CompletedOption } from './tree.js'

/** The shells for which there is a script. */
export const shells: readonly string[] = Object.freeze(['bash', 'zsh', 'fish'])

/** Names of tables are those of the lock file in the working folder: to load the models would take too long for a key press. */
const tables = String.raw`sed -n 's/^    "\([^"]*\)": {$/\1/p' rowkey.lock.json 2>/dev/null`

/**
 * The script that completes commands, options and tables.
 *
 * @param shell one of {@link shells}
 */
export function completionScript(shell: string, commands: readonly CompletedCommand[]): string {
  if (shell === 'bash') return bash(commands)
  return shell === 'zsh' ? zsh(commands) : fish(commands)
}

/** Options whose values are a list, with their command. */
const lists = (commands: readonly CompletedCommand[]): readonly (readonly [string, CompletedOption])[] =>
  commands.flatMap(({ name, options }) => options.flatMap((option) => (option.choices.length === 0 ? [] : [[name, option] as const])))

const names = (list: readonly { readonly name: string }[]): string => list.map(({ name }) => name).join(' ')

function bash(commands: readonly CompletedCommand[]): string {
  const words = (list: string): string => `COMPREPLY=($(compgen -W "${list}" -- "$current"))`
  return `# rowkey completion bash > /etc/bash_completion.d/rowkey, or: source <(rowkey completion bash)
_rowkey() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" options=''
  if [ "$COMP_CWORD" -eq 1 ]; then
    ${words(names(commands))}
    return
  fi
  case "\${COMP_WORDS[1]} $previous" in
${lists(commands)
  .map(([command, { name, choices }]) => `    '${command} ${name}') ${words(choices.join(' '))}; return ;;`)
  .join('\n')}
${commands
  .filter(({ choices }) => choices.length > 0)
  .map(({ name, choices }) => `    '${name} ${name}') ${words(choices.join(' '))}; return ;;`)
  .join('\n')}
  esac
  case "\${COMP_WORDS[1]}" in
${commands.map(({ name, options }) => `    ${name}) options='${names(options)}' ;;`).join('\n')}
  esac
  case "$current" in
    -*) ${words('$options')} ;;
    *) COMPREPLY=($(compgen -W "$(${tables})" -- "$current") $(compgen -f -- "$current")) ;;
  esac
}
complete -F _rowkey rowkey
`
}

function zsh(commands: readonly CompletedCommand[]): string {
  const described = (list: readonly { readonly name: string; readonly about: string }[]): string =>
    list.map(({ name, about }) => `'${name}:${about}'`).join(' ')
  return `#compdef rowkey
# rowkey completion zsh > a file called _rowkey in a folder of $fpath
_rowkey() {
  local -a commands options
  commands=(${described(commands)})
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  case "\${words[2]} \${words[CURRENT-1]}" in
${lists(commands)
  .map(([command, { name, choices }]) => `    '${command} ${name}') compadd ${choices.join(' ')}; return ;;`)
  .join('\n')}
${commands
  .filter(({ choices }) => choices.length > 0)
  .map(({ name, choices }) => `    '${name} ${name}') compadd ${choices.join(' ')}; return ;;`)
  .join('\n')}
  esac
  case "\${words[2]}" in
${commands.map(({ name, options }) => `    ${name}) options=(${described(options)}) ;;`).join('\n')}
  esac
  if [[ "$PREFIX" == -* ]]; then
    _describe 'option' options
  else
    compadd -- \${(f)"$(${tables})"}
    _files
  fi
}
compdef _rowkey rowkey
`
}

function fish(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, about, options, choices }) => [
    `complete -c rowkey -n __fish_use_subcommand -f -a ${name} -d '${about}'`,
    ...(choices.length === 0 ? [] : [`complete -c rowkey -n '__fish_seen_subcommand_from ${name}' -f -a '${choices.join(' ')}'`]),
    ...options.map((option) => {
      const values = option.choices.length === 0 ? '' : ` -x -a '${option.choices.join(' ')}'`
      return `complete -c rowkey -n '__fish_seen_subcommand_from ${name}' -l ${option.name.replace(/^--/, '')}${values} -d '${option.about}'`
    }),
  ])
  return `# rowkey completion fish > ~/.config/fish/completions/rowkey.fish
${lines.join('\n')}
complete -c rowkey -n 'not __fish_use_subcommand' -a "(${tables.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replace('$/', '\\$/')})"
`
}
