import { spawnSync } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { node, plainEnv, program } from './command.js'

const python = `
import fcntl, os, pty, re, struct, sys, termios
columns, awaited, typed = int(sys.argv[1]), re.compile(sys.argv[2].encode()), sys.argv[3].encode()
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))
    os.execvp(sys.argv[4], sys.argv[4:])
shown = b''
while True:
    try:
        part = os.read(terminal, 65536)
    except OSError:
        break
    if not part:
        break
    os.write(1, part)
    shown += part
    if typed and awaited.search(shown):
        os.write(terminal, typed)
        typed = b''
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`

/** Whether there is a Python with pseudo-terminals. */
export const hasTerminal: boolean = spawnSync('python3', ['-c', 'import pty, os; os.waitstatus_to_exitcode']).status === 0

interface TerminalOptions {
  readonly columns?: number
  readonly env?: Readonly<Record<string, string>>
  /** What is typed when this is on the screen, a regular expression. Ctrl-C is `\x03`: the terminal turns it into a signal. */
  readonly typed?: { readonly after: string; readonly keys: string }
}

/** Runs the command in a pseudo-terminal, which shows stdout and stderr together. */
export function inTerminal(
  folder: string,
  args: readonly string[],
  { columns = 80, env = {}, typed = { after: '', keys: '' } }: TerminalOptions = {},
): { readonly code: number | null; readonly screen: string } {
  const before = ['-c', python, String(columns), typed.after, typed.keys]
  const { status, stdout } = spawnSync('python3', [...before, node, program, ...args], {
    cwd: folder,
    env: plainEnv({ TERM: 'xterm-256color', ...env }),
    encoding: 'utf8',
    timeout: 60_000,
  })
  return { code: status, screen: stdout.replaceAll('\r\n', '\n') }
}

/** Without colours. */
export const plainText = (screen: string): string => stripVTControlCharacters(screen)

/**
 * What is on the screen at the end, of lines that were written over each other. It knows the sequences that lines of progress consist of.
 *
 * @throws Error for any other sequence
 */
export function lastScreen(screen: string): string {
  const lines = ['']
  let [row, column, saved] = [0, 0, [0, 0] as readonly [number, number]]
  // eslint-disable-next-line no-control-regex
  for (const [token, code = ''] of screen.matchAll(/\x1b\[([?\d;]*[A-Za-z])|\x1b[78]|\n|\r|[^\x1b\r\n]+/g)) {
    if (token === '\n') {
      ;[row, column] = [row + 1, 0]
      lines[row] ??= ''
    } else if (token === '\r') column = 0
    else if (token === '\x1b7') saved = [row, column]
    else if (token === '\x1b8') [row, column] = saved
    else if (!token.startsWith('\x1b')) {
      const line = lines[row] as string
      lines[row] = line.slice(0, column).padEnd(column) + token + line.slice(column + token.length)
      column += token.length
    } else if (code === '0G' || code === '1G') column = 0
    else if (code === '0K' || code === 'K') lines[row] = (lines[row] as string).slice(0, column)
    else if (code === '2K') lines[row] = ''
    else if (!/^\?(?:7|25)[hl]$/.test(code)) throw new Error(`the sequence ${JSON.stringify(token)} is none that lines of progress have`)
  }
  return lines.map((line) => line.trimEnd()).join('\n')
}
