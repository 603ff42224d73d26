// Tested by stores-commands.test.ts.
import type { Command } from 'commander'
import { isRowkeyError } from 'rowkey/codec'
import { exitCodes } from '../failure.js'
import type { Shell } from '../shell.js'
import type { LoadedModel } from '../load/load-models.js'
import { tableOf, type OpenStore } from '../store/open-store.js'
import { withStores } from '../store/with-store.js'
import { wrap } from '../text/wrap.js'
import { chosenModels, withExample, withStoreOptions, type StoreOptions } from './options.js'

interface Found {
  readonly table: string
  readonly state: 'fits' | 'missing' | 'differs'
  /** Why it does not fit. */
  readonly message?: string
}

/** `rowkey tables` */
export function tablesCommand(command: Command, shell: Shell): Command {
  command
    .description(
      'Prints for each model whether its table exists in the store, and whether it fits. Exit code 1: one does not exist, or does not fit.',
    )
    .argument('[model...]', 'tables or classes; by default all')
    .action(async (names: readonly string[], options: StoreOptions) => {
      const models = await chosenModels(names, options, shell)
      await withStores(shell, [[options.url, options]], async ([store]) => {
        if (store === undefined) return
        const tables: Found[] = []
        for (const model of models) tables.push(await found(store, model))
        if (tables.some(({ state }) => state !== 'fits')) shell.exitCode = exitCodes.findings
        await (options.json ? shell.printJson({ tables }) : shell.printLines(tables.flatMap((each) => linesOf(each, shell))))
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

function linesOf({ table, state, message = '' }: Found, { colors, width }: Shell): readonly string[] {
  if (state === 'fits') return [`${colors.green('✓')} ${table}`]
  if (state === 'missing') return [`${colors.yellow('-')} ${table}: there is no table`]
  return [`${colors.red('✗')} ${table}`, ...message.split('\n').flatMap((line) => wrap(`  ${line}`, width, '    '))]
}
