import { applied, empty, mayBeSeen, textOf, Versions, type Operation, type State } from './register.js'

/** Steps of a search; histories of one object are short, so more means that the search has gone astray. */
const maxSteps = 2_000_000

/** Whether a history of one object can be explained by its operations taking effect one after the other, each between its begin and its end. */
export type Verdict = 'explained' | 'impossible' | 'undecided'

/**
 * Looks for an order of the operations of one object. An operation may be the next one if no other that is left has ended before it began.
 * What changes nothing and fits is taken at once: whatever order explains the rest also explains it.
 */
export function linearise(history: readonly Operation[]): Verdict {
  const operations = history.toSorted((a, b) => a.begin - b.begin)
  const versions = new Versions(operations)
  const seen = new Set<string>()
  let steps = 0

  const isRequired = ({ result }: Operation): boolean => result.kind !== 'unknown'

  /** What becomes of the state if the operation takes effect now; undefined if that does not explain its result. */
  function after(state: State, { id, call, result }: Operation): State | undefined {
    if (call.kind === 'get') {
      return result.kind === 'done' && mayBeSeen(state, call.row, result.seen, versions) ? state : undefined
    }
    if (result.kind !== 'refused') return applied(state, id, call.changes, (...row) => versions.mayFit(...row))
    return applied(state, id, call.changes, (...row) => versions.surelyFit(...row)) === undefined ? state : undefined
  }

  function search(left: readonly Operation[], state: State): boolean {
    let open = left
    for (;;) {
      if (++steps > maxSteps) return false
      if (!open.some(isRequired)) return true
      const horizon = open.reduce((least, { end }) => Math.min(least, end), Infinity)
      const candidates = open.filter(({ begin }) => begin <= horizon)
      const idle = candidates.find((operation) => isRequired(operation) && after(state, operation) === state)
      if (idle === undefined) {
        const key = `${open.map(({ id }) => id).join()} ${textOf(state)}`
        if (seen.has(key)) return false
        seen.add(key)
        return candidates.some((operation) => {
          const next = after(state, operation)
          if (next === undefined) return false
          return search(
            open.filter((other) => other !== operation),
            next,
          )
        })
      }
      open = open.filter((operation) => operation !== idle)
    }
  }

  if (search(operations, empty)) return 'explained'
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
