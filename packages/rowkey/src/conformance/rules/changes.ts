// Tested by wrong.test.ts.
import type { Repository } from '#mapper'
import type { World } from '../suite/world.js'
import { bool, bytes, decimal, float64, int32, int64, isRowkeyError, json, nullable, text, timestamp, uint8 } from '#codec'
import { defineTable } from '#model'
import { check, refused, same } from '../check.js'
import { textOf } from '../text-of.js'
import { Random } from '../oracle/random.js'
import { upTo } from '../suite/reading.js'
import { rule, type Rule } from '../suite/rule.js'

const Counters = defineTable('counters', {
  columns: {
    page: text(),
    day: int32(),
    hits: uint8(),
    total: nullable(int64()),
    spent: nullable(decimal(9, 2)),
    small: int32({ default: 5 }),
    state: nullable(text()),
    ratio: nullable(float64()),
    raw: nullable(bytes()),
    ok: nullable(bool()),
    data: nullable(json()),
  },
  partition: ['page'],
  key: ['day'],
})
const Expiring = defineTable('expiring_counters', {
  columns: { id: text(), hits: int32(), note: nullable(text()) },
  key: ['id'],
  ttl: '30d',
})
const Versioned = defineTable('versioned_counters', {
  columns: { id: text(), hits: int32(), at: nullable(timestamp('ms')) },
  key: ['id'],
  version: 'rev',
})

const Noted = defineTable('noted', { columns: { id: text(), note: text() }, key: ['id'] })

type Counter = Awaited<ReturnType<Repository<typeof Counters>['getOrThrow']>>

const key = { page: '/', day: 1 }
const empty = { total: null, spent: null, small: 5, state: null, ratio: null, raw: null, ok: null, data: null }

/** The state of a table, by definition. */
class Model {
  readonly rows = new Map<number, Counter>()

  change(day: number, change: (row: Counter | undefined) => Counter | undefined): void {
    const changed = change(this.rows.get(day))
    if (changed === undefined) this.rows.delete(day)
    else this.rows.set(day, changed)
  }
}

/** What the definition says of one operation: what becomes of the row, or the code of the refusal. */
type Step = readonly [run: () => Promise<unknown>, expected: (row: Counter | undefined) => Counter | undefined | string]

