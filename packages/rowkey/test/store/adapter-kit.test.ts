import { bucket, int32, RowkeyError, text } from '#codec'
import { defineTable, renameTable, type TableSchema } from '#model'
import {
  byColumns,
  Cancellation,
  catalogOfJSON,
  catalogToJSON,
  checkOptionNames,
  closed,
  failedBy,
  InFlight,
  KeyedMutex,
  keyOf,
  type Mutation,
  newCatalog,
  OpenTables,
  parseObject,
  partitionOf,
  Sweep,
} from '#store/adapter'
import { describe, expect, test } from 'vitest'

const Notes = defineTable('notes', { columns: { host: text(), id: text(), note: text() }, partition: ['host'], key: ['id'] })

describe('calls in flight', () => {
  const open = (): InFlight => new InFlight(() => closed('the store', 'Open another.'))

  test('close() waits for the calls that have begun, and no other begins', async () => {
    const calls = open()
    const order: string[] = []
    let finish = (): void => undefined
    const writing = calls.run(() => new Promise<void>((resolve) => (finish = resolve))).then(() => order.push('written'))
    const closing = calls.close().then(() => order.push('closed'))
    await expect(calls.run(() => Promise.resolve(1))).rejects.toMatchObject({ code: 'CLOSED' })
    expect(() => calls.mustBeOpen()).toThrow('CLOSED')
    expect(order).toEqual([])
    finish()
    await Promise.all([writing, closing])
    expect(order).toEqual(['written', 'closed'])
  })

  test('a call that throws or rejects is over, and its error is its own', async () => {
    const calls = open()
    await expect(calls.run(() => Promise.reject(new Error('late')))).rejects.toThrow('late')
    const thrower = (): Promise<void> => {
      throw new Error('at once')
    }
    await expect(calls.run(thrower)).rejects.toThrow('at once')
    await expect(calls.close()).resolves.toBeUndefined()
  })
})

test('a stored catalog calls the value columns values, keeps the order of its fields, and is read back with fields of others', () => {
  const catalog = { ...newCatalog(Notes), store: { table: 7 } }
  const stored = JSON.stringify(catalogToJSON(catalog))
  expect(Object.keys(JSON.parse(stored) as object)).toEqual(['format', 'schema', 'values', 'store'])
  expect(catalogOfJSON(parseObject(stored))).toEqual(JSON.parse(JSON.stringify(catalog)))
  expect(catalogOfJSON({ ...catalogToJSON(catalog), later: 1 })).toMatchObject({ later: 1, valueColumns: ['note'] })
  for (const damaged of ['', '[]', '1', '{"values":[]}', '{"schema":{}}', '{"schema":null,"values":[]}', '{"schema":{},"values":"note"}']) {
    expect(catalogOfJSON(parseObject(damaged)), damaged).toBeUndefined()
  }
})

test('the key of a mutation is the one it brings along, else it is encoded', () => {
  const mutation: Mutation = { kind: 'delete', schema: Notes, row: ['web', 'a'] }
  const key = keyOf(mutation)
  expect(key.bytes).toEqual(Notes.layout.rowkey(['web', 'a']))
  expect(key.partitionBytes).toBe(Notes.layout.partition(0, ['web']).length)
  expect(keyOf({ ...mutation, key })).toBe(key)
})

test('the partition of a mutation is its table, its bucket and its partition columns', () => {
  const columns = { host: text(), n: int32(), note: text() }
  const Salted = defineTable('salted', { columns, partition: ['host'], key: ['n'], salt: bucket({ of: 'n', modulo: 3 }) })
  const partition = (host: string, n: number, schema: TableSchema = Salted): string =>
    partitionOf({ kind: 'delete', schema, row: [host, n] })
  expect(partition('web', 4)).toBe(partition('web', 1)) // both in bucket 1
  expect(partition('web', 2)).not.toBe(partition('web', 1))
  expect(partition('db', 1)).not.toBe(partition('web', 1))
  expect(partition('web', 1, renameTable(Salted, 'others'))).not.toBe(partition('web', 1))
  const key = Salted.layout.encodeKey(['web', 1])
  expect(key.partitionBytes).toBe(Salted.layout.partition(1, ['web']).length)
  expect(partitionOf({ kind: 'delete', schema: Salted, row: ['web', 1], key })).toBe(partition('web', 1))
})

