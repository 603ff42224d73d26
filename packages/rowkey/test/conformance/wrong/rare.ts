import { grownCatalog, type Mutation, newCatalog, type Outcome, type PageSource, rowkeyOf, type TableCatalog } from '#store/adapter'
import { after, wrong, wrongReads, type Wrong } from './wrong.js'

const turn = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 0))

const isWhole = ({ kind }: Mutation): boolean => kind === 'put' || kind === 'insert'

/** A source that ends when it has given so many rows. */
function ending(source: PageSource, most: number): PageSource {
  let given = 0
  return {
    next: (want) =>
      given >= most
        ? undefined
        : after(source.next(want), (page) => {
            given += page?.rows.length ?? 0
            return page
          }),
    close: () => {
      source.close()
    },
  }
}

/** A source that is asked for another number of rows than is wanted. */
const asking = (source: PageSource, wanted: (want: number) => number): PageSource => ({
  next: (want) => source.next(wanted(want)),
  close: () => {
    source.close()
  },
})

/** Mistakes that small tables, short batches and patient callers do not show. */
export const rareMistakes: readonly Wrong[] = [
  wrongReads('a page is cut at 1,000 rows and taken for the end', 'ADAPTER-3', (store) => ({
    scan(slice, options) {
      const source = store.scan(slice, options)
      let isCut = false
      return {
        next(want) {
          if (isCut) return undefined
          isCut = want > 1000
          return source.next(Math.min(want, 1000))
        },
        close: () => {
          source.close()
        },
      }
    },
  })),
  wrongReads('a scan ends after 1,500 rows', 'ADAPTER-3', (store) => ({
    scan: (slice, options) => ending(store.scan(slice, options), 1500),
  })),
  wrongReads('a full scan ends after 200 rows', 'ADAPTER-5', (store) => ({
    fullScan: (checkpoint, options) => ending(store.fullScan(checkpoint, options), 200),
  })),
  wrongReads('a table with many columns is read row by row', 'SCAN-14', (store, { columns }) =>
    columns.length > 100 ? { scan: (slice, options) => asking(store.scan(slice, options), () => 1) } : {},
  ),
  wrongReads('a full scan of a table with many columns is read row by row', 'SCAN-14', (store, { columns }) =>
    columns.length > 100 ? { fullScan: (checkpoint, options) => asking(store.fullScan(checkpoint, options), () => 1) } : {},
  ),
  wrongReads('a table whose rows expire is read row by row', 'SCAN-15', (store, { expiryIndex }) =>
    expiryIndex > 0 ? { scan: (slice, options) => asking(store.scan(slice, options), () => 1) } : {},
  ),
  wrongReads('a full scan of a table whose rows expire is read row by row', 'SCAN-15', (store, { expiryIndex }) =>
    expiryIndex > 0 ? { fullScan: (checkpoint, options) => asking(store.fullScan(checkpoint, options), () => 1) } : {},
  ),
  wrongReads('a page reads more rows than it is asked for, and so what has expired among them', 'SCAN-15', (store) => ({
    scan: (slice, options) => asking(store.scan(slice, options), (want) => want + 100),
  })),
  wrong('columns that a put leaves unset are cleared', 'WRITE-24', (base) => ({
    capabilities: { ...base.capabilities, unsetNulls: true },
    write: (batch, options) =>
      base.write(
        batch.map((mutation): Mutation => (mutation.kind === 'put' ? { ...mutation, nulls: undefined } : mutation)),
        options,
      ),
  })),
  wrong('rows of more than 150 KB lose their last column', 'ROW-1', (base) => ({
    write(batch, options) {
      const size = ({ row }: Mutation): number =>
        row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0)
      const cut = batch.map((mutation): Mutation =>
        isWhole(mutation) && size(mutation) > 150_000 ? { ...mutation, row: [...mutation.row.slice(0, -1), null] } : mutation,
      )
      return base.write(cut, options)
    },
  })),
  wrong('two tables in a batch are told apart by rowkey only', 'ADAPTER-6', (base) => ({
    write(batch, options) {
      const last = new Map(batch.map((mutation, i) => [rowkeyOf(mutation.schema, mutation.row), i]))
      const isKept = batch.map((mutation, i) => last.get(rowkeyOf(mutation.schema, mutation.row)) === i)
      const kept = batch.filter((_, i) => isKept[i])
      return after(base.write(kept, options), (outcomes) => {
        let at = 0
        return isKept.map((each): Outcome => (each ? (outcomes[at++] as Outcome) : { kind: 'applied' }))
      })
    },
  })),
  wrong('atomic batches of more than 25 are cut into several', 'ADAPTER-11', (base) => ({
    async write(batch, options) {
      if (options.atomic === undefined) return base.write(batch, options)
      const outcomes: Outcome[] = []
      for (let at = 0; at < batch.length; at += 25) {
        outcomes.push(...(await base.write(batch.slice(at, at + 25), { ...options, atomic: `${options.atomic} ${at}` })))
      }
      return outcomes
    },
  })),
  wrong('half of an atomic batch is seen for a while, though the store says isolated', 'ADAPTER-11', (base) => ({
    async write(batch, options) {
      if (options.atomic === undefined || !batch.every(({ kind }) => kind === 'put')) return base.write(batch, options)
      const half = batch.length >> 1
      const { now } = options
      const first = await base.write(batch.slice(0, half), { now })
      await turn()
      return [...first, ...(await base.write(batch.slice(half), { now }))]
    },
  })),
  wrong('an atomic batch ignores versions', 'ADAPTER-10', (base) => ({
    write: (batch, options) =>
      base.write(options.atomic === undefined ? batch : batch.map(({ version: _, ...mutation }) => mutation as Mutation), options),
  })),
  wrong('an atomic batch does not look at expiry', 'ADAPTER-8', (base) => ({
    write: (batch, options) => base.write(batch, options.atomic === undefined ? options : { ...options, now: 0 }),
  })),
  wrong('a table without expiry loses its versions', 'ADAPTER-10', (base) => ({
    write(batch, options) {
      const without = batch.map((mutation): Mutation => {
        const { versionIndex, expiryIndex } = mutation.schema
        if (!isWhole(mutation) || versionIndex < 0 || expiryIndex >= 0) return mutation
        return { ...mutation, row: mutation.row.map((value, i) => (i === versionIndex ? null : value)) }
      })
      return base.write(without, options)
    },
  })),
  wrong('a conflict tells of the row that was to be written', 'WRITE-1', (base) => ({
    write: (batch, options) =>
      after(base.write(batch, options), (outcomes) =>
        outcomes.map((outcome, i): Outcome => (outcome.kind === 'conflict' ? { ...outcome, current: batch[i]?.row ?? [] } : outcome)),
      ),
  })),
  wrong('a write with a deadline is applied, and said to be unprocessed', 'SCAN-1', (base) => ({
    write: (batch, options) =>
      after(base.write(batch, options), (outcomes) =>
        options.cancellation === undefined ? outcomes : outcomes.map((): Outcome => ({ kind: 'unprocessed' })),
      ),
  })),
  wrong('says that it keeps the order of writes, and a put waits for nobody while others wait for a moment', 'WRITE-23', (base) => ({
    capabilities: { ...base.capabilities, ordered: 100 },
    async write(batch, options) {
      const isLate = batch[0]?.kind !== 'put' || batch.length > 1
      if (isLate) await turn()
      return base.write(batch, options)
    },
  })),
  wrong('answers a write before it is applied', 'WRITE-23', (base) => ({
    async write(batch, options) {
      if (batch[0]?.kind !== 'put' || batch[0].row[1] !== 1) return base.write(batch, options)
      void turn()
        .then(async () => base.write(batch, options))
        .catch(() => undefined) // it may be closed by then
      return batch.map((): Outcome => ({ kind: 'applied' }))
    },
  })),
  wrong('of two that make a table grow at once, one wins', 'ADAPTER-7', (base) => {
    const catalogs = new Map<string, TableCatalog>()
    return {
      async ensureTable(schema) {
        const known = catalogs.get(schema.name)
        await turn()
        const catalog = known === undefined ? newCatalog(schema) : grownCatalog(known, schema)
        catalogs.set(schema.name, catalog)
        await base.ensureTable(schema)
        return catalog
      },
      async describeTable(name) {
        await base.describeTable(name)
        return catalogs.get(name)
      },
      dropTable(name) {
        catalogs.delete(name)
        return base.dropTable(name)
      },
    }
  }),
]
