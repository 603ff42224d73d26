import { advise, type AdviceOptions, type Finding } from '@rowkey/advisor'
import type { TableSchema } from 'rowkey'
import type { KnownStore } from 'rowkey/adapter'
import { Option, type Command } from 'commander'
import { exitCodes, Failure } from '../failure.js'
import { fixedModels, tablesOf } from '../lint/fixed.js'
import { lintInput } from '../lint/lint-input.js'
import { githubLines, sarifOf } from '../lint/machine.js'
import { placesIn, type Place } from '../lint/place.js'
import { prettyAdvice } from '../lint/pretty.js'
import { samplesOf } from '../lint/samples.js'
import type { LintInput } from '../load/config.js'
import { loadProject, selectModels, type LoadedModel } from '../load/load-models.js'
import type { Shell } from '../shell.js'
import { storeNames, stores } from '../store-list.js'
import { judgedStores, knownFacts, storeOf } from '../stores.js'
import { wrap } from '../text/wrap.js'
import { version } from '../version.js'
import { positive, withExample, withModels, type ModelOptions } from './options.js'

type Severity = Finding['severity']
type Format = 'pretty' | 'json' | 'sarif' | 'github'

type Options = ModelOptions & {
  readonly queries?: string
  readonly sample?: readonly string[]
  readonly total?: number
  readonly store?: string
  readonly servers?: number
  readonly existing?: readonly string[]
  readonly fix?: true
  readonly format: Format
  readonly failOn: Severity | 'never'
}

/** `rowkey lint` */
export function lintCommand(command: Command, shell: Shell): Command {
  command
    .description(
      'Judges the keys of models before there is a table: hot spots, scans that read too much, keys that are too long. ' +
        'Queries, a sample of rows and the store make it say more. Exit code 1: there are warnings or errors.',
    )
    .argument('[model...]', 'tables or classes; all of them by default')
    .option(
      '--queries <file>',
      'queries, writes, samples, storeOptions, kudu, in JSON: { "queries": [{ "table": "logs", "where": { "host": "=", "at": ["gte", "lt"] } }] }',
    )
    .option('--sample <file...>', 'rows as they were written, .ndjson or .csv; TABLE=FILE if there are several tables')
    .option('--total <rows>', 'rows of the table that the sample is of', positive)
    .addOption(new Option('--store <name>', 'the store').choices(judgedStores))
    .option('--servers <count>', 'servers of the store', positive)
    .option('--existing <file...>', 'models of the tables that exist, to find changes that no store can make')
    .option('--fix', 'print the changed models as code; no file is edited')
    .addOption(new Option('--format <format>', 'how findings are printed').choices(['pretty', 'json', 'sarif', 'github']).default('pretty'))
    .addOption(
      new Option('--fail-on <severity>', 'the least severity with exit code 1')
        .choices(['error', 'warning', 'info', 'never'])
        .default('warning'),
    )
    .action(async (names: readonly string[], options: Options) => {
      if (options.total !== undefined && options.sample === undefined)
        throw new Failure(
          '--total says of how many rows a sample is, so it has no effect without --sample. Give a sample, or leave it out.',
        )
      if (options.fix && options.format !== 'pretty')
        throw new Failure(`--fix prints code, so --format ${options.format} has no effect. Leave one of them out.`)
      const project = await loadProject(options, shell)
      const models = selectModels(project.models, names)
      const given = await adviceOptions(shell, project.models, models, lintInput(shell, project.lint, options.queries), options)
      const advice = advise(schemasOf(models), given)
      if (advice.findings.some(({ severity }) => fails(severity, options.failOn))) shell.exitCode = exitCodes.findings
      if (options.fix) return printFixed(shell, models, given, options)
      const place = placesIn(shell.folder)
      const placeOf = ({ table, column }: Finding): Place | undefined => {
        const model = models.find(({ schema }) => tablesOf(schema).includes(table))
        return model === undefined ? undefined : place(model, column)
      }
      switch (options.json ? 'json' : options.format) {
        case 'pretty':
          return shell.printLines(prettyAdvice(advice, models.length, shell))
        case 'json':
          return shell.printJson({ ...advice })
        case 'sarif':
          return shell.print(`${JSON.stringify(sarifOf(advice, version(), placeOf), undefined, 2)}\n`)
        case 'github':
          return shell.printLines(githubLines(advice, placeOf))
      }
    })
  return withExample(withModels(command), 'rowkey lint --store cassandra --fail-on error')
}

