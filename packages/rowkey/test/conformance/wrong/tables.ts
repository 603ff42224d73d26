import { grownCatalog, type PageSource, type Row, type TableCatalog, type TableSchema } from '#store/adapter'
import { isRowkeyError } from '#codec'
import { memory } from '#memory'
import { delegateTable } from '../../../src/conformance/delegate.js'
import { after, mapped, wrong, wrongReads, type Wrong } from './wrong.js'

const catalogOf = (schema: TableSchema): TableCatalog => ({
  format: 1,
  schema: schema.toJSON(),
  valueColumns: schema.columns.slice(schema.keyLength).map(({ physical }) => physical),
})

/** A row as it looks to a model that takes the columns in the order of stored records for its own. */
const inRecordOrder = (row: Row, schema: TableSchema, { valueColumns: values }: TableCatalog): Row => {
  const names = schema.columns.map(({ physical }) => physical)
  return row.map((value, i) => (i < schema.keyLength ? value : (row[names.indexOf(values[i - schema.keyLength] ?? '')] ?? null)))
}

/** A source that ends where its table does not exist. */
const withoutTable = (source: PageSource): PageSource => ({
  next(want) {
    try {
      return source.next(want)
    } catch (error) {
      if (isRowkeyError(error, 'TABLE_NOT_FOUND')) return undefined
      throw error
    }
  },
  close: () => source.close(),
})

