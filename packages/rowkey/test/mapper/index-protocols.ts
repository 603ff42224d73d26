import type { Adapter } from 'rowkey'
import type { Mutation, Row, TableStore } from 'rowkey/adapter'
import { entriesSchema, Items, itemOf, tagOf, versionOf, type Operation, type Writing } from './index-actors.js'
import type { Actor } from './index-program.js'

// Other ways to keep an index than that of the mapper, on the same store: those that lose entries have to be found, and the others not.

const options = { now: 0 }
const read = { consistency: 'strong' } as const

interface Store {
  write(mutation: Mutation): Promise<boolean>
  row(): Promise<Row | undefined>
  entry(tag: string): Promise<Row | undefined>
}

async function storeOf(adapter: Adapter): Promise<Store> {
  const open = async (schema: typeof entriesSchema): Promise<TableStore> =>
    adapter.table(schema, (await adapter.describeTable(schema.name)) as never)
  const [rows, entries] = [await open(Items), await open(entriesSchema)]
  return {
    write: async (mutation) => (await adapter.write([mutation], options))[0]?.kind === 'applied',
    row: async () => (await rows.get([[1]], read))[0],
    entry: async (tag) => (await entries.get([[tag, 1]], read))[0],
  }
}

/** A writer that changes the tag of the row to each of these; undefined: it deletes the row. */
type Protocol = (store: Store, tag: string | undefined, version: string) => Promise<unknown>

const putEntry = (store: Store, tag: string, version: string): Promise<boolean> =>
  store.write({ kind: 'put', schema: entriesSchema, row: [tag, 1, version] })
const putRow = (store: Store, tag: string, version: string): Promise<boolean> =>
  store.write({ kind: 'put', schema: Items, row: itemOf(tag, version) })
const deleteRow = (store: Store): Promise<boolean> => store.write({ kind: 'delete', schema: Items, row: [1] })

/** Deletes the entry of the row as it was read. */
const eager =
  (isByVersion: boolean, isRowUnchanged: boolean): Protocol =>
  async (store, tag, version) => {
    const row = await store.row()
    const old = tagOf(row) as string | undefined
    const entry = old === undefined ? undefined : await store.entry(old)
    if (tag !== undefined) await putEntry(store, tag, version)
    if (!isRowUnchanged) await (tag === undefined ? deleteRow(store) : putRow(store, tag, version))
    else if (!(await changedRow(store, tag, version, row))) return
    if (old === undefined || old === tag || entry === undefined) return
    const condition = isByVersion ? { version: entry[2] as string } : {}
    await store.write({ kind: 'delete', schema: entriesSchema, row: [old, 1], ...condition })
  }

async function changedRow(store: Store, tag: string | undefined, version: string, row: Row | undefined): Promise<boolean> {
  const before = versionOf(row)
  if (tag === undefined) return before !== undefined && store.write({ kind: 'delete', schema: Items, row: [1], version: before })
  const after = itemOf(tag, version) as Row
  return before === undefined
    ? store.write({ kind: 'insert', schema: Items, row: after })
    : store.write({ kind: 'put', schema: Items, row: after, version: before })
}

export const protocols = {
  'the row, then its entry': async (store, tag, version) => {
    if (tag === undefined) return deleteRow(store)
    await putRow(store, tag, version)
    return putEntry(store, tag, version)
  },
  'the new entry, the row, a delete of the old entry': eager(false, false),
  'the same, and deletes only the version that it read': eager(true, false),
  'the same, if the row has the version that it read': eager(true, true),
  'the new entry, then the row': async (store, tag, version) => {
    if (tag === undefined) return deleteRow(store)
    await putEntry(store, tag, version)
    return putRow(store, tag, version)
  },
} as const satisfies Readonly<Record<string, Protocol>>

export const handWriter = (name: string, protocol: Protocol, tags: readonly (string | undefined)[]): Actor => ({
  name,
  kind: 'writer',
  open(adapter) {
    const opening = storeOf(adapter)
    return async () => {
      const store = await opening
      for (const [i, tag] of tags.entries()) await protocol(store, tag, `${name}.${i}`)
    }
  },
})

/** A scrubber that does not look whether an entry was put again. */
export const withoutVersion = (store: Adapter): Adapter =>
  overriding(store, {
    write: (batch, given) => store.write(batch.map((each) => (isRemoval(each) ? { ...each, version: undefined } : each)), given), // prettier-ignore
  })

/** What is known of the writes of a run. */
export class Known {
  private readonly writes = new Map<number, { readonly operation: Operation; hasEnded: boolean }>()

  reset(): void {
    this.writes.clear()
  }

  readonly told: NonNullable<Writing['told']> = (what, operation, at) => {
    this.writes.set(at, { operation, hasEnded: what === 'ends' })
  }

  /** Whether the write that put an entry last has ended. */
  hasEnded(at: number): boolean {
    return this.writes.get(at)?.hasEnded !== false
  }

  /** Whether every write that ever put an entry has ended. */
  haveEnded(tag: string): boolean {
    return [...this.writes.values()].every(({ operation, hasEnded }) => hasEnded || !operation.endsWith(tag))
  }
}

/** A scrubber to which those entries are old of which `isOld` says so, however long ago they were put. */
export function judging(store: Adapter, isOld: (tag: string, version: string) => boolean): Adapter {
  const told = new Map<string, string>()
  const aged = (row: Row): Row => {
    const [tag, id, version] = row as readonly [string, number, string]
    if (!isOld(tag, version)) return row
    const old = `0000000000${version.slice(10)}`
    told.set(old, version)
    return [tag, id, old]
  }
  const agedSource = (source: ReturnType<TableStore['fullScan']>): ReturnType<TableStore['fullScan']> => ({
    next: async (want) => {
      const page = await source.next(want)
      return page && { ...page, rows: page.rows.map(aged) }
    },
    close: () => source.close(),
  })
  return overriding(store, {
    write: (batch, given) =>
      store.write(batch.map((each) => (isRemoval(each) ? { ...each, version: told.get(each.version ?? '') ?? each.version } : each)), given), // prettier-ignore
    table(schema, catalog) {
      const table = store.table(schema, catalog)
      if (schema.name !== entriesSchema.name) return table
      return overriding(table, { fullScan: (checkpoint, given) => agedSource(table.fullScan(checkpoint, given)) })
    },
  })
}

const isRemoval = ({ kind, schema }: Mutation): boolean => kind === 'delete' && schema.name === entriesSchema.name

const overriding = <T extends object>(base: T, methods: Partial<T>): T => Object.assign(Object.create(base) as T, methods)
