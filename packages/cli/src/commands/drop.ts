// Tested by stores-commands.test.ts.
import type { Command } from 'commander'
import { exitCodes, Failure } from '../failure.js'
import type { Shell } from '../shell.js'
import { isSure } from '../store/ask.js'
import { withStores } from '../store/with-store.js'
import { chosenModel, withExample, withStoreOptions, type StoreOptions } from './options.js'

/** `rowkey drop` */
export function dropCommand(command: Command, shell: Shell): Command {
  command
    .description(
      'Drops the table of a model with all its rows. On a terminal it asks; elsewhere it needs --yes. Exit code 3: there is no such table.',
    )
    .argument('<model>', 'a table or a class')
    .option('--yes', 'do not ask')
    .action(async (name: string, options: StoreOptions & { readonly yes?: true }) => {
      const model = await chosenModel(name, options, shell)
      await withStores(shell, [[options.url, options]], async ([store], { signal }) => {
        if (store === undefined) return
        const { schema } = store.db.repository(model.schema as never)
        if ((await store.db.adapter.describeTable(schema.name)) === undefined) {
          throw new Failure(`there is no table '${schema.name}' in ${store.url}. Nothing has changed.`, exitCodes.refused)
        }
        if (
          options.yes === undefined &&
          !(await isSure('drop', shell, `Drop '${schema.name}' in ${store.url} with all its rows? [y/N] `, signal))
        ) {
          throw new Failure('nothing has changed.', exitCodes.findings)
        }
        await store.db.dropTables([model.schema])
        if (options.json) return shell.printJson({ table: schema.name, isDropped: true })
        shell.tell(`'${schema.name}' is dropped.`)
      })
    })
  return withExample(withStoreOptions(command), 'rowkey drop logs --url lmdb:data --yes')
}
