// Tested by pasted.test.ts.
import { counted } from 'rowkey/internal'
import { verdicts, type Target, type Verdict } from './decode-key.js'
import type { Pasted } from './paste-reader.js'

/** What the tables say to one key. */
export interface Answer extends Pasted {
  readonly found: readonly Verdict[]
  /** Whether it is a key of some table. */
  readonly isKey: boolean
}

/** What the tables say to keys. */
export const answersOf = (target: Target, all: readonly Pasted[]): readonly Answer[] =>
  all.map((pasted) => {
    const found = verdicts(target, pasted.reading)
    return { ...pasted, found, isKey: found.some(({ row }) => row !== undefined) }
  })

/** Which answers are told of lines in which keys are looked for, and how many lines have none. */
export class FindSum {
  keys = 0
  private withKey = 0
  private lines = 0
  private readonly isFind: boolean

  constructor(isFind: boolean) {
    this.isFind = isFind
  }

  /**
   * The answers that are told of what was read up to a line. Of a line with a key, only its keys are: ids of other things look like keys. What looks much like
   * a key in a line without one is told, because it may be cut off.
   */
  chosen(lines: number, answers: readonly Answer[]): readonly Answer[] {
    this.lines = lines
    if (!this.isFind) return answers
    const keys = answers.filter(({ isKey, isWeak }) => isKey && isWeak !== true)
    const told = keys.length > 0 ? keys : answers.filter(({ isKey }) => isKey)
    this.keys += told.length
    if (told.length > 0) this.withKey++
    return told.length > 0 ? told : answers.filter(({ isWeak }) => isWeak !== true)
  }

  /** What is said at the end; undefined if every line has a key. */
  told(): string | undefined {
    if (!this.isFind || this.withKey === this.lines) return undefined
    return `${counted(this.keys, 'key')} in ${this.withKey} of ${counted(this.lines, 'line')}`
  }
}
