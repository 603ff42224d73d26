// Tested by csv.test.ts, stores-transfer.test.ts and stores-interrupted.test.ts.
import { Option, type Command } from 'commander'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { isRowkeyError, type Repository, type TableSchema } from 'rowkey'
import { counted, durationText, withoutIndex } from 'rowkey/internal'
import { exitCodes, Failure, systemReason } from '../failure.js'
import type { Shell } from '../shell.js'
import { csvLines } from '../rows/csv-lines.js'
import { csvReader } from '../rows/csv-text.js'
import { linesOf, type Line } from '../rows/row-lines.js'
import { expiresName, faultOf, rowReader } from '../rows/row-text.js'
import { CheckpointFile } from '../store/checkpoint.js'
import { reasonOf, tableOf, type OpenStore } from '../store/open-store.js'
import { Progress } from '../store/progress.js'
import { rowsOf } from '../store/reading.js'
import { withStores, type Interruption } from '../store/with-store.js'
import { chosenModel, withExample, withStoreOptions, type StoreOptions } from './options.js'

type Options = StoreOptions & { readonly checkpoint?: string; readonly create?: true; readonly format?: 'ndjson' | 'csv' }

/** What is certainly in the store. */
interface Imported {
  readonly lines: number
  /** Of the last of these lines: another file is not continued. */
  readonly digest: string
}

/** How many rows are checked before the first of them is written. */
const windowRows = 1000

/** How long the store may acknowledge no row. */
const patience = '30s'

/** `rowkey import` */
export function importCommand(command: Command, shell: Shell): Command {
  command
    .description(
      'Puts rows: one JSON object a line, as export writes them, or CSV with the names of columns in its first line. A line that is no row stops it before anything of its window of 1,000 rows is written. ' +
        'With --checkpoint, the same command goes on where it was stopped. Rows get new versions.',
    )
    .argument('<model>', 'a table or a class')
    .argument('[file]', 'the file; - or nothing is stdin', '-')
    .addOption(
      new Option('--format <format>', 'what the input is; by default csv for a file .csv, and ndjson otherwise').choices(['ndjson', 'csv']),
    )
    .option('--create', 'create the table if it does not exist')
    .option('--checkpoint <file>', 'where to keep how many lines are certainly written')
    .action(async (name: string, file: string, options: Options) => {
      const { schema } = await chosenModel(name, options, shell)
      if (file === '-' && shell.stdin.isTTY)
        throw new Failure('give a file, or pipe rows in, one JSON object a line, or CSV with --format csv.')
      const use = async ([store]: readonly OpenStore[], interruption: Interruption): Promise<void> => {
        if (store !== undefined) await new Import(shell, store, schema, file, options, interruption).run()
      }
      await withStores(shell, [[options.url, { ...options, create: options.create === true }]], use, true)
    })
  return withExample(withStoreOptions(command), 'rowkey import logs logs.ndjson --create --url lmdb:data')
}

/** A row as `putMany()` takes it. */
type GivenRow = Readonly<Record<string, unknown>>

/** What is wrong with a line, until it is known how many lines before it are written. */
class WrongLine extends Error {
  readonly line: Line

  constructor(line: Line, cause: unknown) {
    super('', { cause })
    this.line = line
  }
}

class Import {
  private readonly shell: Shell
  private readonly store: OpenStore
  private readonly model: TableSchema
  private readonly file: string
  private readonly isCreated: boolean
  private readonly interruption: Interruption
  private readonly checkpoint: CheckpointFile<Imported> | undefined
  private readonly table: Repository<TableSchema>
  private readonly read: ReturnType<typeof rowReader>
  private readonly isCsv: boolean
  /** The checkpoint cannot be written, and a write does not wait for its progress. */
  private readonly unsaved = new AbortController()
  /** Lines with rows that are not certainly written. */
  private sent: Line[] = []
  private rows = 0
  /** Rows without an expiry of their own. */
  private withoutExpiry = 0
  private lines = 0

  constructor(shell: Shell, store: OpenStore, model: TableSchema, file: string, options: Options, interruption: Interruption) {
    const { checkpoint, prefix = '', create } = options
    this.shell = shell
    this.store = store
    this.model = model
    this.file = file
    this.isCreated = create === true
    this.isCsv = (options.format ?? (/\.csv$/i.test(file) ? 'csv' : 'ndjson')) === 'csv'
    this.read = this.isCsv ? csvReader(model) : rowReader(model)
    this.interruption = interruption
    this.table = rowsOf(store, model)
    const subject = { command: 'import', table: model.name, store: store.url, prefix, file: file === '-' ? '-' : shell.path(file) }
    this.checkpoint = checkpoint === undefined ? undefined : new CheckpointFile(shell, checkpoint, subject)
  }

  async run(): Promise<void> {
    const known = this.checkpoint?.read()
    this.lines = known?.lines ?? 0
    const input: Readable = this.file === '-' ? this.shell.stdin : createReadStream(this.shell.path(this.file))
    input.once('error', () => undefined) // told when its lines are read
    // A pipe may be silent for long, and Ctrl-C must not wait for it.
    const end = (): void => void input.destroy()
    this.interruption.signal.addEventListener('abort', end)
    try {
      if (this.isCreated) await this.store.db.ensureTables([this.model])
      else await tableOf(this.store, this.model)
      await this.write(input, known)
    } finally {
      this.interruption.signal.removeEventListener('abort', end)
      input.destroy()
    }
    this.checkpoint?.remove()
    this.shell.tell(`${counted(this.rows, 'row')} written to '${this.model.name}'${this.expiryGiven()}`)
  }

