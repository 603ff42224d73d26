// Tested by stores-transfer.test.ts and stores-interrupted.test.ts.
import type { Command } from 'commander'
import { type CopyResult, copyTable, type Options, type TableSchema } from 'rowkey'
import { Failure } from '../failure.js'
import type { Shell } from '../shell.js'
import { CheckpointFile } from '../store/checkpoint.js'
import { tableOf, type OpenStore } from '../store/open-store.js'
import { Progress } from '../store/progress.js'
import { rowsOf } from '../store/reading.js'
import { withStores, type Interruption } from '../store/with-store.js'
import { chosenModel, positive, withExample, withStoreOptions, type StoreOptions } from './options.js'

type Options = StoreOptions & {
  readonly to: string
  readonly toPrefix?: string
  readonly checkpoint?: string
  readonly create?: true
  readonly overwrite?: true
  readonly verify: boolean
  readonly parallel?: number
}

/** `rowkey copy` */
export function copyCommand(command: Command, shell: Shell): Command {
  command
    .description(
      'Copies a table to another store and compares both. Rows keep their expiry and get new versions. With --checkpoint, the same command goes on where it was stopped.',
    )
    .argument('<model>', 'a table or a class')
    .requiredOption('--to <url>', 'the store that gets the rows')
    .option('--to-prefix <text>', 'what comes before the names of tables there')
    .option('--create', 'create the table there if it does not exist')
    .option('--overwrite', 'also write to a table that has rows')
    .option('--no-verify', 'do not read both tables again and compare them')
    .option('--parallel <parts>', 'how many parts are read at a time', positive)
    .option('--checkpoint <file>', 'where to keep how far it is')
    .action(async (name: string, options: Options) => {
      const { schema } = await chosenModel(name, options, shell)
      const { to, toPrefix, create = false } = options
      const opened = [[options.url, options] as const, [to, { prefix: toPrefix, create }] as const]
      const use = async ([source, target]: readonly OpenStore[], interruption: Interruption): Promise<void> => {
        if (source !== undefined && target !== undefined) await new Copy(shell, source, target, schema, options, interruption).run()
      }
      await withStores(shell, opened, use, true)
    })
  return withExample(withStoreOptions(command), 'rowkey copy logs --url lmdb:data --to lmdb:copy --create --overwrite')
}

/** Where a copy goes on; null: it has begun in an empty table, and no page is certainly there. */
interface Copied {
  readonly cursor: string | null
}

class Copy {
  private readonly shell: Shell
  private readonly source: OpenStore
  private readonly target: OpenStore
  private readonly model: TableSchema
  private readonly options: Options
  private readonly interruption: Interruption
  private readonly checkpoint: CheckpointFile<Copied> | undefined
  private rows = 0

  constructor(shell: Shell, source: OpenStore, target: OpenStore, model: TableSchema, options: Options, interruption: Interruption) {
    const { checkpoint, prefix = '', toPrefix = '' } = options
    this.shell = shell
    this.source = source
    this.target = target
    this.model = model
    this.options = options
    this.interruption = interruption
    const subject = { command: 'copy', table: model.name, store: source.url, prefix, to: target.url, toPrefix }
    this.checkpoint = checkpoint === undefined ? undefined : new CheckpointFile(shell, checkpoint, subject)
  }

  async run(): Promise<void> {
    const { shell, model, source, target, options } = this
    const known = this.checkpoint?.read()
    await tableOf(source, model)
    if (options.create === true) await target.db.ensureTables([model])
    const isBegun = known !== undefined || (await this.begins())
    const { rows, verified } = await this.copied(known?.cursor ?? undefined, isBegun)
    this.checkpoint?.remove()
    if (options.json) return shell.printJson({ table: model.name, rows, ...(verified === undefined ? {} : { digest: verified.digest }) })
    shell.tell(`${rows} row${rows === 1 ? '' : 's'} copied${verified === undefined ? '' : `, digest ${verified.digest}`}`)
  }

  /** Whether the checkpoint says that the copy has begun. Otherwise one that ended within its first page would find its own rows in its way. */
  private async begins(): Promise<boolean> {
    if (this.checkpoint === undefined) return false
    for await (const _ of rowsOf(this.target, this.model).readAll({ select: [] })) return false
    this.checkpoint.write({ cursor: null })
    return true
  }

  private async copied(cursor: string | undefined, isBegun: boolean): Promise<CopyResult> {
    const { verify, parallel, overwrite = false } = this.options
    const { signal } = this.interruption
    const progress = new Progress(this.shell, 'rows copied')
    // The copy does not wait for its progress, and would go on without a checkpoint.
    const unsaved = new AbortController()
    const given: Options.CopyOptions = {
      checkpoint: cursor,
      verify,
      signal: AbortSignal.any([signal, unsaved.signal]),
      ...(parallel === undefined ? {} : { parallel }),
      overwrite: overwrite || isBegun,
      onProgress: ({ rows, checkpoint }) => {
        this.rows = rows
        progress.at(rows)
        try {
          this.checkpoint?.write({ cursor: checkpoint })
        } catch (error) {
          unsaved.abort(error)
        }
      },
    }
    try {
      const [from, to] = [this.source, this.target].map(({ db }) => db.repository(this.model as never))
      return await copyTable(from as never, to as never, given as never)
    } catch (error) {
      if (unsaved.signal.aborted) throw unsaved.signal.reason
      if (signal.aborted && error instanceof Failure) this.interrupted()
      throw error
    } finally {
      progress.end()
    }
  }

  private interrupted(): never {
    return this.interruption.stop(`interrupted after ${this.rows} rows. ${this.checkpoint?.again ?? 'Run it again with --overwrite.'}`)
  }
}