const severities: readonly Severity[] = ['error', 'warning', 'info']

const fails = (severity: Severity, least: Severity | 'never'): boolean =>
  least !== 'never' && severities.indexOf(severity) <= severities.indexOf(least)

const schemasOf = (models: readonly LoadedModel[]): readonly TableSchema[] => models.map(({ schema }) => schema)

/** All that is known, apart from the models. What is about a table that is not asked for is left out. */
async function adviceOptions(
  shell: Shell,
  all: readonly LoadedModel[],
  models: readonly LoadedModel[],
  input: LintInput,
  options: Options,
): Promise<AdviceOptions> {
  const { queries = [], writes = [], ignore = [], stats = [], kudu } = input
  const store = await storeOptions(options.store ?? input.store, shell.folder)
  const ofStore = { ...store, ...(kudu === undefined ? {} : { kudu }) }
  // Also what is left out, because a misspelt field is one wherever it is.
  if (models.length < all.length) advise(schemasOf(all), { queries, writes, ignore, ...ofStore })
  const others = new Set(all.filter((model) => !models.includes(model)).flatMap(({ schema }) => tablesOf(schema)))
  const own = <T extends { readonly table?: string }>(list: readonly T[]): readonly T[] =>
    list.filter(({ table }) => table === undefined || !others.has(table)) // a name of no table is refused
  const { existing } = options
  const servers = options.servers ?? input.servers
  return {
    queries: own(queries),
    writes: own(writes),
    ignore: own(ignore),
    existing: existing === undefined ? [] : schemasOf((await loadProject({ ...options, models: existing }, shell)).models),
    stats: [...own(stats), ...(await samplesOf(shell, all, models, input.samples ?? [], options))],
    ...store,
    ...(input.storeOptions === undefined ? {} : { storeOptions: { ...store.storeOptions, ...input.storeOptions } }),
    ...(kudu === undefined ? {} : { kudu: kuduOf(kudu, others) }),
    ...(servers === undefined ? {} : { servers }),
  }
}

async function storeOptions(name: string | undefined, folder: string): Promise<Pick<AdviceOptions, 'store' | 'storeOptions'>> {
  if (name === undefined) return {}
  if (!judgedStores.includes(name)) throw new Failure(`there is no store '${name}'. There are: ${judgedStores.join(', ')}.`)
  // One that has no table definitions has no warnings of its own.
  const adapter =
    knownFacts(name)?.noDefinitions === undefined
      ? storeNames.find((each) => each === name || knownFacts(each)?.profiles?.[name] !== undefined)
      : undefined
  if (adapter === undefined || stores[adapter]?.package === undefined) return { store: name as KnownStore }
  return { store: await storeOf(adapter, folder), ...(adapter === name ? {} : { storeOptions: { profile: name } }) }
}

/** What is said of other tables is left out. */
function kuduOf(
  { ranges = {}, encodings = {}, ...rest }: NonNullable<AdviceOptions['kudu']>,
  others: ReadonlySet<string>,
): NonNullable<AdviceOptions['kudu']> {
  const own = <T>(byTable: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
    Object.fromEntries(Object.entries(byTable).filter(([table]) => !others.has(table)))
  return { ...rest, ranges: own(ranges), encodings: own(encodings) }
}

async function printFixed(shell: Shell, models: readonly LoadedModel[], given: AdviceOptions, { json }: Options): Promise<void> {
  const all = fixedModels(models, given)
  if (json) return shell.printJson({ fixed: all })
  if (all.length === 0) shell.tell('There is nothing that could be fixed by a change of a model.')
  for (const { fixed } of all) {
    for (const { table, code, fix = '' } of fixed) shell.tell(wrap(`${table}: ${code}: ${fix}`, shell.width).join('\n'))
  }
  await shell.print(all.map(({ code }) => code).join('\n'))
}