  /** What became of rows that say nothing of their expiry: a table whose rows expire has given them one. */
  private expiryGiven(): string {
    const { expiryIndex, ttl } = this.model
    if (expiryIndex < 0 || this.withoutExpiry === 0) return ''
    const which = this.withoutExpiry === this.rows ? 'they have' : `${this.withoutExpiry} of them have`
    const fate = ttl === undefined ? 'never expire' : `expire ${durationText(ttl)} after they were written, by the ttl of the table`
    return `; ${which} no ${expiresName} and ${fate}`
  }

  private async write(input: Readable, known: Imported | undefined): Promise<void> {
    const progress = new Progress(this.shell, 'lines imported')
    const onProgress = ({ certain }: { readonly certain: number }): void => {
      if (certain === this.rows) return
      this.written(certain - this.rows)
      progress.at(this.lines)
    }
    try {
      await this.table.putMany(this.rowsIn(input, known), {
        window: windowRows,
        patience,
        signal: this.unsaved.signal,
        onProgress,
      })
      if (this.interruption.signal.aborted) this.interrupted()
    } catch (error) {
      throw this.unsaved.signal.aborted ? error : this.told(error)
    } finally {
      progress.end()
    }
  }

  /** The rows of the lines after the known ones. */
  private async *rowsIn(input: Readable, known: Imported | undefined): AsyncGenerator<GivenRow, undefined> {
    const { signal } = this.interruption
    let number = 0
    for await (const line of this.readable(input)) {
      number = line.number
      if (known === undefined || number > known.lines) {
        if (line.text.trim() !== '') yield this.row(line)
      } else if (number === known.lines && digestOf(line) !== known.digest) throw this.another()
      if (signal.aborted) return
    }
    if (known !== undefined && number < known.lines && !signal.aborted) throw this.another()
  }

  /** The lines until the signal, which destroys the stream. */
  private async *readable(input: Readable): AsyncGenerator<Line, undefined> {
    try {
      yield* this.isCsv ? csvLines(input, this.model) : linesOf(input)
    } catch (error) {
      if (error instanceof Failure) throw error
      if (!this.interruption.signal.aborted)
        throw new Failure(`${this.file} cannot be read: ${systemReason(error)}.`, undefined, { cause: error })
    }
  }

  /** So many more of the rows are certainly written. */
  private written(count: number): void {
    const line = this.sent[count - 1] as Line
    this.sent = this.sent.slice(count)
    this.lines = line.number
    this.rows += count
    try {
      this.checkpoint?.write({ lines: this.lines, digest: digestOf(line) })
    } catch (error) {
      this.unsaved.abort(error)
    }
  }

  private row(line: Line): GivenRow {
    try {
      const { values, expiresAt } = this.read(line.text)
      this.sent.push(line)
      if (expiresAt !== undefined) return { ...values, [expiresName]: expiresAt }
      this.withoutExpiry++
      return values
    } catch (error) {
      throw new WrongLine(line, error)
    }
  }

  /** The error of a write, as it is told of lines. */
  private told(error: unknown): unknown {
    if (isRowkeyError(error, 'WRITE_INCOMPLETE') || isRowkeyError(error, 'DEADLINE')) return this.incomplete(error)
    if (error instanceof WrongLine) return this.wrong(error.line, error.cause)
    const index = isRowkeyError(error) && 'index' in error.details ? error.details.index : undefined
    const line = typeof index === 'number' ? this.sent[index - this.rows] : undefined
    return line === undefined ? error : this.wrong(line, error)
  }

  private wrong({ number }: Line, error: unknown): unknown {
    const fault = faultOf(error)
    if (fault === undefined) return error
    const before = this.lines === 0 ? 'Nothing has been written.' : `Lines up to ${this.lines} have been written.`
    // The index counts within a window that users never see.
    const plain = isRowkeyError(error) ? `${error.code}: ${withoutIndex(error)}` : fault
    return new Failure(`line ${number} is no row: ${plain} ${before}`, undefined, { cause: error })
  }

  /** The store has not taken all of a window. The rows are puts, so writing them again changes nothing. */
  private incomplete(error: Error): Failure {
    const isLate = isRowkeyError(error, 'DEADLINE') || error.cause === undefined
    const reason = isLate ? `there was no answer within ${patience}.` : reasonOf(error.cause, this.shell.env)
    const message = `${this.store.url} has not acknowledged all of the lines after ${this.lines}: ${reason} ${this.again()}`
    return new Failure(message, exitCodes.store, { cause: error })
  }

  /** How an import that was stopped goes on. */
  private again(): string {
    return this.checkpoint?.again ?? 'Run the same command again: rows that are written twice are the same.'
  }

  private another(): Failure {
    const path = this.checkpoint?.name ?? ''
    return new Failure(
      `${this.file} is not the input that ${path} continues: its lines have changed. Delete the checkpoint to begin again.`,
    )
  }

  private interrupted(): never {
    return this.interruption.stop(`interrupted after ${this.lines} lines. ${this.again()}`)
  }
}

const digestOf = ({ number, text }: Line): string => createHash('sha256').update(`${number}:${text}`).digest('hex')
