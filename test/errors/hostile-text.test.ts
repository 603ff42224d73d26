import { decimal, json, nullable, text, uint32 } from 'rowkey/codec'
import { type CallEvent, copyTable, createMapper, defineTable, equals, type Explanation, defined, memory } from 'rowkey'
import { findingText } from 'rowkey/adapter'
import { expect, test } from 'vitest'
import { attack, hostileTexts, longHostileText, longText, membersOf, mustBeClean, mustBeCleanError } from './hostile.js'

const columns = {
  user: text(),
  no: uint32(),
  note: nullable(text()),
  count: nullable(uint32()),
  price: nullable(decimal(9, 2)),
  doc: nullable(json()),
}
const Orders = defineTable('orders', { columns, key: ['user', 'no'], version: 'rev', ttl: '30d' })
const Copies = defineTable('copies', { columns, key: ['user', 'no'], ttl: '30d' })
const Split = defineTable('split', { columns: { id: text(), no: uint32() }, partition: ['id'], key: ['no'] })

const events: CallEvent[] = []
const db = createMapper(memory(), { onCall: (event) => events.push(event) })
await db.ensureTables([Orders, Copies, Split])
const orders = db.repository(Orders)
const copies = db.repository(Copies)
const split = db.repository(Split)

const row = { user: 'ann', no: 1, note: 'x', count: 1, price: '1.00', doc: { a: { b: [1] } } }
const key = { user: 'ann', no: 1 }
const deadline = new Date(4e12)
const condition = { note: 'x', count: { gte: 1, in: [1, 2] } }
const where = { user: 'ann', no: { gte: 1, lt: 9 }, note: { in: ['x', 'y'] }, price: '1.00', doc: { isNull: false } }
const scanOptions = {
  order: { no: 'asc' },
  limit: 2,
  after: { no: 0 },
  to: { no: 9 },
  select: ['user', 'no'],
  consistency: 'strong',
  maxRanges: 10,
  maxFanOut: 10,
  maxExamined: 100,
  unbounded: false,
  prefetch: true,
  deadline,
}
const readAllOptions = { parallel: 2, select: ['user'], consistency: 'strong', deadline }

async function all(rows: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of rows);
}

// Calls with their arguments, which are right before one of them is changed. Everything is called as JavaScript does it.
type Call = readonly [args: readonly unknown[], call: (...args: never[]) => unknown]
type Calls = Readonly<Record<string, Call>>

const scanCalls: Calls = {
  page: [[where, scanOptions, { size: 2, cursor: undefined }], (w, o, p) => orders.scan(w, o).page(p)],
  toArray: [[where, scanOptions], (w, o) => orders.scan(w, o).toArray()],
  count: [[where, scanOptions], (w, o) => orders.scan(w, o).count()],
  deleteAll: [[{ ...where, user: 'nobody' }, scanOptions], (w, o) => orders.scan(w, o).deleteAll()],
  cursorOf: [[where, scanOptions, key], (w, o, k) => orders.scan(w, o).cursorOf(k)],
  explain: [[where, scanOptions], (w, o) => explained(orders.scan(w, o).explain())],
  [Symbol.asyncIterator.toString()]: [[where, scanOptions], (w, o) => all(orders.scan(w, o))],
  partitions: [[{ deadline }], (o) => orders.scan({ user: 'ann' }).partitions(o)],
}

const readAllCalls: Calls = {
  pages: [[readAllOptions], (o) => all(orders.readAll(o).pages())],
  count: [[readAllOptions], (o) => orders.readAll(o).count()],
  toArray: [[readAllOptions], (o) => orders.readAll(o).toArray()],
  [Symbol.asyncIterator.toString()]: [[readAllOptions], (o) => all(orders.readAll(o))],
}

