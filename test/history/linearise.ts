import { applied, empty, mayBeSeen, textOf, Versions, type Change, type Operation, type State } from './register.js'

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

/** What an object has come to: its rows, and which operation wrote each of them last. The latter is only known by timestamps. */
interface Moment {
  readonly state: State
  readonly writers: readonly [Operation | undefined, Operation | undefined]
}

const start: Moment = { state: empty, writers: [undefined, undefined] }

/**
 * Looks for an order of the operations of one object. An operation may be the next one if no other that is left has ended before it began.
 * What changes nothing and fits is taken immediately: whatever order explains the rest also explains it.
 */
export function linearise(history: readonly Operation[], lastWrite: LastWrite = 'instants'): Verdict {
  const operations = history.toSorted((a, b) => a.begin - b.begin)
  const versions = new Versions(operations)
  const seen = new Set<string>()
  let steps = 0

  const isRequired = ({ result }: Operation): boolean => result.kind !== 'unknown'

  /** Whether the operation changes nothing and its result fits the state. */
  function isIdle(state: State, { id, call, result }: Operation): boolean {
    if (call.kind === 'get') return result.kind === 'done' && mayBeSeen(state, call.row, result.seen, versions)
    return result.kind === 'refused' && applied(state, id, call.changes, (...row) => versions.surelyFit(...row)) === undefined
  }

  /** What may become of the object if the write takes effect now; nothing if that does not explain its result. */
  function after({ state, writers }: Moment, operation: Operation): readonly Moment[] {
    const { id, call, result } = operation
    if (call.kind === 'get' || result.kind === 'refused') return []
    return effects(operation, writers).flatMap((changes): readonly Moment[] => {
      const next = applied(state, id, changes, (...row) => versions.mayFit(...row))
      if (next === undefined) return []
      if (lastWrite === 'instants') return [{ state: next, writers }]
      const writerOf = (row: 0 | 1): Operation | undefined => (changes.some((change) => change.row === row) ? operation : writers[row])
      return [{ state: next, writers: [writerOf(0), writerOf(1)] }]
    })
  }

  /** Which of its changes a write may make now. It may leave out those of rows whose last write was under way when it began. */
  function effects({ call, begin }: Operation, writers: Moment['writers']): readonly (readonly Change[])[] {
    const changes = call.kind === 'write' ? call.changes : []
    // One row that comes too late is one that was overwritten immediately: another order of the operations explains that.
    if (lastWrite === 'instants' || changes.length < 2) return [changes]
    return changes.reduce<readonly (readonly Change[])[]>(
      (sets, change) => {
        const isTooLate = (writers[change.row]?.end ?? -Infinity) >= begin
        return sets.flatMap((set) => [[...set, change], ...(isTooLate ? [set] : [])])
      },
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
        const key = [open.map(({ id }) => id), textOf(moment.state), moment.writers.map((writer) => writer?.id)].join(' ')
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
        call.kind === 'get'
          ? `get ${call.row}`
          : call.changes
              .map(
                ({ row, kind, column, ifVersion }) => `${kind} ${row}${column ?? ''}${ifVersion === undefined ? '' : ` if ${ifVersion}`}`,
              )
              .join(' + ')
      const { kind, ...more } = result
      return `#${id} client ${client} [${begin.toFixed(2)} … ${end.toFixed(2)}] ${what} → ${kind} ${JSON.stringify(more)}`
    })
    .join('\n')
}
