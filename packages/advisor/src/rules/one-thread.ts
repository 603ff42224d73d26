// Tested by demand.test.ts.
import { counted, showName } from 'rowkey/internal'
import type { AdviceRule } from '../finding.js'
import { byLoad, commandsPerSecond } from '../subject/demand.js'
import { factsOf, partitionLimits, titleOf } from '../subject/store-profile.js'
import { figure, type TableLoad } from '../subject/subject.js'

/** The part of what a thread executes that is not a peak yet. */
const usable = 0.8
/** Tables that are named. */
const maxNamed = 3

/** A node may execute all commands on one thread, whatever the tables and their shards are. It is said of the busiest table, for all of them. */
export const oneThread: AdviceRule = {
  code: 'one-thread',
  stage: 'store',
  guides: ['G-34', 'G-50'],
  find(subject) {
    const { store, schema, loads } = subject
    if (store === undefined || factsOf(store)?.isOneThread !== true) return []
    const limit = partitionLimits(store).writesPerSecond ?? Infinity
    const own = { table: schema.name, commands: commandsPerSecond(subject) }
    const servers = store.servers ?? 1
    const isTooMuch = (commands: number): boolean => commands / servers > usable * limit
    const commands = loads.all - loads.own + own.commands
    if (!isTooMuch(commands)) return []
    const isOther = ({ table }: TableLoad): boolean => table !== schema.name
    const next = loads.tables.find(isOther)
    // A busier table says it, unless it is only too much by a change of this one.
    if (next !== undefined && byLoad(next, own) < 0 && isTooMuch(loads.before ?? loads.all)) return []
    return [
      {
        severity: 'warning',
        evidence: `${figure(commands)} commands a second on ${counted(servers, 'node')}${sharesOf([own, ...loads.tables.filter(isOther)])}; one takes about ${figure(limit)}`,
        message: `A node of ${titleOf(store)} executes all commands on one thread.`,
        fix: `Use a cluster of at least ${figure(Math.ceil(commands / (0.5 * limit)))} nodes.`,
      },
    ]
  },
}

/** What each table has a part in, the busiest by name. */
function sharesOf(loads: readonly TableLoad[]): string {
  if (loads.length < 2) return ''
  const rest = loads.slice(maxNamed)
  const named = loads.slice(0, maxNamed).map(({ table, commands }) => `'${showName(table)}' ${figure(commands)}`)
  const others =
    rest.length === 0 ? [] : [`${counted(rest.length, 'other')} ${figure(rest.reduce((sum, { commands }) => sum + commands, 0))}`]
  return ` (${[...named, ...others].join(', ')})`
}
