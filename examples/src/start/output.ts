import type { Writable } from 'node:stream'

/** What was to be printed did not arrive. */
export class OutputError extends Error {}

/** Writes lines and, unlike console.log, does not overlook that they cannot be written. */
export class Output {
  private readonly stream: Writable
  private error: NodeJS.ErrnoException | undefined
  private last = Promise.resolve()

  constructor(stream: Writable) {
    this.stream = stream
    stream.on('error', () => undefined) // the write tells of it
  }

  print(text: string): void {
    this.last = new Promise((resolve) => {
      this.stream.write(`${text}\n`, (error) => {
        this.error ??= error ?? undefined
        resolve()
      })
    })
  }

  /** Waits until all is written. A reader of a pipe who has seen enough is no failure. @throws OutputError */
  async finish(): Promise<void> {
    await this.last
    if (this.error !== undefined && this.error.code !== 'EPIPE')
      throw new OutputError(`The output cannot be written: ${this.error.message}.`)
  }
}