test('readers are made once for each selection of columns, and at most 64 are remembered', () => {
  const made: (readonly number[] | undefined)[] = []
  const readerOf = byColumns((columns) => ({ number: made.push(columns) }))
  expect(readerOf(undefined)).toBe(readerOf(undefined))
  expect(readerOf([1, 2])).toBe(readerOf([1, 2]))
  expect(readerOf([12])).not.toBe(readerOf([1, 2]))
  expect(readerOf([])).not.toBe(readerOf(undefined))
  expect(made).toEqual([undefined, [1, 2], [12], []])
  const first = readerOf([1, 2])
  for (let column = 100; column < 200; column++) readerOf([column])
  expect(readerOf([1, 2])).not.toBe(first)
})

test('a RowkeyError fails its mutation; anything else is the fault of the adapter', () => {
  const cause = new RowkeyError('LIMIT_EXCEEDED', 'too long', {})
  expect(failedBy(cause)).toEqual({ kind: 'failed', cause })
  expect(() => failedBy(new TypeError('a bug'))).toThrow('a bug')
})

test('tables are found by the schema object they were opened with', () => {
  const tables = new OpenTables<string>()
  expect(tables.add(Notes, 'opened')).toBe('opened')
  expect(tables.of(Notes)).toBe('opened')
  expect(() => tables.of(defineTable('notes', { columns: { id: text() }, key: ['id'] }))).toThrow('TABLE_NOT_FOUND')
})

test('options that an adapter does not have are refused', () => {
  expect(() => checkOptionNames('store', { sync: true }, ['sync'])).not.toThrow()
  expect(() => checkOptionNames('store', { snyc: true }, ['sync'])).toThrow("store(): snyc cannot be true. The only option is 'sync'.")
  expect(() => checkOptionNames('store', { snyc: true }, ['path', 'sync', 'size'])).toThrow(
    "store(): snyc cannot be true. Did you mean 'sync'? The options are 'path' and 'sync' and 'size'.",
  )
  for (const given of [null, 1, 'x']) expect(() => checkOptionNames('store', given, ['sync'])).toThrow('INVALID_OPTION')
})

test('calls with one key take turns, also after one that fails; others do not wait, and a key is forgotten after its last call', async () => {
  const turns = new KeyedMutex()
  const log: string[] = []
  const call = (name: string, ends: Promise<unknown>) => async (): Promise<string> => {
    log.push(`${name} begins`)
    await ends
    log.push(`${name} ends`)
    return name
  }
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  const first = turns.run('a', call('first', released))
  const failing = turns.run('a', () => Promise.reject(new Error('fails')))
  const third = turns.run('a', call('third', Promise.resolve()))
  await turns.run('b', call('other', Promise.resolve()))
  expect(log).toEqual(['first begins', 'other begins', 'other ends'])
  release()
  await expect(failing).rejects.toThrow('fails')
  expect(await Promise.all([first, third])).toEqual(['first', 'third'])
  expect(log.slice(3)).toEqual(['first ends', 'third begins', 'third ends'])
  await new Promise((resolve) => setImmediate(resolve))
  expect((turns as unknown as { readonly last: ReadonlyMap<string, unknown> }).last.size).toBe(0)
})

test('a call whose caller has given up does not wait for its turn', async () => {
  const turns = new KeyedMutex()
  const stuck = turns.run('a', () => new Promise<never>(() => undefined))
  const cancellation = new Cancellation()
  const late = turns.run('a', () => Promise.resolve(cancellation.isOver), cancellation)
  cancellation.cancel(new Error('given up'))
  expect(await late).toBe(true)
  void stuck
})

test('a sweep continues where it stopped, goes on at the start, and ends where it began', async () => {
  const expired = new Set([1, 3, 5, 7, 9])
  const sweep = new Sweep<number>()
  const examined: number[] = []
  const purge = (limit: number): Promise<number> =>
    sweep.run(limit, async ({ from = -1, upTo = 9, left, stopAt }) => {
      let deleted = 0
      for (let place = from + 1; place <= upTo; place++) {
        examined.push(place)
        if (expired.delete(place) && ++deleted === left) {
          stopAt(place)
          break
        }
      }
      return deleted
    })
  expect(await purge(2)).toBe(2)
  expect(await purge(2)).toBe(2)
  expired.add(2)
  expect(await purge(5)).toBe(2)
  expect(examined).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7])
  expect(await purge(5)).toBe(0)
})
