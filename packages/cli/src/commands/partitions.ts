// Tested by packages/cli/test/servers/ranges.test.ts.
import type { Command } from 'commander'
import type { Partition } from 'rowkey/adapter'
import type { Shell } from '../shell.js'
import { rowsOf, scanOf } from '../store/reading.js'
import { withStores } from '../store/with-store.js'
import { rangeJson, rangeText } from '../text/ranges.js'
import { whereOf } from '../where/where-of.js'
import { chosenModel, withExample, withStoreOptions, type StoreOptions } from './options.js'
import { queryOptionsOf, withQueryOptions, type QueryFlags } from './query-options.js'

/** `rowkey partitions` */
export function partitionsCommand(command: Command, shell: Shell): Command {
  command
    .description('Prints the partitions of a table with their ranges, servers and sizes, or those that a query reads. For Kudu.')
    .argument('<model>', 'a table or a class')
    .argument('[conditions]', "as explain takes them, such as 'host = web-1': the others are pruned")
    .option('--rows', 'count the rows of each, which reads the keys of the table')
    .action(async (name: string, conditions: string | undefined, options: StoreOptions & QueryFlags & { readonly rows?: true }) => {
      const { schema } = await chosenModel(name, options, shell)
      const where = conditions === undefined ? undefined : whereOf(schema, conditions)
      const flags = queryOptionsOf(schema, options)
      await withStores(shell, [[options.url, options]], async ([store], { signal }) => {
        if (store === undefined) return
        const all = await store.db.partitions(schema, { countRows: options.rows === true && where === undefined, signal })
        const read =
          where === undefined
            ? undefined
            : await scanOf(rowsOf(store, schema), where, flags).partitions({ countRows: options.rows === true, signal })
        if (options.json) {
          const json = (each: Partition): object => ({
            ...each,
            range: each.range === undefined ? undefined : rangeJson(schema, each.range),
          })
          return shell.printJson({ table: schema.name, partitions: (read ?? all).map(json), total: all.length })
        }
        await shell.printLines([
          ...(read ?? all).map((each) => lineOf(schema, each)),
          ...(read === undefined ? [] : [`${read.length} of ${all.length} partitions are read.`]),
        ])
      })
    })
  return withExample(withQueryOptions(withStoreOptions(command)), "rowkey partitions metrics 'host = web-1' --url kudu://host:7051")
}

function lineOf(schema: Parameters<typeof rangeText>[0], { range, buckets, server, bytes, rows }: Partition): string {
  const parts = [
    ...(buckets.length === 0 ? [] : [`bucket ${buckets.join(', ')}`]),
    ...(range === undefined ? [] : [rangeText(schema, range)]),
    `on ${server ?? 'no server'}`,
    ...(bytes === undefined ? [] : [`${bytes} bytes`]),
    ...(rows === undefined ? [] : [`${rows} rows`]),
  ]
  return parts.join('  ')
}