const repositoryCalls: Calls = {
  get: [[key, { consistency: 'strong', deadline }], (k, o) => orders.get(k, o)],
  getOrThrow: [[key, { consistency: 'strong', deadline }], (k, o) => orders.getOrThrow(k, o)],
  exists: [[key, { deadline }], (k, o) => orders.exists(k, o)],
  getMany: [[[key], { deadline }], (k, o) => orders.getMany(k, o)],
  put: [[row, { expires: '1d', attempts: 1, if: condition, deadline }], (r, o) => orders.put(r, o)],
  putMany: [[[row], { expires: '1d', attempts: 1, deadline }], (r, o) => orders.putMany(r, o)],
  delete: [
    [
      { user: 'bob', no: 1 },
      { if: { rev: 'v', ...condition }, attempts: 1, deadline },
    ],
    (k, o) => orders.delete(k, o),
  ],
  deleteMany: [[[{ user: 'bob', no: 1 }], { attempts: 1, deadline }], (k, o) => orders.deleteMany(k, o)],
  'putMany of a stream': [
    [[row], { expires: '1d', concurrency: 1, timeout: '1m' }],
    (r: unknown, o) => orders.putMany((Array.isArray(r) ? r.values() : r) as never, o),
  ],
  insert: [
    [
      { ...row, user: 'new' },
      { expires: '1d', attempts: 1, deadline },
    ],
    (r, o) => orders.insert(r, o),
  ],
  update: [
    [key, { note: 'x', doc: {} }, { if: { rev: 'v', ...condition }, returning: true, deadline }],
    (k, p, o) => orders.update(k, p, o),
  ],
  upsert: [[row, { expires: '1d', returning: true, deadline }], (r, o) => orders.upsert(r, o)],
  increment: [
    [key, { count: 0, price: '0.00' }, { create: { note: 'x' }, expires: '1d', deadline }],
    (k, by, o) => orders.increment(k, by, o),
  ],
  modify: [[key, { note: 'x' }, { attempts: 1, deadline }], (k, patch, o) => orders.modify(k, () => patch, o)],
  scan: [[where, scanOptions], (w, o) => orders.scan(w, o).count()],
  readAll: [[{ ...readAllOptions, checkpoint: 'x' }], (o) => orders.readAll(o).count()],
  keyOf: [[row], (r) => orders.keyOf(r)],
  parts: [[2, { deadline }], (n, o) => orders.parts(n, o)],
  encodeKey: [[key], (k) => orders.encodeKey(k)],
  decodeKey: [[new Uint8Array(3)], (bytes) => orders.decodeKey(bytes)],
  locate: [[key, { deadline }], (k, o) => (orders as unknown as { locate(k: never, o: never): unknown }).locate(k, o)],
}

const written = (operation: unknown): Promise<unknown> => db.write([operation as never], { atomic: true })
const operationCalls: Calls = {
  put: [[row, { expires: '1d', if: condition }], (r, o) => written(orders.ops.put(r, o))],
  delete: [[{ user: 'bob', no: 1 }, { if: { rev: 'v', ...condition } }], (k, o) => written(orders.ops.delete(k, o))],
  insert: [[row, { expires: '1d' }], (r, o) => written(orders.ops.insert(r, o))],
  update: [[key, { note: 'x' }, { if: { rev: 'v', ...condition } }], (k, p, o) => written(orders.ops.update(k, p, o))],
  upsert: [[row, { expires: '1d' }], (r, o) => written(orders.ops.upsert(r, o))],
  increment: [[key, { count: 0 }, { create: { note: 'x' }, expires: '1d' }], (k, by, o) => written(orders.ops.increment(k, by, o))],
}

const mapperCalls: Calls = {
  repository: [[Orders], (model) => db.repository(model)],
  ensureTables: [[[Orders], { deadline }], (models, o) => db.ensureTables(models, o)],
  ddl: [[Orders], (model) => db.ddl(model)],
  dropTables: [[['no model'], { deadline }], (models, o) => db.dropTables(models, o)],
  write: [[[], { atomic: true, attempts: 1, deadline }], (operations, o) => db.write(operations, o)],
  purgeExpired: [[Orders, { limit: 1, deadline }], (model, o) => db.purgeExpired(model, o)],
  partitions: [[Orders, { countRows: true, deadline }], (model, o) => db.partitions(model, o)],
  addRange: [[Orders, { from: { no: 1 }, to: { no: 2 } }, { deadline }], (model, range, o) => db.addRange(model, range, o)],
  dropRange: [[Orders, { from: { no: 1 }, to: { no: 2 } }, { deadline }], (model, range, o) => db.dropRange(model, range, o)],
  rotate: [[Orders, { dryRun: true, deadline }], (model, o) => db.rotate(model, o)],
  buildIndex: [[Orders, 'x', { parallel: 1, checkpoint: 'x', deadline }], (model, index, o) => db.buildIndex(model, index, o)],
  verifyIndex: [
    [Orders, 'x', { repair: true, olderThan: '2h', parallel: 1, deadline }],
    (model, index, o) => db.verifyIndex(model, index, o),
  ],
  dropIndex: [[Orders, 'x', { deadline }], (model, index, o) => db.dropIndex(model, index, o)],
  close: [[], () => createMapper(memory()).close()],
}

