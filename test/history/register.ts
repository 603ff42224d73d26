/** A row of the object as far as it is told apart: two columns, and who wrote it last. */
export interface RegisterRow {
  readonly a: number | null
  readonly b: number | null
  readonly by: number
}

/** What is observed: one partition of two rows, which atomic batches write together. */
export type State = readonly [RegisterRow | undefined, RegisterRow | undefined]

export const empty: State = [undefined, undefined]

/** One row's part of an operation. */
export interface Change {
  readonly row: 0 | 1
  readonly kind: 'put' | 'insert' | 'update' | 'delete'
  /** The column that an update changes. */
  readonly column?: 'a' | 'b'
  /** The version that the row must have. */
  readonly ifVersion?: string
}

/** A call of a client, and how it ended. What is written is the number of the operation, so every value tells who wrote it. */
export interface Operation {
  readonly id: number
  readonly client: number
  readonly begin: number
  /** Infinity where nobody knows whether it was applied: it may be at any time, or never. */
  readonly end: number
  readonly call: { readonly kind: 'get'; readonly row: 0 | 1 } | { readonly kind: 'write'; readonly changes: readonly Change[] }
  readonly result: Result
}

export type Result =
  /** `seen` of a get; `versions` by change, where the table has them. */
  | { readonly kind: 'done'; readonly seen?: Seen | undefined; readonly versions?: readonly (string | undefined)[] }
  /** A condition did not hold. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'unknown' }

/** What a get returned; `version` where the table has one. */
export interface Seen {
  readonly a: number | null
  readonly b: number | null
  readonly version?: string | undefined
}

/** Which operation gave a row which version, as far as clients were told. */
export class Versions {
  private readonly given = new Map<string, string>()
  private readonly owners = new Map<string, string>()

  constructor(history: readonly Operation[]) {
    for (const { id, call, result } of history) {
      if (call.kind !== 'write' || result.kind !== 'done') continue
      call.changes.forEach(({ row }, i) => {
        const version = result.versions?.[i]
        if (version === undefined) return
        this.given.set(`${id} ${row}`, version)
        this.owners.set(version, `${id} ${row}`)
      })
    }
  }

  /** Whether a row can have this version. Of a write whose outcome nobody was told the version is not known: then it may. */
  fits({ by }: RegisterRow, row: 0 | 1, version: string): boolean {
    const known = this.given.get(`${by} ${row}`)
    return known === undefined ? !this.owners.has(version) : known === version
  }
}

/** The state after an operation that was applied; undefined if one of its conditions does not hold. */
export function applied(state: State, id: number, changes: readonly Change[], versions: Versions): State | undefined {
  const next: [RegisterRow | undefined, RegisterRow | undefined] = [...state]
  for (const change of changes) {
    const { row, kind } = change
    const old = state[row]
    if (kind === 'insert' && old !== undefined) return undefined
    if ((kind === 'update' || change.ifVersion !== undefined) && old === undefined) return undefined
    if (change.ifVersion !== undefined && old !== undefined && !versions.fits(old, row, change.ifVersion)) return undefined
    if (kind === 'delete') next[row] = undefined
    else if (kind === 'update' && old !== undefined) next[row] = { ...old, [change.column ?? 'a']: id, by: id }
    else next[row] = { a: id, b: null, by: id }
  }
  return next
}

/** Whether a get may return this in a state. */
export function mayBeSeen(state: State, row: 0 | 1, seen: Seen | undefined, versions: Versions): boolean {
  const found = state[row]
  if (found === undefined || seen === undefined) return found === undefined && seen === undefined
  if (found.a !== seen.a || found.b !== seen.b) return false
  return seen.version === undefined || versions.fits(found, row, seen.version)
}

export const textOf = (state: State): string => state.map((row) => (row === undefined ? '-' : `${row.a},${row.b},${row.by}`)).join(' ')
