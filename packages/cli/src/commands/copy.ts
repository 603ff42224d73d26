// Tested by stores-transfer.test.ts and stores-interrupted.test.ts.
import { Command } from 'commander'
import { copyTable, type CopyOptions, type CopyResult } from '@rowkey/mapper'
import { Failure } from '../failure.js'
import { printJson, tell } from '../output.js'
import { CheckpointFile } from '../store/checkpoint.js'
import { tableOf } from '../store/open-store.js'
import { Progress } from '../store/progress.js'
import { withStores } from '../store/with-store.js'
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
export function copyCommand(): Command {
  const command = new Command('copy')
    .summary('copies a table to another store')
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
      const { schema } = await chosenModel(name, options)
      const { to, toPrefix, verify, parallel, overwrite, create = false } = options
      const opened = [[options.url, options] as const, [to, { prefix: toPrefix, create }] as const]
      await withStores(
        opened,
        async ([source, target], { signal, stop }) => {
          if (source === undefined || target === undefined) return
          await tableOf(source, schema)
          if (create) await target.db.ensureTables([schema])
          const subject = {
            command: 'copy',
            table: schema.name,
            store: source.url,
            prefix: options.prefix ?? '',
            to: target.url,
            toPrefix: toPrefix ?? '',
          }
          const file = options.checkpoint === undefined ? undefined : new CheckpointFile<{ cursor: string }>(options.checkpoint, subject)
          const progress = new Progress('rows copied')
          let copied = 0
          const given: CopyOptions = {
            checkpoint: file?.read()?.cursor,
            verify,
            signal,
            ...(parallel === undefined ? {} : { parallel }),
            ...(overwrite === undefined ? {} : { overwrite }),
            onProgress: ({ rows, checkpoint }) => {
              copied = rows
              file?.write({ cursor: checkpoint })
              progress.at(rows)
            },
          }
          let result: CopyResult
          try {
            const [from, into] = [source.db.repository(schema as never), target.db.repository(schema as never)]
            result = await copyTable(from as never, into as never, given as never)
          } catch (error) {
            if (!signal.aborted || !(error instanceof Failure)) throw error
            const how = file === undefined ? '' : ` Run the same command again: ${file.path} says where it goes on.`
            return stop(`interrupted after ${copied} rows.${how}`)
          } finally {
            progress.end()
          }
          file?.remove()
          const { rows, verified } = result
          if (options.json) return printJson({ table: schema.name, rows, ...(verified === undefined ? {} : { digest: verified.digest }) })
          tell(`${rows} row${rows === 1 ? '' : 's'} copied${verified === undefined ? '' : `, digest ${verified.digest}`}`)
        },
        true,
      )
    })
  return withExample(withStoreOptions(command), 'rowkey copy logs --url lmdb:data --to lmdb:copy --create --overwrite')
}