function randomStep(random: Random, table: Repository<typeof Counters>, day: number): Step {
  const own = { page: '/', day }
  const state = random.pick(['open', 'closed', '', '\u{1f600}', null])
  const hits = random.pick([1, 2, 100, 250, -1, -100])
  const total = random.pick([1n, -1n, 2n ** 62n, -(2n ** 63n), undefined])
  const spent = random.pick(['0.01', '-1.5', '9999999.99', '3', undefined])
  const amounts = { hits, total, spent }
  const condition = random.pick<readonly [object, (row: Counter) => boolean]>([
    [{ state }, (row) => row.state === state],
    [{ hits: { gte: 100 } }, (row) => row.hits >= 100],
    [{ ratio: { lt: 0 } }, (row) => row.ratio !== null && row.ratio < 0],
    [{ ratio: { in: [0, NaN] } }, (row) => row.ratio === 0 || Number.isNaN(row.ratio)],
    [{ total: null, state: { isNull: false } }, (row) => row.total === null && row.state !== null],
    [{ raw: new Uint8Array() }, (row) => row.raw?.length === 0],
    [{ ok: false }, (row) => row.ok === false],
    [{ small: 5 }, (row) => row.small === 5],
    [{ state: { gt: '\uffff' } }, (row) => row.state === '\u{1f600}'],
  ])
  const put = {
    ...own,
    hits: random.pick([0, 5, 255]),
    total: random.pick([null, 0n, 2n ** 63n - 1n]),
    spent: random.pick([null, '-0.01', '9999999.99']),
    state,
    ratio: random.pick([null, 0, -0, NaN, -Infinity, 1e-300, -1.5]),
    raw: random.pick([null, new Uint8Array(), new Uint8Array([0, 255])]),
    ok: random.pick([null, true, false]),
    data: random.pick([null, { a: [1] }]),
  }
  const full = { ...put, small: 5 }
  const added = (row: Counter): Counter | string => {
    const sums = {
      hits: row.hits + hits,
      total: total === undefined ? row.total : (row.total ?? 0n) + total,
      spent: spent === undefined ? row.spent : money(cents(row.spent ?? '0') + cents(spent)),
    }
    const fits =
      sums.hits >= 0 && sums.hits <= 255 && inInt64(sums.total ?? 0n) && (sums.spent === null || Math.abs(Number(sums.spent)) <= 9999999.99)
    return fits ? { ...row, ...sums } : 'OUT_OF_RANGE'
  }
  const missing = 'ROW_NOT_FOUND'
  const conditional = (row: Counter | undefined, then: (row: Counter) => Counter | undefined | string): Counter | undefined | string => {
    if (row === undefined) return missing
    return condition[1](row) ? then(row) : 'CONDITION_FAILED'
  }
  /** The condition is only for a row that exists. */
  const orCreated = (row: Counter | undefined, then: (row: Counter | undefined) => Counter | string): Counter | string =>
    row === undefined || condition[1](row) ? then(row) : 'CONDITION_FAILED'
  const fresh = { ...own, hits: 0, ...empty }
  // The amounts have to fit a new row, whether there is one or not.
  const creating = (row: Counter | undefined, created: Counter): Counter | string => {
    const first = added(created)
    return typeof first === 'string' || row === undefined ? first : added(row)
  }
  return random.pick<Step>([
    [() => table.put(put), () => full],
    [() => table.delete(own), () => undefined],
    [
      () => table.upsert({ ...own, hits: 7, state }),
      (row) => (row === undefined ? { ...fresh, hits: 7, state } : { ...row, hits: 7, state }),
    ],
    [() => table.increment(own, amounts), (row) => (row === undefined ? missing : added(row))],
    [() => table.increment(own, amounts, { create: { state: 'new' } }), (row) => creating(row, { ...fresh, state: 'new' })],
    [() => table.increment(own, amounts, { if: condition[0] }), (row) => conditional(row, added)],
    [
      () => table.update(own, { state: 'updated' }, { if: condition[0] }),
      (row) => conditional(row, (found) => ({ ...found, state: 'updated' })),
    ],
    [() => table.put(put, { if: condition[0] }), (row) => conditional(row, () => full)],
    [() => table.put(put, { if: condition[0], create: true }), (row) => orCreated(row, () => full)],
    [
      () => table.upsert({ ...own, hits: 8, state }, { if: condition[0] }),
      (row) => orCreated(row, (found) => ({ ...(found ?? fresh), hits: 8, state })),
    ],
    [
      () => table.increment(own, amounts, { if: condition[0], create: true }),
      (row) =>
        typeof added(fresh) === 'string' ? 'OUT_OF_RANGE' : orCreated(row, (found) => (found === undefined ? added(fresh) : added(found))),
    ],
    [() => table.delete(own, { if: condition[0] }), (row) => conditional(row, () => undefined)],
    [() => table.update(own, { small: 6 }), (row) => (row === undefined ? missing : { ...row, small: 6 })],
  ])
}

const cents = (amount: string): number => Math.round(Number(amount) * 100)
const money = (units: number): string => (units / 100).toFixed(2)
const inInt64 = (value: bigint): boolean => value >= -(2n ** 63n) && value < 2n ** 63n

async function randomChanges(world: World): Promise<void> {
  const table = await world.repository(Counters)
  const model = new Model()
  const random = new Random(20261123)
  for (let n = 0; n < 250; n++) {
    const day = random.below(4)
    const before = textOf(model.rows.get(day))
    const [run, expected] = randomStep(random, table, day)
    const wanted = expected(model.rows.get(day))
    const got = await run().then(
      () => 'done',
      (error: unknown) => (isRowkeyError(error) ? error.code : Promise.reject(error as Error)),
    )
    const what = `change ${n} of ${before}: ${run.toString()}`
    same(got, typeof wanted === 'string' ? wanted : 'done', what)
    if (typeof wanted !== 'string') model.change(day, () => wanted)
    same(await table.get({ page: '/', day }), model.rows.get(day), `the row after ${what}`)
  }
  check(model.rows.size > 0, 'some rows are left')
}

