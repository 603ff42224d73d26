/** A row of the object as far as it is told apart: two columns, a sum, and who wrote it last. */
export interface RegisterRow {
  readonly a: number | null
  readonly b: number | null
  /** Every increment adds another power of four, so the digits tell which were applied, and how often. */
  readonly n: bigint
  readonly by: number
}

/** What is observed: one partition of two rows, which atomic batches write together. */
export type State = readonly [RegisterRow | undefined, RegisterRow | undefined]

export const empty: State = [undefined, undefined]

/** What the values of a row must be. */
export type Condition =
  | { readonly column: 'a' | 'b'; readonly equals: number | null }
  /** The sum is smaller. */
  | { readonly column: 'n'; readonly below: bigint }

/** One row's part of an operation. */
export interface Change {
  readonly row: 0 | 1
  readonly kind: 'put' | 'insert' | 'update' | 'delete' | 'upsert' | 'increment'
  /** The column that an update or an upsert changes. */
  readonly column?: 'a' | 'b'
  /** What an increment adds. */
  readonly amount?: bigint
  /** Whether an increment creates the row if there is none. */
  readonly creates?: boolean
  /** The version that the row must have. */
  readonly onVersion?: string
  readonly condition?: Condition
}

/** A call of a client, and how it ended. What is written is the number of the operation, so every value tells who wrote it. */
export interface Operation {
  readonly id: number
  readonly client: number
  readonly begin: number
  /** Infinity where nobody knows whether it was applied: it may be at any time, or never. */
  readonly end: number
  /** When the call ended, also where nobody knows whether it was applied; `end` by default. */
  readonly returned?: number
  readonly call: { readonly kind: 'get'; readonly row: 0 | 1 } | { readonly kind: 'write'; readonly changes: readonly Change[] }
  readonly result: Result
}

export type Result =
  /** A delete of a `deleteAll()` that may have found its row or not: it took effect if the row met the scan. */
  | { readonly kind: 'either' }
  /** `seen` of a get; `versions` by change, where the table has them. */
  | { readonly kind: 'done'; readonly seen?: Seen | undefined; readonly versions?: readonly (string | undefined)[] }
  /** A condition did not hold. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'unknown' }

/** What a get returned; `version` where the table has one. */
export interface Seen {
  readonly a: number | null
  readonly b: number | null
  readonly n: bigint
  readonly version?: string | undefined
}

/** Which operation gave a row which version, as far as clients were told or can tell from what they read. */
export class Versions {
  private readonly given = new Map<string, string>()
  private readonly owners = new Set<string>()

  constructor(history: readonly Operation[]) {
    for (const { id, call, result } of history) {
      if (call.kind !== 'write' || result.kind !== 'done') continue
      call.changes.forEach(({ row }, i) => this.learn(id, row, result.versions?.[i]))
    }
    const reads = history.flatMap(({ call, result }) =>
      call.kind === 'get' && result.kind === 'done' && result.seen?.version !== undefined ? [{ row: call.row, ...result.seen }] : [],
    )
    const increments = history.flatMap(({ id, call }) =>
      call.kind === 'write' ? call.changes.flatMap(({ row, amount }) => (amount === undefined ? [] : [{ id, row, amount }])) : [],
    )
    // A row was last written by whoever wrote one of its columns; what one read tells may make another one clear.
    for (let known = -1; known < this.owners.size;) {
      known = this.owners.size
      for (const { row, a, b, n, version = '' } of reads) {
        const added = increments.flatMap((each) => (each.row === row && (n / each.amount) % 4n !== 0n ? [each.id] : []))
        const may = [...new Set([a, b, ...added])].filter((id) => id !== null && !this.given.has(`${id} ${row}`))
        if (may.length === 1 && !this.owners.has(version)) this.learn(may[0] as number, row, version)
      }
    }
  }

  /** Whether a row may have this version. Of a write whose outcome nobody was told, and that nobody has read, the version is not known. */
  mayFit(found: RegisterRow, row: 0 | 1, version: string): boolean {
    return this.given.has(`${found.by} ${row}`) ? this.surelyFit(found, row, version) : !this.owners.has(version)
  }

  surelyFit({ by }: RegisterRow, row: 0 | 1, version: string): boolean {
    return this.given.get(`${by} ${row}`) === version
  }

  private learn(id: number, row: 0 | 1, version: string | undefined): void {
    if (version === undefined) return
    this.given.set(`${id} ${row}`, version)
    this.owners.add(version)
  }
}

/** The state after an operation that was applied; undefined if one of its conditions does not hold, those on versions by `fit`. */
export function applied(
  state: State,
  id: number,
  changes: readonly Change[],
  fit: (found: RegisterRow, row: 0 | 1, version: string) => boolean,
): State | undefined {
  const next: [RegisterRow | undefined, RegisterRow | undefined] = [...state]
  for (const change of changes) {
    const { row, kind, column = 'a', amount = 0n } = change
    const old = state[row]
    if (old === undefined ? needsRow(change) : kind === 'insert') return undefined
    if (change.onVersion !== undefined && old !== undefined && !fit(old, row, change.onVersion)) return undefined
    if (change.condition !== undefined && old !== undefined && !meets(old, change.condition)) return undefined
    const { a, b, n } = old ?? { a: null, b: null, n: 0n }
    if (kind === 'delete') next[row] = undefined
    else if (kind === 'update' || kind === 'upsert') next[row] = { a, b, n, [column]: id, by: id }
    else if (kind === 'increment') next[row] = { a, b, n: n + amount, by: id }
    else next[row] = { a: id, b: null, n: 0n, by: id }
  }
  return next
}

const needsRow = ({ kind, creates, onVersion, condition }: Change): boolean =>
  kind === 'update' || (kind === 'increment' && creates !== true) || onVersion !== undefined || condition !== undefined

/** Whether a row meets a condition. */
export function meets(row: Pick<RegisterRow, 'a' | 'b' | 'n'>, condition: Condition): boolean {
  return condition.column === 'n' ? row.n < condition.below : row[condition.column] === condition.equals
}

/** Whether a get may return this in a state. */
export function mayBeSeen(state: State, row: 0 | 1, seen: Seen | undefined, versions: Versions): boolean {
  const found = state[row]
  if (found === undefined || seen === undefined) return found === undefined && seen === undefined
  if (found.a !== seen.a || found.b !== seen.b || found.n !== seen.n) return false
  return seen.version === undefined || versions.mayFit(found, row, seen.version)
}

export const textOf = (state: State): string =>
  state.map((row) => (row === undefined ? '-' : `${row.a},${row.b},${row.n},${row.by}`)).join(' ')
