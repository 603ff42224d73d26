import { int32, nullable, text, ulid } from 'rowkey/codec'
import { copyTable, createMapper, defineTable, memory } from 'rowkey'
import { wrapped } from '../kit/wrapped.js'
import { expect } from 'vitest'
import type { Provocation, Remedies, Remedy } from './provocation.js'
import { gives, within, withEach } from './remedies.js'

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

/** A store with this empty table. */
async function empty<M extends typeof To>(model: M) {
  const target = createMapper(memory())
  await target.ensureTables([model])
  return target.repository(model)
}
/** All rows of the source are copied. */
const copies = (copy: () => Promise<{ readonly rows: number }>): Remedy => gives(async () => (await copy()).rows, 2)
const copiesAll = (options: object): Remedy => copies(async () => copyTable(from, await empty(To), options as never))

/** A copy into an empty table is one, and the rows that were in the target before are still there. */
const intoEmpty: Remedies = {
  'copy into an empty table, with a map that returns the same for the same row': async () => {
    const before = await to.readAll().count()
    await copiesAll({ map: (row: object) => row })('', undefined as never)
    expect(await to.readAll().count()).toBe(before)
  },
}
const unchanged: Remedies = {
  'Pass the checkpoint of onProgress or of DEADLINE unchanged': async () => {
    const late = await copyTable(from, await empty(To), { deadline: 1 }).catch((error: unknown) => error)
    for (const given of [checkpoint, (late as { details: { cursor: string } }).details.cursor])
      expect((await copyTable(from, createMapper(copied).repository(To), { checkpoint: given })).rows).toBe(2)
  },
  'start without one': copiesAll({}),
}
const sameTables: Remedies = {
  'Continue with the same tables': copies(() => copyTable(from, createMapper(copied).repository(To), { checkpoint })),
  'start without one': copiesAll({}),
}
/** A valid value for each option. */
const valid: Readonly<Record<string, unknown>> = {
  map: (row: object) => row,
  checkpoint: undefined,
  parallel: 2,
  rowsPerSecond: 1000,
  verify: false,
  overwrite: true,
  onProgress: () => undefined,
  signal: new AbortController().signal,
  timeout: '1d',
  deadline: 8e15,
}
const within16: Remedies = {
  'Give a whole number from 1 to 16': within(async (parallel: number) => copyTable(from, await empty(To), { parallel })),
}
const id = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
/** The row gets a key that is the same each time. */
const keyed = ({ no, note }: { no: number; note: string | null }) => ({ id: id.slice(0, -1) + String(no), no, note })

