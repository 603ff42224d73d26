import { cassandraStore } from '@rowkey/cassandra'
import { dynamodbStore } from '@rowkey/dynamodb'
import { hbaseStore } from '@rowkey/hbase'
import { lmdbStore } from '@rowkey/lmdb'
import { redisStore } from '@rowkey/redis'
import { createMapper, decimal, defineTable, int32, isRowkeyError, memory, nullable, text, uint16, uint32, uuid } from 'rowkey'
import type { Capabilities, StoreDescription } from 'rowkey/adapter'
import { conformance, type SkippedRule } from 'rowkey/conformance'
import { memoryStore } from 'rowkey/internal'
import { afterAll, describe, expect, test } from 'vitest'
import { isShort } from '@rowkey/servers/scale'
import { withoutLarge } from '../setup/large-rules.js'

/** A store that lacks something. No adapter of today does. */
function lacking(name: string, lack: Partial<Capabilities>): StoreDescription {
  return { name, capabilities: { ...memoryStore.capabilities, ...lack } }
}

/** The rules that a description can change: those of its capabilities, names, hints and types. A short run has no others. */
const ofStore =
  /^(TABLE-[2579]|ADAPTER-(11|18)|WRITE-(9|15|18|24)|SCAN-(6|13)|R18)\b|TABLE-10: a dropped table is TABLE_NOT_FOUND for (atomic|changes)/
const onlyOfStore = (name: string, run: () => Promise<void>): unknown => (ofStore.test(name) ? test(name, run) : undefined)

const limits = { partitionBytes: 12, sortKeyBytes: 40, valueBytes: 100 }
const stores = [lmdbStore, redisStore, dynamodbStore, cassandraStore, hbaseStore]
const invented = [
  lacking('forwards', { reverse: false }),
  lacking('blind', { conditions: 'none' }),
  lacking('present', { conditions: 'presence' }),
  lacking('versioned', { conditions: 'version' }),
]

// What the suite expects of a store depends on its capabilities alone, and the store's own tests run the same rules. So both refuse the same.
describe.each([...stores, ...invented])('memory like $name', (like) => {
  const skipped: SkippedRule[] = []

  conformance({
    test: isShort ? onlyOfStore : withoutLarge(test, true),
    afterAll,
    createAdapter: () => memory({ like }),
    description: like,
    onSkip: (rule) => skipped.push(rule),
  })

  test('rules are only replaced by refusals where the store lacks something', () => {
    expect(skipped.length > 0).toBe(!['lmdb', 'dynamodb'].includes(like.name))
  })
})

const Notes = defineTable('notes', {
  columns: { box: text(), id: text(), a: nullable(text()), b: nullable(text()), c: nullable(text()) },
  partition: ['box'],
  key: ['id'],
})

const codeOf = (run: () => Promise<unknown>): Promise<string> =>
  run().then(
    () => 'accepted',
    (error: unknown) => (isRowkeyError(error) ? error.code : String(error)),
  )

async function notesLike(like: StoreDescription) {
  const db = createMapper(memory({ like }))
  await db.ensureTables([Notes])
  return { db, notes: db.repository(Notes) }
}

test('limits of keys and values are those of the store', async () => {
  const { notes } = await notesLike(lacking('tiny', { limits }))
  const put = (box: string, id: string, a: string): Promise<string> => codeOf(() => notes.put({ box, id, a }))
  expect(await put('box', 'id', 'x'.repeat(100))).toBe('accepted')
  expect(await put('box'.repeat(5), 'id', 'x')).toBe('LIMIT_EXCEEDED')
  expect(await put('box', 'id'.repeat(21), 'x')).toBe('LIMIT_EXCEEDED')
  expect(await put('box', 'id', 'x'.repeat(101))).toBe('LIMIT_EXCEEDED')
})

const batchOf = ({ notes }: Awaited<ReturnType<typeof notesLike>>, count: number, bytes: number) =>
  Array.from({ length: count }, (_, i) =>
    notes.ops.put({ box: 'x', id: `${i}`, a: 'x'.repeat(bytes), b: 'x'.repeat(bytes), c: 'x'.repeat(bytes) }),
  )

