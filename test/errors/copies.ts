import { int32, nullable, text, ulid } from '@rowkey/codec'
import { copyTable, createMapper } from '@rowkey/mapper'
import { memory } from '@rowkey/memory'
import { defineTable } from '@rowkey/model'
import { wrapped } from '../store/wrapped.js'
import type { Provocation } from './provocation.js'

const columns = { no: int32(), note: nullable(text()) }
const From = defineTable('from_rows', { columns, key: ['no'] })
const To = defineTable('to_rows', { columns, key: ['note', 'no'] })
const Fewer = defineTable('fewer', { columns: { no: int32() }, key: ['no'] })
const Generated = defineTable('generated', { columns: { id: ulid({ default: 'ulid' }), ...columns }, key: ['id'] })
const Strict = defineTable('strict', { columns: { no: int32(), note: text() }, key: ['no'] })
const OtherLayout = defineTable('to_rows', { columns, key: ['no', 'note'] })
const Expiring = defineTable('expiring', { columns, key: ['no'], ttl: '1d' })

const store = memory()
const db = createMapper(store)
await db.ensureTables([From, To, Fewer, Strict, Generated, Expiring])
const [from, to, expiring] = [db.repository(From), db.repository(To), db.repository(Expiring)]
await from.putMany([{ no: 1 }, { no: 2, note: 'a' }])

/** A target that forgets what it acknowledges. */
const forgetful = wrapped(memory(), { write: (batch) => batch.map(() => ({ kind: 'applied' })) })
await createMapper(forgetful).ensureTables([To])
const merged = memory()
await createMapper(merged).ensureTables([To])
const full = memory()
await createMapper(full).ensureTables([To])
await createMapper(full).repository(To).put({ no: 3 })

const laid = createMapper(memory())
await laid.ensureTables([OtherLayout])
const otherLayout = laid.repository(OtherLayout)

let checkpoint = ''
const copied = memory()
await createMapper(copied).ensureTables([To])
await copyTable(from, createMapper(copied).repository(To), { onProgress: (progress) => void ({ checkpoint } = progress) })

export const copyErrors: readonly Provocation[] = [
  ['a copy without rows', () => copyTable(from, createMapper(forgetful).repository(To))],
  [
    'a copy with other values',
    async () => {
      let calls = 0
      await copyTable(from, to, { map: (row) => ({ ...row, note: `${calls++}` }), overwrite: true })
    },
  ],
  [
    'a copy in which two rows become one',
    () => copyTable(from, createMapper(merged).repository(To), { map: (row) => ({ ...row, no: 1, note: null }) }),
  ],
  ['a copy into a table with rows', () => copyTable(from, createMapper(full).repository(To))],
  ['a copy into a table whose rows do not expire', () => copyTable(expiring, to)],
  ['a copy of a table into itself', () => copyTable(from, db.repository(From))],
  ['a copy of what is no repository', () => copyTable(db as unknown as typeof from, to)],
  ['a copy with an unknown option', () => copyTable(from, to, { fast: true } as object)],
  ['a copy into a table with fewer columns', () => copyTable(from, db.repository(Fewer) as never)],
  ['a copy into a table with a generated key', () => copyTable(from, db.repository(Generated))],
  ['a copy by an async map', () => copyTable(from, db.repository(Generated), { map: (async () => ({})) as never })],
  ['a copy after its deadline', () => copyTable(from, to, { deadline: 1_700_000_000_000 })],
  ['a copy from a checkpoint that is none', () => copyTable(from, to, { checkpoint: 'AbCd' })],
  ['a copy from a checkpoint of a later version', () => copyTable(from, to, { checkpoint: checkpoint.replace(/^1/, '9') })],
  ['a copy from a checkpoint of another target', () => copyTable(from, db.repository(Fewer) as never, { checkpoint })],
  ['a copy without a map that is a function', () => copyTable(from, to, { map: 'note' as never })],
  ['a copy of too many parts at a time', () => copyTable(from, to, { parallel: 17 })],
  ['a copy of no rows per second', () => copyTable(from, to, { rowsPerSecond: 0 })],
  ['a copy of a row that the target cannot hold', () => copyTable(from, db.repository(Strict) as never)],
  ['a copy from a checkpoint of another layout', () => copyTable(from, otherLayout, { checkpoint })],
  ['a copy from a checkpoint of another source', () => copyTable(db.repository(Fewer), to, { checkpoint })],
]
