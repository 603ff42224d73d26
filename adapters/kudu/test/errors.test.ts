import { kudu } from '@rowkey/kudu'
import { KuduClient, KuduError, type KuduErrorCode } from '@rowkey/kudu-client'
import { createMapper, defineTable, int32, isRowkeyError, kuduHash, nullable, text, uint64 } from 'rowkey'
import { expect, test } from 'vitest'
import { refusalOf } from '../../../test/kit/refusal.js'
import { errorOf } from '../src/errors.js'
import { adapterOver, catalogOf, tableOf, type Answers } from './fake.js'

const salt = kuduHash({ of: 'id', count: 2 })
const Rows = defineTable('rows', { columns: { id: int32(), a: nullable(text()) }, key: ['id'], salt })

const error = (code: KuduErrorCode, isSent: boolean, more: object = {}): KuduError =>
  new KuduError(code, `fails: ${code}`, { isSent, ...more })

/** Rows over a client all calls of which fail like this, except that the table opens. */
function failing(thrown: KuduError, openTable: Answers['openTable'] = () => Promise.resolve(tableOf(Rows))) {
  const fail = (): Promise<never> => Promise.reject(thrown)
  const scanner = { next: fail, close: () => Promise.resolve() }
  const adapter = adapterOver({
    openTable,
    write: (operations) => Promise.resolve({ errors: operations.map(() => thrown) }),
    tablets: () =>
      Promise.resolve([
        { id: 't', buckets: [0], rangeStart: new Uint8Array(), rangeEnd: new Uint8Array(), replicas: [] },
        { id: 'u', buckets: [1], rangeStart: new Uint8Array(), rangeEnd: new Uint8Array(), replicas: [] },
      ]),
    scan: () => scanner,
    getMany: fail,
  })
  adapter.describeTable = () => Promise.resolve(catalogOf(Rows))
  return createMapper(adapter, { retry: { attempts: 1 } }).repository(Rows)
}

test.each([
  ['CONNECTION_LOST', true, {}, 'STORE_UNAVAILABLE', 'OUTCOME_UNKNOWN'],
  ['CONNECTION_LOST', false, {}, 'STORE_UNAVAILABLE', 'WRITE_FAILED'],
  ['UNREACHABLE', false, {}, 'STORE_UNAVAILABLE', 'WRITE_FAILED'],
  ['TIMEOUT', true, {}, 'STORE_UNAVAILABLE', 'OUTCOME_UNKNOWN'],
  ['TIMEOUT', false, {}, 'STORE_UNAVAILABLE', 'WRITE_FAILED'],
  ['SERVER', true, { status: 'ILLEGAL_STATE' }, 'STORE_UNAVAILABLE', 'OUTCOME_UNKNOWN'],
  ['SERVER', false, { status: 'SERVICE_UNAVAILABLE' }, 'STORE_UNAVAILABLE', 'WRITE_FAILED'],
  ['NOT_AUTHORIZED', false, {}, 'STORE_REFUSED', 'WRITE_FAILED'],
  ['INVALID_ARGUMENT', false, {}, 'STORE_REFUSED', 'WRITE_FAILED'],
  ['MALFORMED_ANSWER', true, {}, 'ADAPTER_FAULT', 'OUTCOME_UNKNOWN'],
  ['CLOSED', false, {}, 'CLOSED', 'WRITE_FAILED'],
  // A tablet that is gone, of a table that is not.
  ['NOT_FOUND', true, { status: 'TABLET_NOT_FOUND' }, 'STORE_UNAVAILABLE', 'OUTCOME_UNKNOWN'],
] as const)('%s (sent: %s, %o): a read is %s, a write %s', async (code, isSent, more, read, write) => {
  const rows = failing(error(code, isSent, more))
  await expect(rows.get({ id: 1 })).rejects.toMatchObject({ code: read })
  await expect(rows.getMany([{ id: 1 }, { id: 2 }])).rejects.toMatchObject({ code: read })
  await expect(rows.scan({}, { unbounded: true }).toArray()).rejects.toMatchObject({ code: read })
  await expect(rows.readAll().toArray()).rejects.toMatchObject({ code: read })
  for (const run of [
    () => rows.put({ id: 1, a: 'x' }),
    () => rows.insert({ id: 1, a: null }),
    () => rows.delete({ id: 1 }),
    () => rows.update({ id: 1 }, { a: 'x' }),
  ]) {
    await expect(run()).rejects.toMatchObject({ code: write })
  }
})

