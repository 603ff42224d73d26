import { text } from '#codec'
import { defineTable, type TableSchema } from '#model'
import { BaseTable, Cancellation, closed, InFlight, type OpenTable, type PageSource, type ReadOptions } from '#store/adapter'
import { expect, test } from 'vitest'

const Notes = defineTable('notes', { columns: { id: text(), note: text() }, key: ['id'] })
const Sessions = defineTable('sessions', { columns: { id: text() }, key: ['id'], ttl: '1d' })
const strong: ReadOptions = { consistency: 'strong' }

interface Asked extends OpenTable {
  readonly log: unknown[]
}

const contextOf = (schema: TableSchema): Asked => ({ schema, log: [], calls: new InFlight(() => closed('the store', 'Open another.')) })
const pages: PageSource = { next: () => undefined, close: () => undefined }
const told =
  <A extends readonly unknown[], R>(what: string, result: R) =>
  (table: Asked, ...args: A): R => (table.log.push([what, ...args]), result)

const reads = {
  get: told('get', [undefined]),
  scan: told('scan', pages),
  fullScan: told('fullScan', pages),
  purge: (table: Asked) => ({ run: async (...args: readonly unknown[]) => (table.log.push(['purge', ...args]), 7) }),
}

test('every read is asked of the store with what it knows of the table', async () => {
  const context = contextOf(Sessions)
  const table = new BaseTable(context, { ...reads, splits: told('splits', ['a']) })
  const slice = { bucket: 0, from: { prefix: [], edge: 'before' }, to: { prefix: [], edge: 'after' }, reverse: false } as const
  const cancellation = new Cancellation()
  expect(await table.get([['a', null]], strong)).toEqual([undefined])
  expect(table.scan(slice, strong)).toBe(pages)
  expect(table.fullScan('c', strong)).toBe(pages)
  expect(await table.splits?.(2, strong)).toEqual(['a'])
  expect(await table.purgeExpired?.(5, 10, { cancellation })).toBe(7)
  expect(context.log).toEqual([
    ['get', [['a', null]], strong],
    ['scan', slice, strong],
    ['fullScan', 'c', strong],
    ['splits', 2, strong],
    ['purge', 5, 10, cancellation],
  ])
})

test('a store that reads tables only as a whole has no splits', () => {
  expect(new BaseTable(contextOf(Notes), reads).splits).toBeUndefined()
})

test('a store whose rows do not expire one by one has no purge', () => {
  const { purge: _, ...others } = reads
  expect(new BaseTable(contextOf(Sessions), others).purgeExpired).toBeUndefined()
})

test('a purge of rows that do not expire deletes none, and the store is not asked', async () => {
  const purge = (): never => {
    throw new Error('asked')
  }
  expect(await new BaseTable(contextOf(Notes), { ...reads, purge }).purgeExpired?.(5, 10)).toBe(0)
})

test('a closed store is not asked, and close() waits for a purge', async () => {
  const context = contextOf(Sessions)
  let finish: (deleted: number) => void = () => undefined
  const purge = () => ({ run: () => new Promise<number>((resolve) => (finish = resolve)) })
  const table = new BaseTable(context, { ...reads, splits: told('splits', ['a']), purge })
  const order: string[] = []
  const purging = table.purgeExpired?.(5, 10).then(() => order.push('purged'))
  const closing = context.calls.close().then(() => order.push('closed'))
  expect(() => table.get([], strong)).toThrow('CLOSED')
  expect(() => table.splits?.(2, strong)).toThrow('CLOSED')
  await expect(table.purgeExpired?.(5, 10)).rejects.toThrow('CLOSED')
  finish(1)
  await Promise.all([purging, closing])
  expect(order).toEqual(['purged', 'closed'])
  expect(context.log).toEqual([])
})