export const changes: readonly Rule[] = [
  rule('WRITE-19 WRITE-20 WRITE-21: random increments, upserts and conditions against their definition', randomChanges, 'columns'),

  rule(
    'WRITE-19: of concurrent increments none is lost',
    async (world) => {
      const table = await world.repository(Counters)
      await table.put({ ...key, hits: 0 })
      const processes = world.processes(Counters, 30)
      await Promise.all(processes.map((each, n) => each.increment(key, { hits: 1, spent: '0.01' }, n % 2 === 0 ? {} : { returning: true })))
      same(await table.get(key), { ...key, ...empty, hits: 30, spent: '0.30' }, 'the sums of 30 increments')
      const other = { page: '/', day: 2 }
      await Promise.all(processes.slice(0, 12).map((each) => each.increment(other, { hits: 2 }, { create: true })))
      same((await table.get(other))?.hits, 24, 'the sum of 12 increments that create the row')
    },
    'columns',
  ),

  rule(
    'WRITE-21: of concurrent upserts of a row that does not exist, one creates it and the others change it',
    async (world) => {
      const table = await world.repository(Counters)
      const days = upTo(6)
      const [one = table, another = table] = world.processes(Counters, 2)
      const upserts = days.flatMap((day) => [
        table.upsert({ page: '/', day, hits: 9 }),
        one.upsert({ page: '/', day, hits: 9, total: 5n }),
        another.upsert({ page: '/', day, hits: 9, state: 'open' }),
      ])
      await Promise.all(upserts)
      for (const day of days) {
        const whole = { page: '/', day, ...empty, hits: 9, total: 5n, state: 'open' }
        same(await table.get({ page: '/', day }), whole, 'a row with the columns of all upserts')
      }
    },
    'columns',
  ),

  rule(
    'WRITE-19: a sum outside of the column is refused, and nothing of the increment is written',
    async (world) => {
      const table = await world.repository(Counters)
      await table.put({ ...key, hits: 200 })
      await refused('a sum of 256', () => table.increment(key, { total: 1n, hits: 56 }), 'OUT_OF_RANGE')
      await refused('a sum of -1', () => table.increment(key, { hits: -201 }), 'OUT_OF_RANGE')
      same(await table.get(key), { ...key, ...empty, hits: 200 }, 'the row after it')
      await table.increment(key, { hits: 55 })
      await table.increment(key, { hits: -255 })
      same((await table.get(key))?.hits, 0, 'the smallest value')
    },
    'columns',
  ),

  rule(
    'WRITE-19 WRITE-21 EXPIRY-1: an increment and an upsert keep the expiry of a row, and an expired row does not exist',
    async (world) => {
      const table = await world.repository(Expiring)
      const { now } = world.clock
      await table.put({ id: 'a', hits: 1 }, { expires: new Date(now + 50) })
      await table.increment({ id: 'a' }, { hits: 1 })
      await table.upsert({ id: 'a', hits: 7 })
      world.clock.now = now + 49
      same((await table.get({ id: 'a' }))?.hits, 7, 'the row before it expires')
      world.clock.now = now + 50
      same(await table.get({ id: 'a' }), undefined, 'the row at its expiry')
      await refused('an increment of an expired row', () => table.increment({ id: 'a' }, { hits: 1 }), 'ROW_NOT_FOUND')
      await refused('a condition on an expired row', () => table.update({ id: 'a' }, { note: 'x' }, { if: { hits: 7 } }), 'ROW_NOT_FOUND')
      await table.increment({ id: 'a' }, { hits: 3 }, { create: { note: 'again' }, expires: '1s' })
      same(await table.get({ id: 'a' }), { id: 'a', hits: 3, note: 'again' }, 'a row created in place of an expired one')
      await table.upsert({ id: 'a', hits: 4 }, { expires: null })
      world.clock.now = now + 5000
      same(await table.get({ id: 'a' }), { id: 'a', hits: 4, note: 'again' }, 'a row whose expiry was taken away')
    },
    'columns',
  ),

  rule(
    'WRITE-20: a condition that holds for every value only requires the row',
    async (world) => {
      const table = await world.repository(Noted)
      const always = { note: { startsWith: '' } }
      const id = 'a'
      await refused('an update of a row that does not exist', () => table.update({ id }, { note: 'x' }, { if: always }), 'ROW_NOT_FOUND')
      await refused('a put', () => table.put({ id, note: 'x' }, { if: always }), 'ROW_NOT_FOUND')
      await refused('a delete', () => table.delete({ id }, { if: always }), 'ROW_NOT_FOUND')
      await table.put({ id, note: '' })
      await table.update({ id }, { note: 'x' }, { if: always })
      await table.put({ id, note: 'y' }, { if: always })
      same(await table.get({ id }), { id, note: 'y' }, 'the row')
      await table.delete({ id }, { if: always })
      same(await table.get({ id }), undefined, 'the row after a delete')
    },
    'columns',
  ),

  rule(
    'WRITE-22: a write returns the row as it is afterwards',
    async (world) => {
      const table = await world.repository(Counters)
      const put = { ...key, ...empty, hits: 3, raw: new Uint8Array([1]), data: { a: 1 } }
      await table.put(put)
      same((await table.update(key, { state: 'x' }, { returning: true })).row, { ...put, state: 'x' }, 'the row after an update')
      same((await table.update(key, {}, { returning: true })).row, { ...put, state: 'x' }, 'the row after an empty update')
      const { row } = await table.increment(key, { hits: 2, total: 5n }, { returning: true })
      same(row, { ...put, state: 'x', hits: 5, total: 5n }, 'the row after an increment')
      const upserted = await table.upsert({ ...key, hits: 1 }, { returning: true })
      same(upserted.row, { ...row, hits: 1 }, 'the row after an upsert')
      const created = await table.upsert({ page: '/', day: 9, hits: 1 }, { returning: true })
      same(created.row, { page: '/', day: 9, ...empty, hits: 1 }, 'a row that an upsert creates')
      const counted = await table.increment({ page: '/', day: 10 }, { hits: 1 }, { create: true, returning: true })
      same(counted.row, { page: '/', day: 10, ...empty, hits: 1 }, 'a row that an increment creates')
    },
    'columns',
  ),

  rule(
    'WRITE-16 WRITE-19 WRITE-20: increments, upserts and conditions of rows with versions',
    async (world) => {
      const table = await world.repository(Versioned)
      const { version: first } = await table.upsert({ id: 'a', hits: 1 })
      const { version: second, row } = await table.increment(
        { id: 'a' },
        { hits: 1 },
        { returning: true, ...(first === undefined ? {} : { if: { rev: first } }) },
      )
      check(second !== undefined && second !== first && row.rev === second, 'an increment gives a new version')
      await refused(
        'an increment of an old version',
        () => table.increment({ id: 'a' }, { hits: 1 }, { if: { rev: first ?? '' } }),
        'VERSION_CONFLICT',
      )
      const both = { if: { rev: second, hits: 3 } }
      await refused('a condition that does not hold', () => table.update({ id: 'a' }, { at: null }, both), 'CONDITION_FAILED')
      const { version: third } = await table.update({ id: 'a' }, { at: new Date(1) }, { if: { rev: second, hits: 2 } })
      same(await table.get({ id: 'a' }), { id: 'a', hits: 2, at: new Date(1), rev: third }, 'the row')
    },
    'columns',
  ),

  rule(
    'WRITE-14 WRITE-19 WRITE-20: an atomic batch with an increment and a condition is all or nothing',
    async (world) => {
      const table = await world.repository(Counters)
      const [one, two] = [key, { page: '/', day: 2 }]
      await table.putMany([
        { ...one, hits: 10, state: 'open' },
        { ...two, hits: 10 },
      ])
      const move = (state: string) => [table.ops.increment(one, { hits: -1 }, { if: { state } }), table.ops.increment(two, { hits: 1 })]
      await world.db.write(move('open'), { atomic: true })
      await refused('a batch whose condition fails', () => world.db.write(move('closed'), { atomic: true }), 'CONDITION_FAILED')
      const third = { page: '/', day: 3 }
      await world.db.write([table.ops.upsert({ ...third, hits: 1 }), table.ops.increment(one, { hits: 1 })], { atomic: true })
      const newer = (hits: number) => [
        table.ops.put({ ...third, hits }, { if: { hits: { lt: hits } }, create: true }),
        table.ops.put({ page: '/', day: 4, hits }, { if: { hits: { lt: hits } }, create: true }),
      ]
      await world.db.write(newer(2), { atomic: true })
      await refused('an older put that would create', () => world.db.write(newer(2), { atomic: true }), 'CONDITION_FAILED')
      same((await table.get({ page: '/', day: 4 }))?.hits, 2, 'a row that an atomic put created')
      await table.delete({ page: '/', day: 4 })
      await world.db.write(
        [table.ops.increment(third, { hits: 1 }, { create: true }), table.ops.update(two, { state: 'x' }, { if: { hits: { lt: 50 } } })],
        { atomic: true },
      )
      await world.db.write([table.ops.upsert({ ...third, hits: 2 }), table.ops.upsert({ ...two, hits: 11 })], { atomic: true })
      const hits = (await table.getMany([one, two, third])).map((row) => row?.hits)
      same(hits, [10, 11, 2], 'the sums')
    },
    'columns',
    'atomic batches',
  ),
]
