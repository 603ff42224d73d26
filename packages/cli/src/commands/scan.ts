// Tested by stores-commands.test.ts.
import { Option, type Command } from 'commander'
import { keyColumns } from '../keys/key-of-values.js'
import type { Shell } from '../shell.js'
import { rowTexts } from '../rows/row-text.js'
import { queryOptionsOf, withQueryOptions, type QueryFlags } from './query-options.js'
import { rowsOf, scanOf, wholeRows } from '../store/reading.js'
import { withStores } from '../store/with-store.js'
import { whereOf } from '../where/where-of.js'
import { chosenModel, positive, withExample, withStoreOptions, type StoreOptions } from './options.js'

type Options = StoreOptions & QueryFlags & { readonly limit: number; readonly cursor?: string; readonly keysOnly?: true }

/** `rowkey scan` */
export function scanCommand(command: Command, shell: Shell): Command {
  command
    .description(
      'Prints rows in the order of the key: lines on a terminal, JSON objects in a pipe. The cursor to go on with is on stderr, and with --json in the JSON. ' +
        'Exit code 3: rowkey refuses the query.',
    )
    .argument('<model>', 'a table or a class')
    .argument('[conditions]', "as explain takes them, such as 'host = web-1'")
    .option('--order <columns>', "the order of the rows, such as 'at desc'")
    .addOption(new Option('--reverse', 'against the order of the key').conflicts('order'))
    .option('--limit <rows>', 'how many rows', positive, 25)
    .option('--cursor <cursor>', 'go on after the rows of another scan')
    .option('--keys-only', 'print only the columns of the key')
    .action(async (name: string, conditions: string | undefined, options: Options) => {
      const { schema } = await chosenModel(name, options, shell)
      const where = whereOf(schema, conditions ?? '')
      const flags = queryOptionsOf(schema, options)
      const { limit, keysOnly = false } = options
      await withStores(shell, [[options.url, options]], async ([store]) => {
        if (store === undefined) return
        const table = rowsOf(store, schema)
        const texts = rowTexts(schema)
        const shape = keysOnly ? { select: keyColumns(schema).map(({ name }) => name) } : wholeRows(schema)
        const [json, line] = keysOnly ? [texts.keyJson, texts.keyLine] : [texts.json, texts.line]
        const isLines = shell.stdout.isTTY && options.json === undefined
        const kept: string[] = []
        const scan = scanOf(table, where, { ...flags, ...shape })
        let count = 0
        let next = options.cursor
        do {
          // A page can be short, or even empty, and still have a cursor.
          const page = await scan.page({ size: limit - count, cursor: next })
          const texts = page.rows.map((row) => (isLines ? line(row) : json(row)))
          if (options.json) kept.push(...texts)
          else await shell.printLines(texts)
          count += texts.length
          next = page.cursor
        } while (next !== undefined && count < limit)
        if (options.json) return shell.print(`{"rowkey":1,"rows":[${kept.join(',')}],"cursor":${JSON.stringify(next ?? null)}}\n`)
        if (next !== undefined) shell.tell(`more: --cursor ${next}`)
      })
    })
  return withExample(withQueryOptions(withStoreOptions(command)), "rowkey scan logs 'host = web-1' --url lmdb:data")
}
