import { spawnSync } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { node, plainEnv, program } from './command.js'

const python = `
import fcntl, os, pty, struct, sys, termios
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack('HHHH', 24, int(sys.argv[1]), 0, 0))
    os.execvp(sys.argv[2], sys.argv[2:])
while True:
    try:
        part = os.read(terminal, 65536)
    except OSError:
        break
    if not part:
        break
    os.write(1, part)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`

/** Whether there is a Python with pseudo-terminals. */
export const hasTerminal: boolean = spawnSync('python3', ['-c', 'import pty, os; os.waitstatus_to_exitcode']).status === 0

/** Runs the command in a pseudo-terminal, which shows stdout and stderr together. */
export function inTerminal(
  folder: string,
  args: readonly string[],
  { columns = 80, env = {} }: { readonly columns?: number; readonly env?: Readonly<Record<string, string>> } = {},
): { readonly code: number | null; readonly screen: string } {
  const { status, stdout } = spawnSync('python3', ['-c', python, String(columns), node, program, ...args], {
    cwd: folder,
    env: plainEnv({ TERM: 'xterm-256color', ...env }),
    encoding: 'utf8',
    timeout: 60_000,
  })
  return { code: status, screen: stdout.replaceAll('\r\n', '\n') }
}

/** Without colours. */
export const plainText = (screen: string): string => stripVTControlCharacters(screen)
