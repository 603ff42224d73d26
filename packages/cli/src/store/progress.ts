// Tested by stores-transfer.test.ts.
import cliProgress, { type SingleBar } from 'cli-progress'
import { tell } from '../output.js'

/** Between two lines of progress, in milliseconds. */
const lineMs = 5000

/** How far a long command is, on stderr: a line that changes on a terminal, elsewhere one every five seconds. */
export class Progress {
  private readonly what: string
  private readonly bar: SingleBar | undefined
  private told = performance.now()

  constructor(what: string) {
    this.what = what
    if (!process.stderr.isTTY) return
    this.bar = new cliProgress.SingleBar({ format: `{value} ${what}`, stream: process.stderr, clearOnComplete: true, hideCursor: false })
    this.bar.start(0, 0)
  }

  at(rows: number): void {
    this.bar?.update(rows)
    if (this.bar !== undefined || performance.now() - this.told < lineMs) return
    this.told = performance.now()
    tell(`${rows} ${this.what}`)
  }

  /** Clears the line. */
  end(): void {
    this.bar?.stop()
  }
}