export const wrongTables: readonly Wrong[] = [
  wrong('the sign between two words of a table name is lost', 'TABLE-9', (base) => {
    const shared = new Map<string, TableSchema>()
    return {
      table(schema, catalog) {
        const [, prefix = '', sign] = /^(.*)a([_.:-])b$/.exec(schema.name) ?? []
        if (sign === undefined) return base.table(schema, catalog)
        const store = base.table(schema, catalog)
        const first = shared.get(prefix) ?? schema
        shared.set(prefix, first)
        return delegateTable(store, { get: (keys, options) => base.table(first, catalog).get(keys, options) })
      },
    }
  }),
  wrong('no catalog is kept: the table is what the model says', 'TABLE-2', (base) => ({
    async ensureTable(schema) {
      await base.ensureTable(schema)
      return catalogOf(schema)
    },
    describeTable: async () => undefined,
  })),
  wrong('long texts in a catalog are cut', 'TABLE-2', (base) => ({
    async describeTable(name) {
      const catalog = await base.describeTable(name)
      const cut = (_: string, value: unknown): unknown => (typeof value === 'string' ? value.slice(0, 48) : value)
      return catalog === undefined ? undefined : (JSON.parse(JSON.stringify(catalog, cut)) as TableCatalog)
    },
  })),
  wrong('a model with hints for another store is refused', 'TABLE-5', (base) => ({
    ensureTable(schema) {
      if (Object.keys(schema.stores).length > 0) throw new Error('there are hints')
      return base.ensureTable(schema)
    },
  })),
  wrong('a second ensureTable replaces the catalog', 'ADAPTER-7', (base) => {
    const catalogs = new Map<string, TableCatalog>()
    return {
      async ensureTable(schema) {
        await base.ensureTable(schema)
        catalogs.set(schema.name, catalogOf(schema))
        return catalogOf(schema)
      },
      describeTable: async (name) => catalogs.get(name),
      dropTable(name) {
        catalogs.delete(name)
        return base.dropTable(name)
      },
    }
  }),
  wrong('ensureTable trusts the catalog that it has read once, though it is old', 'ADAPTER-7', (base) => {
    const [known, catalogs] = [new Map<string, TableCatalog>(), new Map<string, TableCatalog>()]
    return {
      async ensureTable(schema) {
        const found = known.get(schema.name) ?? (await base.describeTable(schema.name))
        const made = await base.ensureTable(schema)
        const catalog = found === undefined ? made : grownCatalog(found, schema)
        known.set(schema.name, found ?? made)
        catalogs.set(schema.name, catalog)
        return catalog
      },
      async describeTable(name) {
        const made = await base.describeTable(name)
        return made === undefined ? undefined : { ...made, ...catalogs.get(name) }
      },
      async dropTable(name) {
        await base.dropTable(name)
        for (const each of [known, catalogs]) each.delete(name)
      },
    }
  }),
  wrong('stored records are read by the order of the model', 'TABLE-3', (base) => ({
    table(schema, catalog) {
      const store = base.table(schema, catalog)
      const rows = (list: readonly (Row | undefined)[]) => list.map((row) => row && inRecordOrder(row, schema, catalog))
      const source = (inner: PageSource): PageSource => mapped(inner, (page) => ({ ...page, rows: rows(page.rows) as readonly Row[] }))
      return delegateTable(store, {
        get: (keys, options) => after(store.get(keys, options), rows),
        scan: (slice, options) => source(store.scan(slice, options)),
        fullScan: (checkpoint, options) => source(store.fullScan(checkpoint, options)),
      })
    },
  })),
  wrong('an old model writes over the columns it does not know', 'TABLE-3', (base) => ({
    write(batch, options) {
      const outcomes = base.write(batch, options)
      for (const { kind, schema, row } of batch)
        if (kind === 'update' && schema.name.endsWith('kept') && schema.columns.length === 2)
          void base.write([{ kind: 'put', schema, row }], options)
      return outcomes
    },
  })),
  wrong('dropTable forgets the catalog and keeps the rows', 'TABLE-1', (base) => {
    const dropped = new Map<string, TableCatalog>()
    return {
      async dropTable(name) {
        const catalog = await base.describeTable(name)
        if (catalog !== undefined) dropped.set(name, catalog)
      },
      ensureTable(schema) {
        dropped.delete(schema.name)
        return base.ensureTable(schema)
      },
      describeTable: async (name) => (dropped.has(name) ? undefined : base.describeTable(name)),
    }
  }),
  wrong('writes with a condition to a table that was dropped are unprocessed', 'TABLE-10', (base) => ({
    async write(batch, options) {
      const known = await Promise.all(batch.map(({ schema }) => base.describeTable(schema.name)))
      const isLost = batch.some(({ conditions }, i) => conditions !== undefined && known[i] === undefined)
      return isLost ? batch.map(() => ({ kind: 'unprocessed' }) as const) : base.write(batch, options)
    },
  })),
  wrongReads('scans of a table that was dropped are empty', 'TABLE-10', (store) => ({
    scan: (slice, options) => withoutTable(store.scan(slice, options)),
  })),
  wrong('dropTable drops all tables whose names end alike', 'TABLE-4', (base) => {
    const names = new Set<string>()
    return {
      ensureTable(schema) {
        names.add(schema.name)
        return base.ensureTable(schema)
      },
      async dropTable(name) {
        const kin = [...names].filter((other) => other === name || name.endsWith(`x_${other.split('_').at(-1) ?? ''}`))
        for (const other of kin) await base.dropTable(other)
      },
    }
  }),
  wrong('close() waits for open pages', 'ADAPTER-13', (base) => {
    let open = 0
    return {
      table(schema, catalog) {
        const store = base.table(schema, catalog)
        return delegateTable(store, {
          scan(slice, options) {
            const source = store.scan(slice, options)
            open++
            return {
              next: (want) => after(source.next(want), (page) => (page === undefined && open--, page)),
              close() {
                source.close()
                open--
              },
            }
          },
        })
      },
      async close() {
        while (open > 0) await new Promise((resolve) => setTimeout(resolve, 1))
        await base.close()
      },
    }
  }),
  wrong('a store that was closed goes on', 'ADAPTER-13', () => ({ close: async () => undefined })),
  wrong('close() of a source throws the second time', 'SCAN-4', (base) => ({
    table(schema, catalog) {
      const store = base.table(schema, catalog)
      return delegateTable(store, {
        scan(slice, options) {
          const source = store.scan(slice, options)
          let closed = false
          return {
            next: (want) => source.next(want),
            close() {
              if (closed) throw new Error('closed twice')
              closed = true
              source.close()
            },
          }
        },
      })
    },
  })),
  {
    mistake: 'a store that declares less than it is said to have',
    caughtBy: 'SCAN-6',
    create: () => ({ ...delegateOf(), capabilities: { ...memory().capabilities, reverse: false } }),
  },
]

const delegateOf = () => {
  const base = memory()
  return {
    name: base.name,
    table: base.table.bind(base),
    write: base.write.bind(base),
    ensureTable: base.ensureTable.bind(base),
    describeTable: base.describeTable.bind(base),
    dropTable: base.dropTable.bind(base),
    close: base.close.bind(base),
  }
}
