import type { Adapter, Bound, Capabilities, Mutation, Outcome, Row, TableCatalog, TableSchema, Value } from 'rowkey/adapter'
import {
  grownCatalog,
  isExpired,
  latin1String,
  newCatalog,
  paging,
  readStoredKey,
  RowkeyError,
  rowkeyOf,
  tableNotFound,
} from 'rowkey/adapter'

/** A rowkey, one character per byte, and the row's values by physical name, so that columns may be added. */
type Entry = readonly [rowkey: string, values: ReadonlyMap<string, Value>]
type Table = readonly [catalog: TableCatalog, entries: Entry[]]
const bytesOf = (rowkey: string): Uint8Array => Uint8Array.from(rowkey, (byte) => byte.charCodeAt(0))
const limits = { partitionBytes: 1000, sortKeyBytes: 1000, valueBytes: 65_535 }
const atomic = { scope: 'row', max: 1, isolated: true } as const // what it lacks: batches that are applied as a whole
const capabilities: Capabilities = { reverse: true, conditions: 'version', atomic, eventual: false, limits }

/** The smallest store that keeps the contract: a sorted array per table, searched from its start. Read it before you write one. */
export function toy(): Adapter {
  const tables = new Map<string, Table>()
  let isClosed = false
  const known = (name: string): Table | undefined => {
    if (isClosed) throw new RowkeyError('CLOSED', 'the toy is closed.', {})
    return tables.get(name)
  }
  const entriesOf = ({ name }: TableSchema): Entry[] => {
    const table = known(name)
    if (table === undefined) throw tableNotFound(name)
    return table[1]
  }
  const find = (schema: TableSchema, key: Row): Entry | undefined => {
    const wanted = rowkeyOf(schema, key)
    return entriesOf(schema).find(([rowkey]) => rowkey === wanted)
  }
  const toRow = (schema: TableSchema, [rowkey, values]: Entry, wanted?: readonly number[]): Row => {
    const row = schema.columns.map(({ physical }, i) => ((wanted?.includes(i) ?? true) ? (values.get(physical) ?? null) : null))
    readStoredKey(schema, bytesOf(rowkey), row) // refuses what only a newer model holds
    return row
  }

  function write(mutation: Mutation, now: number): Outcome {
    const { schema, kind, row, version } = mutation
    const [entries, rowkey, old] = [entriesOf(schema), rowkeyOf(schema, row), find(schema, row)]
    const found = old === undefined ? undefined : toRow(schema, old)
    const current = found === undefined || isExpired(schema, found, now) ? undefined : found // a row that has expired is no row
    if (kind === 'insert' && current !== undefined) return { kind: 'conflict' }
    if ((kind === 'update' || version !== undefined) && current === undefined) return { kind: 'missing' }
    if (version !== undefined && current?.[schema.versionIndex] !== version) return { kind: 'conflict' }
    const kept = kind === 'update' ? [...(old?.[1] ?? [])] : [] // columns that this schema does not know among them
    const isSet = (position: number): boolean => kind !== 'update' || mutation.set.includes(position)
    const set = schema.columns.flatMap(({ physical }, i) => (isSet(i) ? [[physical, row[i] ?? null] as const] : []))
    const at = entries.filter(([other]) => other < rowkey).length
    entries.splice(at, old === undefined ? 0 : 1, ...(kind === 'delete' ? [] : [[rowkey, new Map([...kept, ...set])] as const]))
    return { kind: 'applied' }
  }
  return {
    name: 'toy',
    capabilities,
    table: (schema) => ({
      get: (keys, { columns }) => keys.map((key) => find(schema, key)).map((entry) => entry && toRow(schema, entry, columns)),
      scan: (slice, { columns }) =>
        paging(schema, slice, ({ bucket, from, to, reverse }, want) => {
          const edgeOf = (bound: Bound): string => {
            const edge = schema.layout.rowkeyBound(bucket, bound)
            return edge === null ? '\u0100' : latin1String(edge) // null is above all rowkeys
          }
          const [low, high] = [edgeOf(from), edgeOf(to)]
          const inside = entriesOf(schema).filter(([rowkey]) => rowkey >= low && rowkey < high)
          const page = (reverse ? inside.reverse() : inside).slice(0, want)
          return { rows: page.map((entry) => toRow(schema, entry, columns)), more: page.length < inside.length }
        }),
      fullScan: (checkpoint = '', { columns }) => ({
        next(want) {
          const rest = entriesOf(schema).filter(([rowkey]) => rowkey > checkpoint)
          const page = rest.slice(0, want)
          if (page.length === 0) return undefined
          checkpoint = page.at(-1)?.[0] ?? checkpoint
          return { rows: page.map((entry) => toRow(schema, entry, columns)), examined: page.length, checkpoint }
        },
        close: () => undefined,
      }),
    }),
    write: (batch, { now }) => batch.map((mutation) => write(mutation, now)),
    async ensureTable(schema) {
      const found = known(schema.name)
      const catalog = found === undefined ? newCatalog(schema) : grownCatalog(found[0], schema)
      tables.set(schema.name, [catalog, found?.[1] ?? []])
      return catalog
    },
    describeTable: async (name) => known(name)?.[0],
    dropTable: async (name) => void tables.delete(name),
    close: async () => void (isClosed = true),
  }
}
