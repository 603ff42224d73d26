// Tested by check.test.ts.
import cliProgress, { type SingleBar } from 'cli-progress'
import type { Shell } from '../shell.js'
import { cut } from '../text/wrap.js'

/** Between two lines of progress, in milliseconds. */
const lineMs = 5000

/** Which rule is tested, on stderr: a line that changes on a terminal, elsewhere one every five seconds. */
export class CheckProgress {
  private readonly shell: Shell
  private readonly bar: SingleBar | undefined
  private told = performance.now()

  constructor(shell: Shell, all: number) {
    const { stderr, host } = shell
    this.shell = shell
    if (!stderr.isTTY) return
    this.bar = new cliProgress.SingleBar({ format: '{value} of {total}  {rule}', stream: stderr, clearOnComplete: true, hideCursor: false })
    this.bar.start(all, 0, { rule: '' })
    host?.once('exit', this.end) // a second Ctrl-C ends the process where it is
  }

  readonly at = (rule: string, ended: number, all: number): void => {
    const counted = `${ended} of ${all}`
    this.bar?.update(ended, { rule: cut(rule, this.shell.width - counted.length - 3) })
    if (this.bar !== undefined || performance.now() - this.told < lineMs) return
    this.told = performance.now()
    this.shell.tell(`${counted} rules`)
  }

  /** Clears the line. */
  readonly end = (): void => {
    this.shell.host?.off('exit', this.end)
    this.bar?.stop()
  }
}
