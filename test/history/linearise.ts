import { applied, empty, mayBeSeen, textOf, Versions, type Change, type Operation, type State } from './register.js'
import { Timestamps, type Earlier } from './timestamps.js'

/** Steps of a search; histories of one object are short, so more means that the search has gone astray. */
const maxSteps = 2_000_000

/** Whether a history of one object can be explained by its operations taking effect one after the other, each between its begin and its end. */
export type Verdict = 'explained' | 'impossible' | 'undecided'

/**
 * What decides which of two writes of a row is the last one. `instants`: the one that takes effect later. `timestamps`: the one with the later
 * timestamp, as in plain tables of Cassandra. There a write of several rows may come too late for some of them: another write has a later timestamp
 * and is already there. The rest of it takes effect all the same.
 */
export type LastWrite = 'instants' | 'timestamps'

/** What an object has come to. Only by timestamps it is known which operation wrote each row last, and in what order they must have been. */
interface Moment {
  readonly state: State
  readonly writers: readonly [Operation | undefined, Operation | undefined]
  readonly earlier: Earlier
}

const start: Moment = { state: empty, writers: [undefined, undefined], earlier: [] }

/**
 * Looks for an order of the operations of one object. An operation may be the next one if no other that is left has ended before it began.
 * What changes nothing and fits is taken immediately: whatever order explains the rest also explains it.
 */
export function linearise(history: readonly Operation[], lastWrite: LastWrite = 'instants'): Verdict {
  const operations = history.toSorted((a, b) => a.begin - b.begin)
  const versions = new Versions(operations)
  const timestamps = new Timestamps(operations)
  const seen = new Set<string>()
  let steps = 0

  const isRequired = ({ result }: Operation): boolean => result.kind !== 'unknown'

  /** Whether the operation changes nothing and its result fits the state. */
  function isIdle(state: State, { id, call, result }: Operation): boolean {
    if (call.kind === 'get') return result.kind === 'done' && mayBeSeen(state, call.row, result.seen, versions)
    return result.kind === 'refused' && applied(state, id, call.changes, (...row) => versions.surelyFit(...row)) === undefined
  }

  /** What may become of the object if the write takes effect now; nothing if that does not explain its result. */
  function after(moment: Moment, operation: Operation): readonly Moment[] {
    const { id, call, result } = operation
    if (call.kind === 'get' || result.kind === 'refused') return []
    return effects(call.changes, moment).flatMap((changes): readonly Moment[] => {
      const state = applied(moment.state, id, changes, (...row) => versions.mayFit(...row))
      if (state === undefined) return result.kind === 'either' ? [moment] : []
      if (lastWrite === 'instants') return [{ ...moment, state }]
      const writers = [...moment.writers] as [Operation | undefined, Operation | undefined]
      let earlier: Earlier | undefined = moment.earlier
      for (const change of call.changes) {
        const before = writers[change.row]
        const wins = changes.includes(change)
        if (wins) writers[change.row] = operation
        if (before === undefined) continue
        earlier = wins ? timestamps.add(earlier, before, operation) : timestamps.add(earlier, operation, before)
        if (earlier === undefined) return []
      }
      return [{ state, writers, earlier }]
    })
  }

  /** Which of its changes a write may make now. By timestamps it may come too late for rows that somebody else has written. */
  function effects(changes: readonly Change[], { writers }: Moment): readonly (readonly Change[])[] {
    // One row that comes too late is one that was overwritten immediately: another order of the operations explains that.
    if (lastWrite === 'instants' || changes.length < 2) return [changes]
    return changes.reduce<readonly (readonly Change[])[]>(
      (sets, change) => sets.flatMap((set) => [[...set, change], ...(writers[change.row] === undefined ? [] : [set])]),
      [[]],
    )
  }

  function search(left: readonly Operation[], moment: Moment): boolean {
    let open = left
    for (;;) {
      if (++steps > maxSteps) return false
      if (!open.some(isRequired)) return true
      const horizon = open.reduce((least, { end }) => Math.min(least, end), Infinity)
      const candidates = open.filter(({ begin }) => begin <= horizon)
      const idle = candidates.find((operation) => isIdle(moment.state, operation))
      if (idle === undefined) {
        const { state, writers, earlier } = moment
        const pairs = earlier.map((pair) => pair.map(({ id }) => id).join('<')).sort()
        const key = [open.map(({ id }) => id), textOf(state), writers.map((writer) => writer?.id), pairs].join(' ')
        if (seen.has(key)) return false
        seen.add(key)
        return candidates.some((operation) =>
          after(moment, operation).some((next) =>
            search(
              open.filter((other) => other !== operation),
              next,
            ),
          ),
        )
      }
      open = open.filter((operation) => operation !== idle)
    }
  }

  if (search(operations, start)) return 'explained'
  return steps > maxSteps ? 'undecided' : 'impossible'
}

/** A history for people: one line for each operation, in the order of their begin. */
export function historyText(history: readonly Operation[]): string {
  return history
    .toSorted((a, b) => a.begin - b.begin)
    .map(({ id, client, begin, end, call, result }) => {
      const what =
        call.kind === 'get' ? `get ${call.row}` : call.changes.map(({ row, kind, ...more }) => `${kind} ${row} ${json(more)}`).join(' + ')
      const { kind, ...more } = result
      return `#${id} client ${client} [${begin.toFixed(2)} … ${end.toFixed(2)}] ${what} → ${kind} ${json(more)}`
    })
    .join('\n')
}

/** Sums are shown in base four, where each digit is an increment. */
const json = (value: object): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each.toString(4)} (base 4)` : each))