test.each([
  ['memory', memoryStore, 11_000, 'accepted'],
  ['lmdb', lmdbStore, 10_000, 'accepted'],
  ['lmdb', lmdbStore, 10_001, 'ATOMIC_SCOPE'],
  ['redis', redisStore, 1000, 'accepted'],
  ['redis', redisStore, 1001, 'ATOMIC_SCOPE'],
  ['dynamodb', dynamodbStore, 100, 'accepted'],
  ['dynamodb', dynamodbStore, 101, 'ATOMIC_SCOPE'],
  ['cassandra', cassandraStore, 100, 'accepted'],
  ['cassandra', cassandraStore, 101, 'ATOMIC_SCOPE'],
  ['hbase', hbaseStore, 1, 'accepted'],
  ['hbase', hbaseStore, 2, 'ATOMIC_SCOPE'],
] as const)('like %s, an atomic batch of one partition (%#)', async (_, like, count, code) => {
  const opened = await notesLike(like)
  expect(await codeOf(() => opened.db.write(batchOf(opened, count, 1), { atomic: true }))).toBe(code)
})

test.each([
  ['dynamodb', dynamodbStore, 21, 'accepted'],
  ['dynamodb', dynamodbStore, 22, 'ATOMIC_SCOPE'],
  ['cassandra', cassandraStore, 84, 'accepted'],
  ['cassandra', cassandraStore, 85, 'ATOMIC_SCOPE'],
] as const)('WRITE-15: like %s, an atomic batch may have so many bytes (%#)', async (_, like, count, code) => {
  const opened = await notesLike(like)
  expect(await codeOf(() => opened.db.write(batchOf(opened, count, 65_000), { atomic: true }))).toBe(code)
})

test('WRITE-15: what a store keeps shorter than its text is not counted', async () => {
  const Ids = defineTable('ids', { columns: { box: int32(), n: int32(), id: uuid(), sum: decimal(38) }, partition: ['box'], key: ['n'] })
  const like = {
    ...cassandraStore,
    capabilities: { ...cassandraStore.capabilities, atomic: { ...cassandraStore.capabilities.atomic, bytes: 1000 } },
  }
  const db = createMapper(memory({ like }))
  await db.ensureTables([Ids])
  const { ops } = db.repository(Ids)
  const rows = Array.from({ length: 40 }, (_, n) => ops.put({ box: 1, n, id: '6ba7b810-9dad-11d1-80b4-00c04fd430c8', sum: '9'.repeat(38) }))
  expect((await db.write(rows, { atomic: true })).rows).toBe(40)
})

test('names and hints are those of the store, and widened types that it stores as others', async () => {
  const table = (name: string, column: string, hints: object = {}) =>
    defineTable(name, { columns: { id: int32(), v: nullable(text({ name: column })) }, key: ['id'], stores: { cassandra: hints } })
  const on = (like: StoreDescription, name: string, column = 'v', hints = {}): Promise<string> =>
    codeOf(() => createMapper(memory({ like })).ensureTables([table(name, column, hints)]))
  expect(await on(cassandraStore, 'a-b')).toBe('NOT_SUPPORTED')
  expect(await on(redisStore, 'a-b')).toBe('accepted')
  expect(await on(cassandraStore, 'ab', 'rk_v')).toBe('NOT_SUPPORTED')
  expect(await on(cassandraStore, 'ab', 'v', { compacton: 'Leveled' })).toBe('INVALID_OPTION')
  const narrow = defineTable('n', { columns: { id: int32(), n: uint16() }, key: ['id'] })
  for (const [like, code] of [
    [cassandraStore, 'SCHEMA_MISMATCH'],
    [redisStore, 'accepted'],
  ] as const) {
    const db = createMapper(memory({ like }))
    await db.ensureTables([narrow])
    const wide = defineTable('n', { columns: { id: int32(), n: uint32() }, key: ['id'] })
    expect(await codeOf(() => db.ensureTables([wide]))).toBe(code)
  }
})

test('ddl() is that of the store', () => {
  expect(() => createMapper(memory()).ddl(Notes)).toThrow('NOT_SUPPORTED')
  expect(createMapper(memory({ like: cassandraStore })).ddl(Notes)).toEqual(cassandraStore.ddl(Notes))
})

test('options that memory() does not know, and what is no description, are INVALID_OPTION', () => {
  expect(() => memory({ lik: redisStore } as never)).toThrow(/^INVALID_OPTION: memory\(\): lik cannot be .* The only option is 'like'\.$/)
  for (const like of [null, 'redis', {}, () => redisStore]) {
    expect(() => memory({ like } as never)).toThrow(/^INVALID_OPTION: memory\(\): like cannot be .*redisStore of @rowkey\/redis/)
  }
  expect(() => memory(redisStore as never)).toThrow('INVALID_OPTION')
})
