// Tested by stores-commands.test.ts.
import { Command } from 'commander'
import { isRowkeyError } from '@rowkey/codec'
import { exitCodes } from '../failure.js'
import { printJson, printLines, width } from '../output.js'
import type { LoadedModel } from '../load/load-models.js'
import { tableOf, type OpenStore } from '../store/open-store.js'
import { withStores } from '../store/with-store.js'
import { colors } from '../text/colors.js'
import { wrap } from '../text/wrap.js'
import { chosenModels, withExample, withStoreOptions, type StoreOptions } from './options.js'

interface Found {
  readonly table: string
  readonly state: 'fits' | 'missing' | 'differs'
  /** Why it does not fit. */
  readonly message?: string
}

/** `rowkey tables` */
export function tablesCommand(): Command {
  const command = new Command('tables')
    .summary('which models have a table in a store')
    .description(
      'Prints for each model whether its table exists in the store, and whether it fits. Exit code 1: one does not exist, or does not fit.',
    )
    .argument('[model...]', 'tables or classes; by default all')
    .action(async (names: readonly string[], options: StoreOptions) => {
      const models = await chosenModels(names, options)
      await withStores([[options.url, options]], async ([store]) => {
        if (store === undefined) return
        const tables: Found[] = []
        for (const model of models) tables.push(await found(store, model))
        if (tables.some(({ state }) => state !== 'fits')) process.exitCode = exitCodes.findings
        await (options.json ? printJson({ tables }) : printLines(tables.flatMap(linesOf)))
      })
    })
  return withExample(withStoreOptions(command), 'rowkey tables logs --url lmdb:data')
}

/** What is wrong with a table, and nothing about the store itself. */
async function found(store: OpenStore, { schema }: LoadedModel): Promise<Found> {
  const table = schema.name
  try {
    await tableOf(store, schema)
    return { table, state: 'fits' }
  } catch (error) {
    if (isRowkeyError(error, 'TABLE_NOT_FOUND')) return { table, state: 'missing' }
    if (isRowkeyError(error, 'SCHEMA_MISMATCH') || isRowkeyError(error, 'NOT_SUPPORTED') || isRowkeyError(error, 'INVALID_OPTION')) {
      return { table, state: 'differs', message: error.message }
    }
    throw error
  }
}

function linesOf({ table, state, message = '' }: Found): readonly string[] {
  if (state === 'fits') return [`${colors.green('✓')} ${table}`]
  if (state === 'missing') return [`${colors.yellow('-')} ${table}: there is no table`]
  return [`${colors.red('✗')} ${table}`, ...message.split('\n').flatMap((line) => wrap(`  ${line}`, width(), '    '))]
}
