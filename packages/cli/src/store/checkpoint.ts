// Tested by stores-interrupted.test.ts.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { isPlainObject } from 'rowkey/internal'
import { Failure, systemReason } from '../failure.js'
import type { Shell } from '../shell.js'
import { writeWhole } from '../write-whole.js'

/** What a checkpoint is about: it is only good for the same command. */
export type Subject = Readonly<Record<string, string>>

/** How far an interrupted command was, in a file that is replaced as a whole. */
export class CheckpointFile<State extends object> {
  /** What the caller calls it. */
  readonly name: string
  private readonly path: string
  private readonly subject: Subject

  constructor(shell: Shell, name: string, subject: Subject) {
    this.name = name
    this.path = shell.path(name)
    this.subject = subject
  }

  /** undefined: it was not begun. @throws Failure for a checkpoint of something else */
  read(): State | undefined {
    if (!existsSync(this.path)) return undefined
    const found = this.parsed()
    for (const [name, value] of Object.entries(this.subject)) {
      if (found[name] === value) continue
      throw new Failure(`${this.name} is the checkpoint of another command: it differs in '${name}'. Give another file, or delete it.`)
    }
    return found['state'] as State
  }

  /** @throws Failure if it cannot be written; the one before stays */
  write(state: State): void {
    const then = 'What was done before it stays. Run the same command again when it can be written.'
    writeWhole(this.path, this.name, `${JSON.stringify({ rowkey: 1, ...this.subject, state })}\n`, then)
  }

  /** How a command that was stopped goes on, as a sentence. */
  get again(): string {
    return `Run the same command again: ${this.name} says where it goes on.`
  }

  remove(): void {
    rmSync(this.path, { force: true })
  }

  private parsed(): Readonly<Record<string, unknown>> {
    try {
      const found: unknown = JSON.parse(readFileSync(this.path, 'utf8'))
      if (
        typeof found === 'object' &&
        found !== null &&
        'rowkey' in found &&
        found.rowkey === 1 &&
        'state' in found &&
        isPlainObject(found.state)
      )
        return { ...found }
    } catch (error) {
      if (!(error instanceof SyntaxError))
        throw new Failure(`${this.name} cannot be read: ${systemReason(error)}.`, undefined, { cause: error })
    }
    throw new Failure(`${this.name} is no checkpoint of rowkey. Give another file, or delete it.`)
  }
}