export const copyErrors: readonly Provocation[] = [
  ['a copy without rows', () => copyTable(from, createMapper(forgetful).repository(To)), intoEmpty],
  [
    'a copy with other values',
    async () => {
      let calls = 0
      await copyTable(from, to, { map: (row) => ({ ...row, note: `${calls++}` }), overwrite: true })
    },
    intoEmpty,
  ],
  [
    'a copy in which two rows become one',
    () => copyTable(from, createMapper(merged).repository(To), { map: (row) => ({ ...row, no: 1, note: null }) }),
    {
      'Copy into a table whose key tells them apart': copies(async () => copyTable(from, await empty(To))),
      'leave one of them out in map and copy again with { overwrite: true }': gives(async () => {
        const target = createMapper(merged).repository(To)
        await copyTable(from, target, { map: (row) => (row.no === 2 ? undefined : { ...row, no: 1, note: null }), overwrite: true })
        return target.readAll().count()
      }, 1),
    },
  ],
  [
    'a copy into a table with rows',
    () => copyTable(from, createMapper(full).repository(To)),
    {
      'Pass an empty table': copiesAll({}),
      'the checkpoint of the copy that is to be continued': copies(() =>
        copyTable(from, createMapper(copied).repository(To), { checkpoint }),
      ),
      '{ overwrite: true }': gives(async () => {
        const target = createMapper(full).repository(To)
        await copyTable(from, target, { overwrite: true, verify: false })
        return target.readAll().count()
      }, 3),
    },
  ],
  [
    'a copy into a table whose rows do not expire',
    () => copyTable(expiring, to),
    {
      "Declare it with @Ttl('30d') or { ttl }, and add the column with ensureTables()": gives(async () => {
        const To30 = defineTable('to_rows', { columns, key: ['note', 'no'], ttl: '30d' })
        const other = createMapper(full)
        await other.ensureTables([To30])
        await copyTable(expiring, other.repository(To30), { overwrite: true, verify: false })
        return other.repository(To30).readAll().count()
      }, 3),
    },
  ],
  [
    'a copy of a table into itself',
    () => copyTable(from, db.repository(From)),
    {
      'Pass a repository of another table or of another store': gives(async () => {
        const second = createMapper(memory())
        await second.ensureTables([From])
        return [(await copyTable(from, second.repository(From))).rows, (await copyTable(from, await empty(To))).rows]
      }, [2, 2]),
    },
  ],
  [
    'a copy of what is no repository',
    () => copyTable(db as unknown as typeof from, to),
    { 'Pass what repository() returned': copiesAll({}) },
  ],
  [
    'a copy with an unknown option',
    () => copyTable(from, to, { fast: true } as object),
    {
      'Its options are map, checkpoint, parallel, rowsPerSecond, verify, overwrite, onProgress, signal, timeout, deadline': withEach(
        async (name) => copyTable(from, await empty(To), { [name]: valid[name] }),
      ),
    },
  ],
  [
    'a copy into a table with fewer columns',
    () => copyTable(from, db.repository(Fewer) as never),
    {
      'Its columns are no': gives(async () => {
        await copyTable(from, db.repository(Fewer), { map: ({ no }) => ({ no }) })
        return db.repository(Fewer).readAll().count()
      }, 2),
    },
  ],
  [
    'a copy into a table with a generated key',
    () => copyTable(from, db.repository(Generated)),
    { 'Return a value for it in map': copies(() => copyTable(from, db.repository(Generated), { map: keyed })) },
  ],
  [
    'a copy by an async map',
    () => copyTable(from, db.repository(Generated), { map: (async () => ({})) as never, overwrite: true }),
    {
      'Return a row, or undefined to leave it out; it cannot be async': gives(
        async () =>
          (
            await copyTable(from, db.repository(Generated), {
              map: (row) => (row.no === 1 ? undefined : keyed(row)),
              overwrite: true,
              verify: false,
            })
          ).rows,
        1,
      ),
    },
  ],
  [
    'a copy after its deadline',
    () => copyTable(from, to, { deadline: 1_700_000_000_000 }),
    {
      'Continue with the checkpoint in details.cursor': copies(async () => {
        const target = await empty(To)
        const late: unknown = await copyTable(from, target, { deadline: 1 }).catch((error: unknown) => error)
        return copyTable(from, target, { checkpoint: (late as { details: { cursor: string } }).details.cursor })
      }),
      'allow more time': copiesAll({ deadline: 8e15 }),
    },
  ],
  ['a copy from a checkpoint that is none', () => copyTable(from, to, { checkpoint: 'AbCd' }), unchanged],
  ['a copy from a checkpoint of a later version', () => copyTable(from, to, { checkpoint: checkpoint.replace(/^1/, '9') }), unchanged],
  ['a copy from a checkpoint of another target', () => copyTable(from, db.repository(Fewer) as never, { checkpoint }), sameTables],
  [
    'a copy without a map that is a function',
    () => copyTable(from, to, { map: 'note' as never }),
    { 'Give a function': copiesAll({ map: valid['map'] }) },
  ],
  ['a copy of too many parts at a time', () => copyTable(from, to, { parallel: 17 }), within16],
  [
    'a copy of no rows per second',
    () => copyTable(from, to, { rowsPerSecond: 0 }),
    {
      'Give a whole number from 1': gives(
        async (said) => (await copyTable(from, await empty(To), { rowsPerSecond: 1000 * Number(/\d+/.exec(said)?.[0]) })).rows,
        2,
      ),
    },
  ],
  [
    'a copy of a row that the target cannot hold',
    () => copyTable(from, db.repository(Strict) as never),
    {
      'Give well-formed text (no lone surrogate)': copies(() =>
        copyTable(from, db.repository(Strict), { map: (row) => ({ ...row, note: row.note ?? '' }) }),
      ),
      'declare the column nullable': copies(async () => {
        const Lax = defineTable('strict', { columns, key: ['no'] })
        await db.ensureTables([Lax])
        return copyTable(from, db.repository(Lax), { overwrite: true })
      }),
    },
  ],
  ['a copy from a checkpoint of another layout', () => copyTable(from, otherLayout, { checkpoint }), sameTables],
  [
    'a copy from a checkpoint of another source',
    () => copyTable(db.repository(Fewer), to, { checkpoint }),
    {
      'Continue on the same table and store': sameTables['Continue with the same tables'] as Remedy,
      'start without one': copiesAll({}),
    },
  ],
]
