import { text } from '#codec'
import { defineTable } from '#model'
import {
  BaseAdapter,
  Cancellation,
  closed,
  InFlight,
  newCatalog,
  type AdapterParts,
  type Capabilities,
  type PageSource,
  type StoreDescription,
  type TableStore,
  type WriteOptions,
} from '#store/adapter'
import { expect, test } from 'vitest'

const Notes = defineTable('notes', { columns: { id: text(), note: text() }, key: ['id'] })
const catalog = newCatalog(Notes)
const capabilities: Capabilities = {
  reverse: true,
  conditions: 'none',
  atomic: { scope: 'row', max: 1, isolated: true },
  eventual: false,
  limits: { partitionBytes: 10, sortKeyBytes: 10, valueBytes: 10 },
}
const pages: PageSource = { next: () => undefined, close: () => undefined }
const opened: TableStore = { get: () => [], scan: () => pages, fullScan: () => pages }
const options: WriteOptions = { now: 1 }

function adapterWith(store: StoreDescription, log: unknown[] = []): BaseAdapter {
  const told =
    <R>(what: string, result: R) =>
    (...args: readonly unknown[]): R => (log.push([what, ...args]), result)
  const parts: AdapterParts = {
    store,
    calls: new InFlight(() => closed('the store', 'Open another.')),
    catalogs: {
      ensure: told('ensure', Promise.resolve(catalog)),
      describe: told('describe', Promise.resolve(catalog)),
      drop: told('drop', Promise.resolve()),
    },
    open: told('open', opened),
    write: told('write', Promise.resolve([])),
  }
  return new BaseAdapter(parts)
}

test('an adapter has the facts of its store, and no others', () => {
  expect({ ...adapterWith({ name: 'tiny', capabilities }) }).toMatchObject({ name: 'tiny', capabilities })
  const [hints, names] = [{}, {}]
  expect(adapterWith({ name: 'tiny', capabilities, hints, names })).toMatchObject({ hints, names })
  expect(adapterWith({ name: 'tiny', capabilities })).toMatchObject({ hints: undefined, names: undefined })
})

test('every call reaches the part that answers it', async () => {
  const log: unknown[] = []
  const adapter = adapterWith({ name: 'tiny', capabilities }, log)
  const cancellation = new Cancellation()
  expect(adapter.table(Notes, catalog)).toBe(opened)
  expect(await adapter.write([], options)).toEqual([])
  const clock = (): number => 7
  expect(await adapter.ensureTable(Notes, { cancellation, clock })).toBe(catalog)
  expect(await adapter.ensureTable(Notes)).toBe(catalog)
  expect(await adapter.describeTable('notes')).toBe(catalog)
  await adapter.dropTable('notes', { cancellation })
  expect(log).toEqual([
    ['open', Notes, catalog],
    ['write', [], options],
    ['ensure', Notes, cancellation, clock],
    ['ensure', Notes, undefined, undefined],
    ['describe', 'notes'],
    ['drop', 'notes', cancellation],
  ])
})

test('after close() every call is refused, and none reaches the store', async () => {
  const log: unknown[] = []
  const adapter = adapterWith({ name: 'tiny', capabilities }, log)
  await adapter.close()
  expect(() => adapter.table(Notes, catalog)).toThrow('CLOSED')
  const calls = [
    () => adapter.write([], options),
    () => adapter.ensureTable(Notes),
    () => adapter.describeTable('notes'),
    () => adapter.dropTable('notes'),
  ]
  for (const call of calls) await expect(call()).rejects.toThrow('CLOSED')
  await adapter.close()
  expect(log).toEqual([])
})
