import { hbase } from '@rowkey/hbase'
import { HBaseClient, HBaseError, type HBaseErrorCode, type Result } from '@rowkey/hbase-client'
import { createMapper, defineTable, int32, nullable, text } from 'rowkey'
import { expect, test } from 'vitest'

const Rows = defineTable('rows', { columns: { id: int32(), a: nullable(text()) }, key: ['id'] })
const Versioned = defineTable('rows', { columns: { id: int32(), a: nullable(text()) }, key: ['id'], version: 'rev' })

const catalogOf = (model: typeof Rows | typeof Versioned) =>
  ({ format: 1, schema: model.toJSON(), valueColumns: model.columns.slice(1).map(({ physical }) => physical), store: { id: 'x' } }) as const

/** An adapter whose table is open, over a client all calls of which fail like this from then on. */
async function failing(error: HBaseError, model: typeof Rows | typeof Versioned = Rows) {
  const client = new HBaseClient()
  const fail = (): Promise<never> => Promise.reject(error)
  const calls = ['get', 'getMany', 'put', 'putMany', 'delete', 'checkAndPut', 'checkAndDelete', 'checkAndMutate', 'mutateRow', 'scan']
  for (const call of calls) Object.defineProperty(client, call, { value: fail })
  Object.defineProperty(client, 'tableExists', { value: () => Promise.resolve(true) })
  const adapter = hbase(client)
  adapter.describeTable = () => Promise.resolve(catalogOf(model))
  return createMapper(adapter, { retry: { attempts: 1 } }).repository(model as typeof Rows)
} // prettier-ignore

/** What the AccessController of HBase says. */
const denied = {
  canRetry: false,
  javaClass: 'AccessDeniedException',
  serverMessage:
    'org.apache.hadoop.hbase.security.AccessDeniedException: Insufficient permissions (user=app, scope=default:rows, action=READ)',
}

const error = (code: HBaseErrorCode, isSent: boolean, more: object = {}): HBaseError =>
  new HBaseError(code, `fails: ${code}`, { isSent, ...more })

test.each([
  ['CONNECTION_LOST', true, {}, 'STORE_UNAVAILABLE', 'OUTCOME_UNKNOWN'],
  ['CONNECTION_LOST', false, {}, 'STORE_UNAVAILABLE', 'WRITE_FAILED'],
  ['UNREACHABLE', false, {}, 'STORE_UNAVAILABLE', 'WRITE_FAILED'],
  ['TIMEOUT', true, {}, 'STORE_UNAVAILABLE', 'OUTCOME_UNKNOWN'],
  ['TIMEOUT', false, {}, 'STORE_UNAVAILABLE', 'WRITE_FAILED'],
  ['GATEWAY', true, {}, 'STORE_UNAVAILABLE', 'OUTCOME_UNKNOWN'],
  ['SERVER', true, { canRetry: true, serverMessage: 'Failed 1 action' }, 'STORE_UNAVAILABLE', 'OUTCOME_UNKNOWN'],
  ['SERVER', true, { canRetry: false, serverMessage: 'no' }, 'STORE_UNAVAILABLE', 'WRITE_FAILED'],
  ['SERVER', true, { canRetry: false, serverMessage: 'rows' }, 'TABLE_NOT_FOUND', 'TABLE_NOT_FOUND'],
  ['SERVER', true, { canRetry: false, serverMessage: 'shop:rows' }, 'TABLE_NOT_FOUND', 'TABLE_NOT_FOUND'],
  ['SERVER', true, denied, 'STORE_REFUSED', 'WRITE_FAILED'],
  ['INVALID_ARGUMENT', false, {}, 'STORE_REFUSED', 'WRITE_FAILED'],
  ['MALFORMED_ANSWER', true, {}, 'ADAPTER_FAULT', 'OUTCOME_UNKNOWN'],
  ['CLOSED', false, {}, 'CLOSED', 'WRITE_FAILED'],
] as const)('%s (sent: %s, %o): a read is %s, a write %s', async (code, isSent, more, read, write) => {
  const rows = await failing(error(code, isSent, more))
  await expect(rows.get({ id: 1 })).rejects.toMatchObject({ code: read })
  await expect(rows.scan({}, { unbounded: true }).toArray()).rejects.toMatchObject({ code: read })
  for (const run of [
    () => rows.put({ id: 1, a: 'x' }),
    () => rows.put({ id: 1, a: null }),
    () => rows.insert({ id: 1, a: null }),
    () => rows.delete({ id: 1 }),
    () => rows.update({ id: 1 }, { a: 'x' }),
  ]) {
    await expect(run()).rejects.toMatchObject({ code: write })
  }
  // What is read first and cannot be read is not written.
  const conditional =
    write === 'TABLE_NOT_FOUND' ? write : expect.stringMatching(/WRITE_FAILED|STORE_UNAVAILABLE|STORE_REFUSED|ADAPTER_FAULT|CLOSED/)
  await expect(rows.update({ id: 1 }, { a: 'x' }, { if: { a: 'y' } })).rejects.toMatchObject({ code: conditional })
})

