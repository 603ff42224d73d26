import { Option, type Command } from 'commander'
import { compileQuery, explain, type Finding, type QueryOptions } from 'rowkey/internal'
import type { Explanation, TableSchema } from 'rowkey'
import { Failure, exitCodes } from '../failure.js'
import type { Shell } from '../shell.js'
import { storeNames } from '../store-list.js'
import { storeOf, storeWithDdl, withoutDdl } from '../stores.js'
import { wrap } from '../text/wrap.js'
import { orderOf, whereOf } from '../where/where-of.js'
import { chosenModel, positive, withExample, withModels, type ModelOptions } from './options.js'

type Options = ModelOptions & {
  readonly order?: string
  readonly limit?: number
  readonly reverse?: true
  readonly unbounded?: true
  readonly maxRanges?: number
  readonly maxFanOut?: number
  readonly store?: string
}

/** `rowkey explain` */
export function explainCommand(command: Command, shell: Shell): Command {
  command
    .description(
      "Shows how a query reads its table, without a store. Conditions: =, >, >=, <, <=, in (a, b), between a and b, starts with a, like 'a%', " +
        'is null, is not null, joined by and. Exit code 3: rowkey refuses the query.',
    )
    .argument('<model>', 'a table or a class')
    .argument('[conditions]', 'in quotes; times are UTC unless they have a zone')
    .option('--order <columns>', "the order of the rows, such as 'at desc'")
    .addOption(new Option('--reverse', 'against the order of the key').conflicts('order'))
    .option('--limit <rows>', 'the most rows that are read', positive)
    .option('--unbounded', 'explain what is otherwise refused because it reads the whole table')
    .option('--max-ranges <count>', 'the most ranges that the query may read', positive)
    .option('--max-fan-out <count>', 'the most buckets that it may read', positive)
    .addOption(new Option('--store <name>', 'also print what is likely to hurt in this store').choices(storeNames))
    .action(async (name: string, conditions: string | undefined, options: Options) => {
      const { schema } = await chosenModel(name, options, shell)
      const warnings = options.store === undefined ? [] : await warningsIn(options.store, schema, shell.folder)
      const explanation = explanationOf(schema, conditions ?? '', options)
      await refuseReverse(schema, explanation, options.store, shell.folder)
      const { limit, store } = options
      if (options.json)
        await shell.printJson({
          explanation,
          ...(limit === undefined ? {} : { limit }),
          ...(store === undefined ? {} : { store, storeWarnings: warnings }),
        })
      else await shell.print(textOf(shell, explanation, limit, store, warnings))
    })
  return withExample(withModels(command), "rowkey explain logs 'host = web-1 and at >= 2026-01-01' --order 'at desc'")
}

function explanationOf(schema: TableSchema, conditions: string, { order, reverse, ...options }: Options): Explanation {
  const query = compileQuery(schema, whereOf(schema, conditions), {
    order: reverse === true ? 'reverse' : order === undefined ? undefined : orderOf(schema, order),
    ...pick(options, ['unbounded', 'maxRanges', 'maxFanOut']),
  })
  return explain(query)
}

const pick = (options: Options, names: readonly (keyof Options & keyof QueryOptions)[]): QueryOptions =>
  Object.fromEntries(names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])))

async function warningsIn(store: string, schema: TableSchema, folder: string): Promise<readonly Finding[]> {
  return (await withoutDdl(store, folder)) === undefined ? (await storeWithDdl(store, folder)).ddl(schema).warnings : []
}

async function refuseReverse(
  schema: TableSchema,
  { reverse, kind }: Explanation,
  store: string | undefined,
  folder: string,
): Promise<void> {
  if (!reverse || kind === 'GET' || store === undefined || (await withoutDdl(store, folder)) !== undefined) return
  const { capabilities } = await storeOf(store, folder)
  if (!capabilities.reverse) throw new Failure(`${store} cannot scan '${schema.name}' backwards.`, exitCodes.refused)
}

function textOf(
  { colors, width }: Shell,
  { text }: Explanation,
  limit: number | undefined,
  store: string | undefined,
  warnings: readonly Finding[],
): string {
  const lines = [
    ...text.split('\n'),
    ...(limit === undefined ? [] : [`  reading stops after ${limit} rows`]),
    ...warnings.map(({ message, fix }) => `! ${store ?? ''}: ${message}${fix === undefined ? '' : ` ${fix}`}`),
  ]
  const wrapped = lines.flatMap((line) => {
    const hang = line.startsWith('├') ? '│   ' : line.startsWith('!') ? '  ' : '    '
    return wrap(line, width, hang).map((part) => (line.startsWith('!') ? colors.yellow(part) : part))
  })
  const [head = '', ...rest] = wrapped
  return `${[colors.bold(head), ...rest].join('\n')}\n`
}