const functionCalls: Calls = {
  createMapper: [
    [
      memory(),
      {
        prefix: 'p_',
        cursorSecret: 'x'.repeat(16),
        timeout: '2s',
        retry: { attempts: 1, onUnknown: 'report' },
        clock: Date.now,
        onCall: () => 0,
      },
    ],
    (adapter, o) => createMapper(adapter, o).repository(Orders),
  ],
  copyTable: [
    [orders, copies, { parallel: 1, rowsPerSecond: 10, verify: true, overwrite: true, deadline, map: () => undefined }],
    (from, to, o) => copyTable(from, to, o),
  ],
  equals: [['ann', scanOptions], (value, o) => orders.scan({ user: equals(value), no: 1 }, o).count()],
  defined: [[where], (w) => orders.scan(defined<typeof where>(w)).count()],
  'page({ cursor })': [['x'], (cursor) => orders.scan({ user: 'ann' }).page({ cursor })],
  'readAll({ checkpoint })': [['x'], (checkpoint) => orders.readAll({ checkpoint }).count()],
  'copyTable({ checkpoint })': [['1.1.copies.abc.x'], (checkpoint) => copyTable(orders, copies, { checkpoint, map: () => undefined })],
  'a scan of partitions': [[{ id: { in: ['a'] } }, { order: { no: 'desc' } }], (w, o) => split.scan(w, o).page()],
}

/** An explanation with nothing in its texts that may not be shown. */
function explained(explanation: Explanation): void {
  mustBeClean(explanation.text, 'explain().text')
  for (const warning of explanation.warnings) mustBeClean(findingText(warning), 'a warning of explain()')
}

const groups: readonly (readonly [name: string, calls: Calls, members: readonly string[]])[] = [
  ['a mapper', mapperCalls, membersOf('rowkey', 'Mapper')],
  ['a repository', repositoryCalls, ['TableMethods', 'ConditionalMethods', 'Located'].flatMap((name) => membersOf('rowkey', name))],
  ['an operation', operationCalls, ['TableOperations', 'ConditionalOperations'].flatMap((name) => membersOf('rowkey', name))],
  ['a scan', scanCalls, membersOf('rowkey', 'Scan')],
  ['the rows of a whole table', readAllCalls, membersOf('rowkey', 'ReadAll')],
  ['a function', functionCalls, ['createMapper', 'copyTable', 'equals', 'defined']],
]
/** What is no call, or has its own group. */
const properties = new Set(['adapter', 'schema', 'ops'])

test.each(groups)('ERR-3: every method of %s has a call here', (_, calls, members) => {
  expect(members.length).toBeGreaterThan(1)
  expect(members.filter((member) => !properties.has(member) && !Object.hasOwn(calls, member))).toEqual([])
})

const every = groups.flatMap(([group, calls]) => Object.entries(calls).map(([name, call]) => [`${name} of ${group}`, ...call] as const))

test.each(every)('ERR-3: %s shows no hostile text, wherever it is', async (what, args, call) => {
  await orders.put(row)
  let refused = 0
  for (const hostile of hostileTexts) refused += await attack(what, args, hostile, (given) => call(...(given as never[])))
  expect(refused > 0 || args.length === 0).toBe(true)
})

test.each(every)('ERR-3: %s shows no long text whole, wherever it is', async (what, args, call) => {
  for (const long of [longText, longHostileText]) await attack(what, args, long, (given) => call(...(given as never[])))
})

test('ERR-3: what observers are told can be shown', () => {
  expect(events.length).toBeGreaterThan(1000)
  for (const { table, method, error } of events) {
    mustBeClean(table, 'event.table')
    mustBeClean(method, 'event.method')
    if (error !== undefined) mustBeCleanError(error, 'event.error')
  }
})