test('a gateway that is not there', async () => {
  const client = new HBaseClient({ port: 1 })
  const adapter = hbase(client)
  for (const run of [() => adapter.describeTable('rows'), () => adapter.dropTable('rows'), () => adapter.ensureTable(Rows)]) {
    await expect(run()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', details: { adapter: 'hbase', reason: 'unanswered' } })
  }
  await adapter.close()
  await client.close()
  await expect(adapter.describeTable('rows')).rejects.toMatchObject({ code: 'CLOSED' })
})

test('whether the table exists is asked once for all writes that share a request which the server has refused', async () => {
  const client = new HBaseClient()
  let asked = 0
  Object.defineProperty(client, 'putMany', {
    value: () => Promise.reject(error('SERVER', true, { canRetry: true, serverMessage: 'Failed 100 actions' })),
  })
  Object.defineProperty(client, 'tableExists', { value: () => Promise.resolve(++asked > 0) })
  const adapter = hbase(client)
  adapter.describeTable = () => Promise.resolve(catalogOf(Rows))
  const rows = createMapper(adapter, { retry: { attempts: 1 } }).repository(Rows)
  await expect(rows.putMany(Array.from({ length: 100 }, (_, id) => ({ id, a: 'a' })))).rejects.toMatchObject({ code: 'WRITE_INCOMPLETE' })
  expect(asked).toBe(1)
})

test('a put is not sent if the columns that it has to clear cannot be read, or if nobody waits for it when they are', async () => {
  const client = new HBaseClient()
  const sent: string[] = []
  let catalogs: (() => Promise<never>) | (() => Promise<Result>) = () => Promise.reject(error('CONNECTION_LOST', true))
  for (const call of ['put', 'putMany', 'mutateRow', 'checkAndPut', 'checkAndMutate']) {
    Object.defineProperty(client, call, { value: () => Promise.resolve(sent.push(call) > 0) })
  }
  Object.defineProperty(client, 'get', { value: () => catalogs() })
  const adapter = hbase(client)
  const { describeTable } = adapter
  adapter.describeTable = () => Promise.resolve(catalogOf(Rows))
  const rows = createMapper(adapter, { retry: { attempts: 1 } }).repository(Rows)
  await rows.put({ id: 1, a: 'a' })
  expect(sent.splice(0)).toEqual(['put'])
  adapter.describeTable = describeTable
  await new Promise((resolve) => setTimeout(resolve, 1100)) // the catalog is believed for a second
  for (const run of [() => rows.put({ id: 1, a: 'a' }), () => rows.put({ id: 1, a: null }), () => rows.insert({ id: 1, a: null })]) {
    await expect(run()).rejects.toMatchObject({ code: 'WRITE_FAILED' })
  }
  expect(sent).toEqual([])
  let answer: (result: Result) => void = () => undefined
  catalogs = () => new Promise<Result>((resolve) => (answer = resolve))
  for (const run of [
    (signal: AbortSignal) => rows.put({ id: 1, a: 'a' }, { signal }),
    (signal: AbortSignal) => rows.insert({ id: 1, a: 'a' }, { signal }),
  ]) {
    const aborting = new AbortController()
    const write = run(aborting.signal).catch((reason: unknown) => reason)
    await new Promise((resolve) => setTimeout(resolve, 5))
    aborting.abort(new Error('nobody waits'))
    expect(await write).toMatchObject({ message: 'nobody waits' })
    answer({ row: undefined, cells: [] })
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  expect(sent).toEqual([])
})

test('ERR-1: what HBase does not allow is a lasting refusal, which names what was refused and where the list is', async () => {
  const exhausted = { canRetry: true, serverMessage: `Failed 2 actions: ${denied.serverMessage}: 2 times, servers with issues: h,1,2` }
  for (const more of [denied, exhausted]) {
    const rows = await failing(error('SERVER', true, more))
    const thrown = await rows.getMany([{ id: 1 }, { id: 2 }]).catch((caught: unknown) => caught)
    expect(thrown).toMatchObject({
      code: 'STORE_REFUSED',
      message: expect.stringMatching(/fails: SERVER.*README of @rowkey\/hbase/) as string,
      details: { adapter: 'hbase', table: 'rows', reason: 'access' },
    })
  }
  const client = new HBaseClient()
  for (const call of ['get', 'tableExists', 'getClusterId']) {
    Object.defineProperty(client, call, { value: () => Promise.reject(error('SERVER', true, denied)) })
  }
  const adapter = hbase(client)
  for (const run of [
    () => adapter.describeTable('rows'),
    () => adapter.dropTable('rows'),
    () => adapter.ensureTable(Rows),
    () => adapter.tableId(Rows, catalogOf(Rows)),
  ]) {
    await expect(run()).rejects.toMatchObject({ code: 'STORE_REFUSED', details: { reason: 'access' } })
  }
})
