// Tested by stores-commands.test.ts.
import { Command } from 'commander'
import { exitCodes } from '../failure.js'
import { keyOfPairs } from '../keys/key-of-values.js'
import { print, tell } from '../output.js'
import { rowTexts } from '../rows/row-text.js'
import { tableOf } from '../store/open-store.js'
import { rowWithKey } from '../store/reading.js'
import { withStores } from '../store/with-store.js'
import { chosenModel, withExample, withStoreOptions, type StoreOptions } from './options.js'

/** `rowkey get` */
export function getCommand(): Command {
  const command = new Command('get')
    .summary('the row with a key')
    .description('Prints the row with a key, as a line on a terminal and as JSON in a pipe. Exit code 1: there is no such row.')
    .argument('<model>', 'a table or a class')
    .argument('<column=value...>', 'each column of the key')
    .action(async (name: string, pairs: readonly string[], options: StoreOptions) => {
      const { schema } = await chosenModel(name, options)
      const key = keyOfPairs(schema, pairs)
      const { json, line } = rowTexts(schema)
      await withStores([[options.url, options]], async ([store]) => {
        if (store === undefined) return
        const row = await rowWithKey(await tableOf(store, schema), key)
        if (row === undefined) {
          process.exitCode = exitCodes.findings
          if (options.json) return print('{"rowkey":1,"row":null}\n')
          tell(`'${schema.name}' has no row with this key.`)
          return
        }
        if (options.json) return print(`{"rowkey":1,"row":${json(row)}}\n`)
        return print(`${process.stdout.isTTY ? line(row) : json(row)}\n`)
      })
    })
  return withExample(withStoreOptions(command), 'rowkey get logs host=web-1 at=2026-01-01 --url lmdb:data')
}
