// Tested by stores-commands.test.ts.
import type { Command } from 'commander'
import type { Shell } from '../shell.js'
import { queryOptionsOf, withQueryOptions, type QueryFlags } from './query-options.js'
import { pagesOf, rowsOf } from '../store/reading.js'
import { Progress } from '../store/progress.js'
import { withStores } from '../store/with-store.js'
import { whereOf } from '../where/where-of.js'
import { chosenModel, withExample, withStoreOptions, type StoreOptions } from './options.js'

/** `rowkey count` */
export function countCommand(command: Command, shell: Shell): Command {
  command
    .description('Prints the number of rows, of the whole table or of those that meet conditions. It reads them all.')
    .argument('<model>', 'a table or a class')
    .argument('[conditions]', "as explain takes them, such as 'host = web-1'")
    .action(async (name: string, conditions: string | undefined, options: StoreOptions & QueryFlags) => {
      const { schema } = await chosenModel(name, options, shell)
      const where = whereOf(schema, conditions ?? '')
      const flags = queryOptionsOf(schema, options)
      await withStores(shell, [[options.url, options]], async ([store]) => {
        if (store === undefined) return
        const progress = new Progress(shell, 'rows counted')
        let count = 0
        try {
          for await (const { rows } of pagesOf(rowsOf(store, schema), where, flags, { select: [] })) {
            count += rows.length
            progress.at(count)
          }
        } finally {
          progress.end()
        }
        await (options.json ? shell.printJson({ table: schema.name, count }) : shell.print(`${count}\n`))
      })
    })
  return withExample(withQueryOptions(withStoreOptions(command)), "rowkey count logs 'host = web-1' --url lmdb:data")
}
