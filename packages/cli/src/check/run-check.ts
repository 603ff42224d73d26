// Tested by check.test.ts and test/stores/check.test.ts.
import { checkup, checkupTitles, dropScratch, type CheckupOptions, type CheckupReport } from 'rowkey/conformance'
import { exitCodes, Failure } from '../failure.js'
import type { Shell } from '../shell.js'
import { isSure } from '../store/ask.js'
import { told, withStores, type Interruption } from '../store/with-store.js'
import type { CheckFlags } from './check-options.js'
import { CheckProgress } from './check-progress.js'
import { plannedTables } from './planned.js'
import { countsOf, reportOf, withoutCredentials } from './report.js'
import { earlierPrefix, scratchPrefix } from './scratch-prefix.js'
import { Leftovers } from './leftovers.js'
import { shownReport } from './shown.js'
import { memoryLike, storeClients, type StoreClients } from './store-clients.js'

/** A check that is about to begin. */
interface Check {
  readonly options: Planned
  readonly clients: StoreClients
  readonly flags: CheckFlags
  readonly shell: Shell
}

type Planned = Omit<CheckupOptions, 'createAdapter'>

/** Checks the store of a URL. @throws Failure */
export async function runCheck(url: string | undefined, flags: CheckFlags, shell: Shell): Promise<void> {
  const clients = await storeClients(url, shell)
  const before = flags.prefix ?? clients.prefix
  const prefix = flags.remove === undefined ? scratchPrefix(before, clients.description) : earlierPrefix(flags.remove)
  const check = { options: optionsOf(flags, prefix), clients, flags, shell }
  if (flags.dryRun === true) return shownPlan(check)
  const use = flags.remove === undefined ? checked : removed
  const whole = async (interruption: Interruption): Promise<void> => {
    try {
      await use(check, interruption)
    } catch (error) {
      throw told(error, clients.url, shell.env)
    } finally {
      await clients.close()
    }
  }
  await withStores(shell, [], (_, interruption) => whole(interruption), true)
}

function optionsOf({ quick, full, only, seed, limit, parallel }: CheckFlags, prefix: string): Planned {
  if (quick === true && full === true) throw new Failure('--quick and --full exclude each other.')
  const size = quick === true ? 'quick' : full === true ? 'huge' : 'large'
  const options: Planned = { prefix, size, seed, limit: limit * 1000, parallel, ...(only === undefined ? {} : { only }) }
  if (checkupTitles(options).length > 0) return options
  throw new Failure(`no rule has '${only}' in its title.`)
}

/** The tables and the rights that a check needs. Nothing is connected. */
async function shownPlan({ options, clients, flags, shell }: Check): Promise<void> {
  const tables = (await plannedTables(options, () => memoryLike(clients))).map(({ name }) => name)
  const rights = clients.rights(options.prefix)
  if (flags.json) return shell.printJson({ dryRun: true, prefix: options.prefix, tables, rights })
  await shell.printLines([
    `${tables.length} tables, each created by a rule and dropped after it`,
    ...tables.map((name) => `  ${name}`),
    ...(rights.length === 0 ? [] : ['rights', ...rights.map((line) => `  ${line}`)]),
  ])
  shell.tell('Nothing was connected. Each check has other letters after rowkey_check_.')
}

async function checked({ options, clients, flags, shell }: Check, { signal, stop }: Interruption): Promise<void> {
  const { prefix } = options
  const question = `Test ${clients.url} on tables ${prefix}… that are dropped afterwards? [y/N] `
  if (flags.yes === undefined && !(await isSure('check', shell, question, signal))) {
    throw new Failure('nothing has changed.', exitCodes.findings)
  }
  const store = await clients.open()
  const tests: Planned = clients.isWhole ? { ...options, description: clients.description } : options
  const all = checkupTitles(tests).length
  const leftovers = new Leftovers(clients, flags, prefix, shell)
  await leftovers.begin()
  shell.tell(`${all} rules, on tables ${prefix}…`)
  const begin = performance.now()
  const report = await tested({ options: tests, clients, flags, shell }, all, signal)
  const seconds = Math.round(performance.now() - begin) / 1000
  const left = await leftovers.end(report.left)
  if (signal.aborted) stop(`interrupted after ${all - report.notRun.length} of ${all} rules. ${leftovers.text(left)}`)
  const said = withoutCredentials({ ...report, left }, shell.env)
  if (flags.json) await shell.printJson(reportOf(said, store, options, seconds))
  else await shell.printLines([`${clients.url}  ${store.product ?? store.name}`, ...shownReport(said, seconds, shell)])
  if (left.length > 0) shell.tell(`rowkey: ${leftovers.text(left)}`)
  const isWhole = countsOf(report).failed === 0 && report.notRun.length === 0
  if (!isWhole) shell.exitCode = exitCodes.findings
  else if (left.length > 0) shell.exitCode = exitCodes.store
}

async function tested({ options, clients, shell }: Check, all: number, signal: AbortSignal): Promise<CheckupReport> {
  const progress = new CheckProgress(shell, all)
  try {
    return await checkup({
      ...options,
      signal,
      createAdapter: () => clients.adapter(),
      onRule: progress.at,
      onVerdict: ({ verdict }) => {
        if (verdict === 'failed') clients.renew()
      },
    })
  } finally {
    progress.end()
  }
}

/** Drops what an earlier check has left. */
async function removed({ options, clients, flags, shell }: Check): Promise<void> {
  const { prefix } = options
  const tables = await plannedTables(options, () => memoryLike(clients))
  await clients.open()
  const { adapter } = await clients.adapter()
  for (const schema of tables) await dropScratch(adapter, schema)
  await (await clients.shared())?.forget(prefix, true)
  if (flags.json) return shell.printJson({ removed: prefix })
  shell.tell(`Nothing of ${prefix} is left: ${tables.length} table${tables.length === 1 ? '' : 's'} looked for.`)
}