test('NO_PARTITION: a read is STORE_REFUSED, a row is refused, and where no row can be there is none to change and nothing to delete', async () => {
  const rows = failing(error('NO_PARTITION', false, {}))
  await expect(rows.get({ id: 1 })).rejects.toMatchObject({ code: 'STORE_REFUSED' })
  await expect(rows.put({ id: 1, a: 'x' })).rejects.toMatchObject({ code: 'NO_PARTITION', details: { key: { id: 1 } } })
  await expect(rows.insert({ id: 1, a: null })).rejects.toMatchObject({ code: 'NO_PARTITION' })
  await expect(rows.update({ id: 1 }, { a: 'x' })).rejects.toMatchObject({ code: 'ROW_NOT_FOUND' })
  await rows.delete({ id: 1 })
})

test('a tablet that is gone of a table that is gone, or is another one by now, is TABLE_NOT_FOUND', async () => {
  for (const gone of [() => Promise.reject(error('NOT_FOUND', true)), () => Promise.resolve(tableOf(Rows, [], 'table-2'))]) {
    for (const run of [
      (rows: ReturnType<typeof failing>) => rows.get({ id: 1 }),
      (rows: ReturnType<typeof failing>) => rows.put({ id: 1, a: 'x' }),
      (rows: ReturnType<typeof failing>) => rows.delete({ id: 1 }),
      (rows: ReturnType<typeof failing>) => rows.scan({ id: 1 }, { unbounded: true }).toArray(),
    ]) {
      let opened = 0
      const rows = failing(error('NOT_FOUND', true, { status: 'TABLET_NOT_FOUND' }), () =>
        opened++ === 0 ? Promise.resolve(tableOf(Rows)) : gone(),
      )
      await expect(run(rows)).rejects.toMatchObject({ code: 'TABLE_NOT_FOUND' })
    }
  }
})

test('a server that is not there is STORE_UNAVAILABLE for tables, and after close() everything is CLOSED', async () => {
  const client = new KuduClient({ masters: ['127.0.0.1:1'], timeout: 300 })
  const adapter = kudu(client, { hash: 2 })
  for (const run of [() => adapter.describeTable('rows'), () => adapter.dropTable('rows'), () => adapter.ensureTable(Rows)]) {
    await expect(run()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', details: { adapter: 'kudu', reason: 'unanswered' } })
  }
  await client.close()
  await expect(adapter.describeTable('rows')).rejects.toMatchObject({ code: 'CLOSED' })
  await adapter.close()
  await expect(adapter.describeTable('rows')).rejects.toMatchObject({ code: 'CLOSED' })
})

test('ERR-1: what Kudu does not allow is a lasting refusal with a remedy; errors of others stay as they are', async () => {
  const refused = await refusalOf(() => failing(error('NOT_AUTHORIZED', false)).get({ id: 1 }))
  expect(refused).toMatchObject({ code: 'STORE_REFUSED', details: { adapter: 'kudu', table: 'rows', reason: 'access' } })
  expect(refused.message).toContain('Give the user of the client this permission')
  const aborted = error('ABORTED', true)
  const foreign = new Error('of others')
  expect([errorOf('rows', aborted), errorOf('rows', foreign)]).toEqual([aborted, foreign])
})

test('tables that Kudu cannot have are NOT_SUPPORTED before anything is sent', async () => {
  const adapter = adapterOver({})
  const columns = { id: int32(), a: nullable(text()) }
  const bare = kudu(new KuduClient({ masters: ['127.0.0.1:1'] }))
  const cases: readonly (readonly [() => unknown, string])[] = [
    [() => bare.ddl(defineTable('bare', { columns, key: ['id'] })), 'Kudu has no default partitioning'],
    [
      () => adapter.ddl(defineTable('strict', { columns: { id: uint64() }, key: ['id'], stores: { kudu: { strict: true } } })),
      "its key column 'id' would be the bytes",
    ],
    [() => adapter.ddl(defineTable('rk_mine', { columns, key: ['id'] })), 'not beginning with rk_'],
    [
      () => adapter.ddl(defineTable('mine', { columns: { ...columns, b: nullable(text({ name: 'rk_b' })) }, key: ['id'] })),
      'not beginning with rk_',
    ],
  ]
  for (const [run, message] of cases) {
    const refused = await refusalOf(run)
    expect([refused.code, refused.message.includes(message) || refused.message]).toEqual(['NOT_SUPPORTED', true])
  }
  expect(
    isRowkeyError(
      await refusalOf(() => adapter.ddl(defineTable('hinted', { columns, key: ['id'], stores: { kudu: { strict: 1 } } } as never))),
      'INVALID_OPTION',
    ),
  ).toBe(true)
})
