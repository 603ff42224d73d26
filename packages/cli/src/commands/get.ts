// Tested by stores-commands.test.ts.
import type { Command } from 'commander'
import { exitCodes } from '../failure.js'
import { keyOfPairs } from '../keys/key-of-values.js'
import type { Shell } from '../shell.js'
import { rowTexts } from '../rows/row-text.js'
import { rowsOf, wholeRows } from '../store/reading.js'
import { withStores } from '../store/with-store.js'
import { chosenModel, withExample, withStoreOptions, type StoreOptions } from './options.js'

/** `rowkey get` */
export function getCommand(command: Command, shell: Shell): Command {
  command
    .description('Prints the row with a key, as a line on a terminal and as JSON in a pipe. Exit code 1: there is no such row.')
    .argument('<model>', 'a table or a class')
    .argument('<column=value...>', 'each column of the key')
    .action(async (name: string, pairs: readonly string[], options: StoreOptions) => {
      const { schema } = await chosenModel(name, options, shell)
      const key = keyOfPairs(schema, pairs)
      const { json, line } = rowTexts(schema)
      await withStores(shell, [[options.url, options]], async ([store]) => {
        if (store === undefined) return
        const row = await rowsOf(store, schema).get(key, wholeRows(schema))
        if (row === undefined) {
          shell.exitCode = exitCodes.findings
          if (options.json) return shell.print('{"rowkey":1,"row":null}\n')
          shell.tell(`'${schema.name}' has no row with this key.`)
          return
        }
        if (options.json) return shell.print(`{"rowkey":1,"row":${json(row)}}\n`)
        return shell.print(`${shell.stdout.isTTY ? line(row) : json(row)}\n`)
      })
    })
  return withExample(withStoreOptions(command), 'rowkey get logs host=web-1 at=2026-01-01 --url lmdb:data')
}
