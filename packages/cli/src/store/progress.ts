// Tested by stores-transfer.test.ts.
import cliProgress, { type SingleBar } from 'cli-progress'
import type { Shell } from '../shell.js'

/** Between two lines of progress, in milliseconds. */
const lineMs = 5000

/** How far a long command is, on stderr: a line that changes on a terminal, elsewhere one every five seconds. */
export class Progress {
  private readonly shell: Shell
  private readonly what: string
  private readonly isQuiet: boolean
  private readonly bar: SingleBar | undefined
  private told = performance.now()

  /** @param isQuiet whether nothing is shown */
  constructor(shell: Shell, what: string, isQuiet = false) {
    const { stderr, host } = shell
    this.shell = shell
    this.what = what
    this.isQuiet = isQuiet
    if (isQuiet || !stderr.isTTY) return
    this.bar = new cliProgress.SingleBar({ format: `{value} ${what}`, stream: stderr, clearOnComplete: true, hideCursor: false })
    this.bar.start(0, 0)
    host?.once('exit', this.end) // a second Ctrl-C ends the process where it is
  }

  at(rows: number): void {
    this.bar?.update(rows)
    if (this.isQuiet || this.bar !== undefined || performance.now() - this.told < lineMs) return
    this.told = performance.now()
    this.shell.tell(`${rows} ${this.what}`)
  }

  /** Clears the line, and lets the terminal wrap lines again. */
  readonly end = (): void => {
    this.shell.host?.off('exit', this.end)
    this.bar?.stop()
  }
}
