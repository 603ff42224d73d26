// Also tested by completion.test.ts.
import type { Command } from 'commander'
import type { Duration } from 'rowkey'
import { exitCodes, Failure } from '../failure.js'
import type { Shell } from '../shell.js'
import { isSure } from '../store/ask.js'
import { Progress } from '../store/progress.js'
import { withStores } from '../store/with-store.js'
import { chosenModel, withExample, withStoreOptions, type StoreOptions } from './options.js'
import { CheckpointFile } from '../store/checkpoint.js'

const actions = ['build', 'verify', 'drop']

interface IndexFlags extends StoreOptions {
  readonly repair?: true
  readonly olderThan?: string
  readonly checkpoint?: string
  readonly yes?: true
}

/** `rowkey index` */
export function indexCommand(command: Command, shell: Shell): Command {
  command
    .description(
      'build: puts the entries of all rows into an index, and makes it readable. verify: compares entries and rows; with --repair it removes stale ' +
        'entries and puts missing ones. Exit code 1: rows lack entries. drop: drops the entries; on a terminal it asks, elsewhere it needs --yes.',
    )
    .argument('<action>', actions.join(', '))
    .argument('<model>', 'a table or a class')
    .argument('<index>', 'its name in the model')
    .option('--repair', 'verify: remove stale entries, and put missing ones')
    .option('--older-than <duration>', 'verify: how long ago a stale entry was put that is removed; default 1d, at least 1h')
    .option('--checkpoint <file>', 'build: where to keep how far it is; the same command goes on from there')
    .option('--yes', 'drop: do not ask')
    .action(async (action: string, name: string, index: string, options: IndexFlags) => {
      if (!actions.includes(action)) throw new Failure(`there is no action '${action}'. Give ${actions.join(', ')}.`, exitCodes.usage)
      const { schema } = await chosenModel(name, options, shell)
      await withStores(shell, [[options.url, options]], async ([store], { signal }) => {
        if (store === undefined) return
        const { db, url } = store
        if (action === 'build') {
          const progress = new Progress(shell, 'rows read')
          const subject = { command: 'index build', table: schema.name, index, store: url }
          const file =
            options.checkpoint === undefined ? undefined : new CheckpointFile<{ readonly at: string }>(shell, options.checkpoint, subject)
          const known = file?.read()
          let fault: Error | undefined
          try {
            const onProgress = ({ rows, checkpoint }: { readonly rows: number; readonly checkpoint: string }): void => {
              progress.at(rows)
              try {
                file?.write({ at: checkpoint })
              } catch (error) {
                fault ??= error as Error
              }
            }
            const rows = await db.buildIndex(schema, index, {
              signal,
              onProgress,
              ...(known === undefined ? {} : { checkpoint: known.at }),
            })
            progress.end()
            if (fault !== undefined) throw fault
            file?.remove()
            if (options.json) await shell.printJson({ table: schema.name, index, rows })
            else shell.tell(`'${index}' of '${schema.name}' has the entries of ${rows} rows.`)
            return
          } finally {
            progress.end()
          }
        }
        if (action === 'drop') {
          const question = `Drop index '${index}' of '${schema.name}' in ${url}? [y/N] `
          if (options.yes === undefined && !(await isSure('index drop', shell, question, signal)))
            throw new Failure('nothing has changed.', exitCodes.findings)
          await db.dropIndex(schema, index, { signal })
          if (options.json) await shell.printJson({ table: schema.name, index, isDropped: true })
          else shell.tell(`'${index}' of '${schema.name}' is dropped.`)
          return
        }
        const { olderThan } = options
        const report = await db.verifyIndex(schema, index, {
          signal,
          repair: options.repair === true,
          ...(olderThan === undefined ? {} : { olderThan: olderThan as Duration }),
        })
        const { entries, rows, stale, removed, missing, added } = report
        if (options.json) await shell.printJson({ table: schema.name, index, ...report })
        else
          await shell.printLines([
            `${rows} rows, ${missing} without an entry${options.repair ? `, ${added} put` : ''}`,
            `${entries} entries, ${stale} stale${options.repair ? `, ${removed} removed` : ''}`,
          ])
        if (missing > added) throw new Failure(`${missing - added} rows lack their entry. Give --repair.`, exitCodes.findings)
      })
    })
  return withExample(withStoreOptions(command), 'rowkey index verify orders byBuyer --repair --url lmdb:data')
}
