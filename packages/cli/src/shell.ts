// Tested by decode-stream.test.ts, run.test.ts and terminal.test.ts.
import { Ansis } from 'ansis'
import { once } from 'node:events'
import { platform } from 'node:os'
import { resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'

type Input = Readable & { readonly isTTY?: boolean }
type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly fd?: number }

/** The process of a run, which signals reach and which can end before the run does. `process` is one. */
export type Host = Pick<NodeJS.Process, 'on' | 'once' | 'off' | 'exit' | 'kill' | 'pid'>

/** Where a command runs. */
export interface Surroundings {
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  /** Clients of stores may also read that of the process. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The working folder, from which paths begin. */
  readonly folder: string
  /** Without it, no signal ends the command. */
  readonly host?: Host | undefined
}

/** Runs the command with its arguments. Resolves to its exit code. */
export type Run = (args: readonly string[], surroundings: Surroundings) => Promise<number>

/** What commands use of their surroundings, instead of those of the process. */
export class Shell implements Surroundings {
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Surroundings['env']
  readonly host?: Host | undefined
  /** Of stdout: none with `NO_COLOR`, or if it is not a terminal and nothing forces them. */
  readonly colors: Ansis
  /** With which the command ends if nothing fails. */
  exitCode = 0

  private readonly surroundings: Surroundings

  constructor(surroundings: Surroundings) {
    const { stdout, stderr, env, host } = surroundings
    this.surroundings = surroundings
    this.stdout = stdout
    this.stderr = stderr
    this.env = env
    this.host = host
    this.colors = new Ansis({ process: { stdout, env, platform: platform() } })
  }

  /** Opened by the first command that reads it. */
  get stdin(): Input {
    return this.surroundings.stdin
  }

  get folder(): string {
    return this.surroundings.folder
  }

  /** The absolute path of a file that an argument names. */
  path(name: string): string {
    return resolve(this.folder, name)
  }

  /** Data for stdout. It resolves when more can be taken, so that a slow reader is not overrun. */
  async print(text: string | Uint8Array): Promise<void> {
    if (text.length > 0 && !this.stdout.write(text)) await once(this.stdout, 'drain')
  }

  /** One line or several, with the end of the last one. */
  printLines(lines: readonly string[]): Promise<void> {
    return this.print(lines.length === 0 ? '' : `${lines.join('\n')}\n`)
  }

  /** JSON in its versioned envelope, on one line for a pipe and indented for a person. */
  printJson(data: object): Promise<void> {
    return this.print(`${JSON.stringify({ rowkey: 1, ...data }, undefined, this.stdout.isTTY ? 2 : undefined)}\n`)
  }

  /** Everything that is not data. */
  tell(text: string): void {
    this.stderr.write(`${text}\n`)
  }

  /** The columns that lines may have: those of the terminal, within 40 and 120, and 80 in a pipe. */
  get width(): number {
    const { isTTY, columns = 0 } = this.stdout
    return isTTY && columns > 0 ? Math.min(Math.max(columns, 40), 120) : 80
  }
}
