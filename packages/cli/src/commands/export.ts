// Tested by stores-transfer.test.ts and stores-interrupted.test.ts.
import type { Command } from 'commander'
import { Failure } from '../failure.js'
import type { Shell } from '../shell.js'
import { rowTexts } from '../rows/row-text.js'
import { CheckpointFile } from '../store/checkpoint.js'
import type { OpenStore } from '../store/open-store.js'
import { isComplete, OutputFile } from '../store/output-file.js'
import { Progress } from '../store/progress.js'
import { queryOptionsOf, withQueryOptions, type QueryFlags } from './query-options.js'
import { pagesOf, rowsOf, wholeRows, type Page } from '../store/reading.js'
import { withStores, type Interruption } from '../store/with-store.js'
import { whereOf, type Where } from '../where/where-of.js'
import { chosenModel, withExample, withStoreOptions, type StoreOptions } from './options.js'
import type { TableSchema } from 'rowkey'

type Options = StoreOptions & QueryFlags & { readonly output?: string; readonly checkpoint?: string }

/** What is certainly in the file. */
interface Exported {
  readonly rows: number
  readonly bytes: number
  /** Where to go on; null: all rows are in the file. */
  readonly next: string | null
}

/** A checkpoint is written so often, in milliseconds, because the file is brought to the disk before. */
const checkpointMs = 100

/** `rowkey export` */
export function exportCommand(command: Command, shell: Shell): Command {
  command
    .description(
      'Writes rows as lines of JSON, one object each, of the whole table or of those that meet conditions. A file appears when it is complete. With --checkpoint, ' +
        'the same command goes on where it was stopped.',
    )
    .argument('<model>', 'a table or a class')
    .argument('[conditions]', "as explain takes them, such as 'host = web-1'")
    .option('--output <file>', 'write a file instead of stdout')
    .option('--checkpoint <file>', 'where to keep how far it is; needs --output')
    .action(async (name: string, conditions: string | undefined, options: Options) => {
      const { schema } = await chosenModel(name, options, shell)
      const where = whereOf(schema, conditions ?? '')
      if (options.checkpoint !== undefined && options.output === undefined) throw new Failure('--checkpoint needs --output FILE.')
      if (options.checkpoint !== undefined && shell.path(options.checkpoint) === shell.path(options.output ?? '')) {
        throw new Failure('--checkpoint and --output are the same file. Give two.')
      }
      const use = async ([store]: readonly OpenStore[], interruption: Interruption): Promise<void> => {
        if (store === undefined) return
        const job = { shell, store, model: schema, conditions: conditions ?? '', where, options, interruption }
        await (options.output === undefined ? toStdout(job) : new FileExport(job, options.output).run())
      }
      await withStores(shell, [[options.url, options]], use, true)
    })
  return withExample(withQueryOptions(withStoreOptions(command)), 'rowkey export logs --url lmdb:data --output logs.ndjson')
}

interface Job {
  readonly shell: Shell
  readonly store: OpenStore
  readonly model: TableSchema
  readonly conditions: string
  readonly where: Where
  readonly options: Options
  readonly interruption: Interruption
}

const pages = ({ store, model, where, options }: Job, from?: string): AsyncGenerator<Page> =>
  pagesOf(rowsOf(store, model), where, queryOptionsOf(model, options), wholeRows(model), from)

async function toStdout(job: Job): Promise<void> {
  const { shell, model } = job
  const { signal, stop } = job.interruption
  const { json } = rowTexts(model)
  // Where rows are shown, a line that changes would be between them.
  const progress = new Progress(shell, 'rows exported', shell.stdout.isTTY && shell.stderr.isTTY)
  let count = 0
  try {
    for await (const { rows } of pages(job)) {
      await shell.print(rows.map((row) => `${json(row)}\n`).join(''))
      progress.at((count += rows.length))
      if (signal.aborted) stop(`interrupted after ${count} rows. They are whole lines.`)
    }
  } finally {
    progress.end()
  }
}

class FileExport {
  private readonly job: Job
  private readonly output: string
  private readonly checkpoint: CheckpointFile<Exported> | undefined
  private rows = 0

  constructor(job: Job, output: string) {
    const { shell, store, model, conditions, options } = job
    const { checkpoint, prefix = '' } = options
    this.job = job
    this.output = output
    const subject = { command: 'export', table: model.name, store: store.url, prefix, conditions, file: shell.path(output) }
    this.checkpoint = checkpoint === undefined ? undefined : new CheckpointFile(shell, checkpoint, subject)
  }

  async run(): Promise<void> {
    const { output } = this
    const { shell } = this.job
    const path = shell.path(output)
    const known = this.checkpoint?.read()
    this.rows = known?.rows ?? 0
    if (known?.next === null && isComplete(path, known.bytes)) {
      this.completed()
      return
    }
    const file = new OutputFile(path, output, known?.bytes)
    const discard = (): void => file.discard()
    if (this.checkpoint === undefined) shell.host?.once('exit', discard) // a second Ctrl-C ends the process where it is
    try {
      if (known?.next !== null) await this.fill(file, known?.next)
      file.complete()
    } catch (error) {
      // A file with a checkpoint can be continued.
      if (this.checkpoint === undefined) file.discard()
      else file.close()
      throw error
    } finally {
      shell.host?.off('exit', discard)
    }
    this.completed()
  }

  private async fill(file: OutputFile, from: string | undefined): Promise<void> {
    const { json } = rowTexts(this.job.model)
    const progress = new Progress(this.job.shell, 'rows exported')
    const { signal } = this.job.interruption
    let saved = -Infinity // the first page is already worth a checkpoint
    try {
      for await (const { rows, next } of pages(this.job, from)) {
        file.write(rows.map((row) => `${json(row)}\n`).join(''))
        this.rows += rows.length
        progress.at(this.rows)
        if (this.checkpoint !== undefined && (signal.aborted || performance.now() - saved >= checkpointMs)) {
          this.save(file, await next())
          saved = performance.now()
        }
        if (signal.aborted) this.interrupted()
      }
      this.save(file, null)
    } finally {
      progress.end()
    }
  }

  /** The file first: the checkpoint speaks of what is in it. */
  private save(file: OutputFile, next: string | null): void {
    if (this.checkpoint === undefined) return
    file.flush()
    this.checkpoint.write({ rows: this.rows, bytes: file.bytes, next })
  }

  private interrupted(): never {
    const { stop } = this.job.interruption
    if (this.checkpoint === undefined) return stop('interrupted. Nothing has been written.')
    return stop(`interrupted after ${this.rows} rows. ${this.checkpoint.again}`)
  }

  private completed(): void {
    this.checkpoint?.remove()
    this.job.shell.tell(`${this.output}: ${this.rows} row${this.rows === 1 ? '' : 's'}`)
  }
}
