import { createMapper, isRowkeyError } from '#mapper'
import { createPausing } from '#mapper/internal'
import { memory } from '#memory'
import { decimal, defineTable, float64, int32, int64, json, nullable, text, timestamp, uint8, uint64 } from 'rowkey'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { codeOf, refusalOf } from '../../../../test/kit/refusal.js'
import { wrapped, type Overrides } from '../../../../test/kit/wrapped.js'

const columns = {
  id: text(),
  hits: uint8(),
  wide: nullable(uint64()),
  whole: nullable(int64({ as: 'number' })),
  money: nullable(decimal(6, 2)),
  units: nullable(decimal(4)),
  ratio: nullable(float64()),
  at: nullable(timestamp('ms', { as: 'number' })),
  us: nullable(timestamp('us')),
  note: nullable(text()),
  data: nullable(json()),
}
const Things = defineTable('things', { columns, key: ['id'] })
const Versioned = defineTable('versioned', { columns: { id: text(), n: int32() }, key: ['id'], version: 'rev' })
const Plain = defineTable('plain', { columns: { id: text(), n: int32() }, key: ['id'], writes: 'plain' })
const Checked = defineTable('checked', {
  columns: { id: text(), from: int32(), to: int32({ default: 10 }), note: nullable(text()) },
  key: ['id'],
  check: z.object({ from: z.number(), to: z.number() }).refine(({ from, to }) => from <= to, 'from must not be after to'),
})

const key = { id: 'a' }

async function open(overrides: Overrides = {}) {
  const base = memory()
  const db = createPausing(wrapped(base, overrides), {}, { sleep: async () => undefined })
  await db.ensureTables([Things, Versioned, Plain, Checked])
  const things = db.repository(Things)
  await things.put({ ...key, hits: 1 })
  /** That of another process. */
  const other = createMapper(base)
  return { db, things, versioned: db.repository(Versioned), checked: db.repository(Checked), other: other.repository(Checked) }
}

describe('WRITE-19: increments', () => {
  const refused: [amounts: unknown, code: string, message: string][] = [
    [{}, 'INVALID_VALUE', 'no amount'],
    [{ hits: undefined }, 'INVALID_VALUE', 'no amount'],
    [null, 'INVALID_VALUE', 'amounts by column'],
    [5, 'INVALID_VALUE', 'amounts by column'],
    [{ hits: 1.5 }, 'INVALID_VALUE', 'Give a whole number'],
    [{ hits: NaN }, 'INVALID_VALUE', 'Give a whole number'],
    [{ hits: '1' }, 'INVALID_VALUE', 'Give a whole number'],
    [{ hits: 1n }, 'INVALID_VALUE', 'Give a whole number'],
    [{ hits: null }, 'INVALID_VALUE', 'Give a whole number'],
    [{ wide: 1 }, 'INVALID_VALUE', 'bigint'],
    [{ wide: 2n ** 64n }, 'INVALID_VALUE', 'range of the column'],
    [{ whole: 2 ** 53 }, 'INVALID_VALUE', 'whole number'],
    [{ money: 1 }, 'INVALID_VALUE', 'at most 2 places'],
    [{ money: '1.234' }, 'INVALID_VALUE', 'at most 2 places'],
    [{ money: '1e2' }, 'INVALID_VALUE', 'at most 2 places'],
    [{ money: '' }, 'INVALID_VALUE', 'at most 2 places'],
    [{ money: '9'.repeat(200) }, 'INVALID_VALUE', 'at most 2 places'],
    [{ units: '1.5' }, 'INVALID_VALUE', 'at most 0 places'],
    [{ ratio: 1 }, 'INVALID_VALUE', 'Only integers and decimals'],
    [{ at: 1 }, 'INVALID_VALUE', 'Only integers and decimals'],
    [{ us: 1n }, 'INVALID_VALUE', 'Only integers and decimals'],
    [{ note: 'x' }, 'INVALID_VALUE', 'Only integers and decimals'],
    [{ data: 1 }, 'INVALID_VALUE', 'Only integers and decimals'],
    [{ id: 1 }, 'KEY_IMMUTABLE', 'key column'],
    [{ nope: 1 }, 'UNKNOWN_COLUMN', 'nope'],
    [{ nope: undefined }, 'UNKNOWN_COLUMN', 'nope'],
    [{ rk_expires: 1 }, 'UNKNOWN_COLUMN', 'rk_expires'],
  ]
  test.each(refused)('WRITE-19: %o is refused before the store is asked', async (amounts, code, message) => {
    let writes = 0
    const { things } = await open({ write: (_, inner) => (writes++, inner()) })
    writes = 0
    const error = await refusalOf(() => things.increment(key, amounts as never))
    expect(error.code).toBe(code)
    expect(error.message).toContain(message)
    expect(writes).toBe(0)
  })

  test('WRITE-19: amounts are exact, at both ends of every column', async () => {
    const { things } = await open()
    await things.put({ ...key, hits: 0, wide: 2n ** 64n - 2n, whole: Number.MIN_SAFE_INTEGER + 1, money: '-9999.98', units: '9998' })
    await things.increment(key, { hits: 255, wide: 1n, whole: -1, money: '-0.01', units: '1' })
    expect(await things.get(key)).toMatchObject({
      hits: 255,
      wide: 2n ** 64n - 1n,
      whole: Number.MIN_SAFE_INTEGER,
      money: '-9999.99',
      units: '9999',
    })
    for (const amounts of [{ hits: 1 }, { wide: 1n }, { whole: -1 }, { money: '-0.01' }, { units: '1' }]) {
      expect(await codeOf(() => things.increment(key, amounts)), Object.keys(amounts)[0]).toBe('OUT_OF_RANGE')
    }
    await things.increment(key, { hits: -255, wide: -(2n ** 64n - 1n), whole: Number.MAX_SAFE_INTEGER, money: '9999.99', units: '-0009' })
    expect(await things.get(key)).toMatchObject({ hits: 0, wide: 0n, whole: 0, money: '0.00', units: '9990' })
  })

  test('WRITE-19: options that exclude each other', async () => {
    const { things } = await open()
    const wrong: object[] = [
      { create: { hits: 4 } },
      { create: { id: 'b' } },
      { create: { id: 'a' } },
      { create: 'yes' },
      { create: null },
      { ttl: '5m' },
      { returning: 'row' },
      { crate: true },
    ]
    for (const options of wrong) expect(await codeOf(() => things.increment(key, { hits: 1 }, options)), JSON.stringify(options)).toMatch(/INVALID_OPTION|TTL_UNDECLARED/) // prettier-ignore
    expect(await codeOf(() => things.increment({ id: 'b' }, { wide: 1n }, { create: true }))).toBe('INVALID_VALUE') // hits is required
    expect(await codeOf(() => things.increment(key, { hits: -1 }, { create: true }))).toBe('OUT_OF_RANGE')
    expect((await things.getOrThrow(key)).hits).toBe(1)
    expect(await things.exists({ id: 'b' })).toBe(false)
  })

  test('WRITE-19: a row that is created starts with the defaults, also of nullable columns; a null of an existing one counts as 0', async () => {
    const Started = defineTable('started', {
      columns: {
        id: text(),
        n: nullable(int32({ default: 5 })),
        money: nullable(decimal(6, 2, { default: '1.00' })),
        note: nullable(text()),
      },
      key: ['id'],
    })
    const db = createMapper(memory())
    await db.ensureTables([Started])
    const started = db.repository(Started)
    const created = await started.increment(key, { n: 1, money: '0.5' }, { create: { note: 'new', money: undefined }, returning: true })
    expect(created.row).toEqual({ ...key, n: 6, money: '1.50', note: 'new' })
    await started.put({ ...key, n: null, money: null })
    await started.increment(key, { n: 1, money: '0.5' }, { create: true })
    expect(await started.get(key)).toEqual({ ...key, n: 1, money: '0.50', note: null })
  })

  test('WRITE-7: plain tables have no increment, upsert and conditions', async () => {
    const { db } = await open()
    const plain = db.repository(Plain) as unknown as ReturnType<typeof db.repository<typeof Versioned>>
    expect(await codeOf(() => plain.increment(key, { n: 1 }))).toBe('PLAIN_WRITES_ONLY')
    expect(await codeOf(() => plain.upsert({ ...key, n: 1 }))).toBe('PLAIN_WRITES_ONLY')
    expect(await codeOf(() => plain.put({ ...key, n: 1 }, { if: { n: 1 } }))).toBe('PLAIN_WRITES_ONLY')
    expect(await codeOf(() => plain.delete(key, { if: { n: 1 } }))).toBe('PLAIN_WRITES_ONLY')
  })

  test('WRITE-11: an increment whose answer is lost is told, and not sent again', async () => {
    let sent = 0
    const { things, versioned } = await open({
      write: async (batch, inner) => {
        const outcomes = await inner()
        if (!batch.some((mutation) => mutation.kind === 'update' && mutation.additions !== undefined)) return outcomes
        sent++
        return batch.map(() => ({ kind: 'unknown', cause: new Error('lost') }) as const)
      },
    })
    expect(await codeOf(() => things.increment(key, { hits: 1 }))).toBe('OUTCOME_UNKNOWN')
    expect(sent).toBe(1)
    expect((await things.getOrThrow(key)).hits).toBe(2)
    // With a version the row says whether it was applied.
    await versioned.put({ ...key, n: 1 })
    const { row, version } = await versioned.increment(key, { n: 1 }, { returning: true })
    expect(row).toEqual({ ...key, n: 2, rev: version })
    expect(sent).toBe(2)
  })
})

describe('WRITE-20: conditions', () => {
  const refused: [condition: unknown, code: string, message: string][] = [
    [{}, 'INVALID_PREDICATE', 'names no column'],
    [{ id: 'a' }, 'INVALID_PREDICATE', 'key column'],
    [{ nope: 1 }, 'INVALID_PREDICATE', 'no such column'],
    [{ hits: undefined }, 'INVALID_PREDICATE', 'undefined'],
    [{ hits: null }, 'INVALID_PREDICATE', 'never null'],
    [{ hits: { in: [] } }, 'INVALID_PREDICATE', 'no value meets'],
    [{ hits: { gt: 5, lt: 3 } }, 'INVALID_PREDICATE', 'no value meets'],
    [{ data: { a: 1 } }, 'INVALID_PREDICATE', ''],
    [{ rk_version: 'x' }, 'INVALID_PREDICATE', 'no such column'],
    [undefined, 'INVALID_OPTION', 'conditions by column'],
    [null, 'INVALID_PREDICATE', 'conditions by column'],
    ['x', 'INVALID_PREDICATE', 'conditions by column'],
  ]
  test.each(refused)('WRITE-20: the condition %o is refused before anything is written', async (condition, code, message) => {
    const { things } = await open()
    const options = { if: condition } as never
    for (const write of [
      () => things.update(key, { note: 'x' }, options),
      () => things.put({ ...key, hits: 9 }, options),
      () => things.delete(key, options),
      () => things.increment(key, { hits: 1 }, options),
    ]) {
      const error = await refusalOf(write)
      expect(error.code).toBe(code)
      expect(error.message).toContain(message)
    }
    expect(await things.get(key)).toMatchObject({ hits: 1, note: null })
  })

  test('WRITE-20: the error names the columns, and in a list the index', async () => {
    const { db, things } = await open()
    const error = await refusalOf(() => things.update(key, { note: 'x' }, { if: { hits: 2, note: null } }))
    expect(error.details).toEqual({ table: 'things', key, columns: ['hits', 'note'] })
    const batch = [things.ops.put({ id: 'b', hits: 1 }), things.ops.delete(key, { if: { hits: 2 } })]
    const failed = await refusalOf(() => db.write(batch, { atomic: true }))
    expect(failed).toMatchObject({ code: 'CONDITION_FAILED', details: { index: 1 } })
    expect(await things.exists({ id: 'b' })).toBe(false)
  })
})

describe('ROW-6: increments and upserts of rows with checks', () => {
  test('ROW-6 WRITE-19: the row after an increment has to pass, whoever changes it in between', async () => {
    let meddle: (() => Promise<unknown>) | undefined
    const { checked, other } = await open({
      get: async (keys, inner, options) => {
        const rows = await inner(keys, options)
        const once = meddle
        meddle = undefined
        await once?.()
        return rows
      },
    })
    await checked.put({ ...key, from: 8 })
    expect(await codeOf(() => checked.increment(key, { from: 3 }))).toBe('VALIDATION_FAILED')
    const { row } = await checked.increment(key, { from: 2 }, { returning: true })
    expect(row).toEqual({ ...key, from: 10, to: 10, note: null })
    // The row that was read may be increased, the row as it is then may not.
    await checked.update(key, { from: 5 })
    meddle = () => other.update(key, { from: 9 })
    expect(await codeOf(() => checked.increment(key, { from: 2 }))).toBe('VALIDATION_FAILED')
    await checked.update(key, { from: 5 })
    meddle = () => other.update(key, { from: 1 })
    await checked.increment(key, { from: 2 })
    expect((await checked.getOrThrow(key)).from).toBe(3)
    meddle = () => other.delete(key)
    expect(await codeOf(() => checked.increment(key, { from: 2 }))).toBe('ROW_NOT_FOUND')
    meddle = () => other.put({ ...key, from: 10 })
    expect(await codeOf(() => checked.increment(key, { from: 2 }, { create: true }))).toBe('VALIDATION_FAILED')
    expect((await checked.getOrThrow(key)).from).toBe(10)
  })

  test('ROW-6 WRITE-21: an upsert checks the row that it makes', async () => {
    const { db, checked } = await open()
    expect(await codeOf(() => checked.upsert({ ...key, from: 11 }))).toBe('VALIDATION_FAILED')
    await checked.upsert({ ...key, from: 11, to: 12 })
    expect(await codeOf(() => checked.upsert({ ...key, from: 13 }))).toBe('VALIDATION_FAILED')
    await checked.upsert({ ...key, from: 12 })
    expect(await checked.get(key)).toEqual({ ...key, from: 12, to: 12, note: null })
    expect(await codeOf(() => checked.increment({ id: 'b' }, { from: 11 }, { create: true }))).toBe('VALIDATION_FAILED')
    for (const operation of [checked.ops.increment(key, { from: 1 }), checked.ops.upsert({ ...key, from: 1 })]) {
      expect(await codeOf(() => db.write([operation]))).toBe('CHECK_NEEDS_ROW')
    }
  })

  test('ROW-6: a condition of the caller is told from a row that has changed', async () => {
    const { checked } = await open()
    await checked.put({ ...key, from: 1 })
    const error = await refusalOf(() => checked.increment(key, { from: 1 }, { if: { from: 2 } }))
    expect(isRowkeyError(error, 'CONDITION_FAILED') && error.details.columns).toEqual(['from'])
    expect(await codeOf(() => checked.increment(key, { to: 2 ** 31 }))).toBe('OUT_OF_RANGE')
  })
})

test('WRITE-22: returning works on a store that does not say what the row is', async () => {
  const { things } = await open({ write: async (_, inner) => (await inner()).map(({ kind }) => ({ kind }) as { kind: 'applied' }) })
  const { row } = await things.update(key, { note: 'x' }, { returning: true })
  expect(row).toMatchObject({ ...key, hits: 1, note: 'x' })
})

describe('WRITE-20: a condition of a write that creates', () => {
  const newer = (n: number) => ({ if: { n: { lt: n } }, create: true })

  test('is only for a row that exists', async () => {
    const { versioned } = await open()
    await versioned.put({ ...key, n: 2 }, newer(2))
    expect(await codeOf(() => versioned.put({ ...key, n: 2 }, newer(2)))).toBe('CONDITION_FAILED')
    await versioned.put({ ...key, n: 3 }, newer(3))
    expect(await codeOf(() => versioned.put({ id: 'b', n: 3 }, { if: { n: { lt: 3 } } }))).toBe('ROW_NOT_FOUND')
    expect(await codeOf(() => versioned.put({ id: 'b', n: 3 }, { ...newer(3), create: false }))).toBe('ROW_NOT_FOUND')
    const { message } = await refusalOf(() => versioned.put({ id: 'b', n: 3 }, { if: { n: 3 } }))
    expect(message).toContain('Give put() { create: true } too, or create the row with insert().')
    for (const options of [{ create: false }, { create: false, expires: 'keep' }, { create: 1 }])
      expect(await codeOf(() => versioned.put({ id: 'b', n: 3 }, options as never))).toBe('INVALID_OPTION')
    await versioned.put({ id: 'b', n: 3 }, { create: true })
    expect((await versioned.getMany([key, { id: 'b' }])).map((row) => row?.n)).toEqual([3, 3])
  })

  test('also counts for an upsert that changes nothing', async () => {
    const { things } = await open()
    const Marks = defineTable('marks', { columns: { id: text(), note: nullable(text()) }, key: ['id'], version: 'rev' })
    const db = createMapper(memory())
    await db.ensureTables([Marks])
    const marks = db.repository(Marks)
    const { version } = await marks.upsert(key, { if: { note: 'x' } })
    expect(await codeOf(() => marks.upsert(key, { if: { note: 'x' } }))).toBe('CONDITION_FAILED')
    expect(await marks.upsert(key, { if: { note: null } })).toEqual({ key, version })
    expect(await codeOf(() => things.upsert({ ...key, hits: 2 }, { if: { hits: 3 } }))).toBe('CONDITION_FAILED')
    expect((await things.upsert({ ...key, hits: 2 }, { if: { hits: 1 }, returning: true })).row.hits).toBe(2)
  })

  test('limits a counter', async () => {
    const { things } = await open()
    const use = () => things.increment({ id: 'n' }, { hits: 1 }, { if: { hits: { lt: 3 } }, create: true, returning: true })
    expect([(await use()).row.hits, (await use()).row.hits, (await use()).row.hits]).toEqual([1, 2, 3])
    expect(await codeOf(use)).toBe('CONDITION_FAILED')
  })

  test('is checked with the row that it makes', async () => {
    const { checked } = await open()
    const put = (from: number, note: string) => checked.put({ ...key, from, note }, { if: { from: { lt: from } }, create: true })
    expect(await codeOf(() => put(11, 'new'))).toBe('VALIDATION_FAILED')
    await put(1, 'new')
    expect(await codeOf(() => put(11, 'changed'))).toBe('VALIDATION_FAILED')
    expect(await codeOf(() => checked.upsert({ ...key, from: 5 }, { if: { note: 'other' } }))).toBe('CONDITION_FAILED')
    await checked.upsert({ ...key, from: 5 }, { if: { note: 'new' } })
    await checked.increment(key, { from: 1 }, { if: { note: 'new' }, create: true })
    expect(await checked.get(key)).toEqual({ ...key, from: 6, to: 10, note: 'new' })
  })

  test('is refused where conditions are', async () => {
    const { db } = await open()
    const plain = db.repository(Plain) as unknown as { put(row: object, options: object): Promise<unknown> }
    expect(await codeOf(() => plain.put({ ...key, n: 1 }, newer(1)))).toBe('PLAIN_WRITES_ONLY')
    const base = memory()
    const capabilities = { ...base.capabilities, conditions: 'version' } as const
    const lacking = createMapper(Object.assign(Object.create(base) as typeof base, { capabilities }))
    await lacking.ensureTables([Versioned])
    const rows = lacking.repository(Versioned)
    expect(await codeOf(() => rows.put({ ...key, n: 1 }, { if: { rev: 'x' }, create: true }))).toBe('NOT_SUPPORTED')
    expect(await codeOf(() => rows.put({ ...key, n: 1 }, { if: { rev: 'x' } }))).toBe('ROW_NOT_FOUND')
  })

  test('is not known to have held because there is a row', async () => {
    let isLost = false
    const { db, things } = await open({
      write: (_, inner) => (isLost ? Promise.resolve([{ kind: 'unknown' as const, cause: new Error('no answer') }]) : inner()),
    })
    const Marks = defineTable('marks', { columns: { id: text(), note: nullable(text()) }, key: ['id'] })
    await db.ensureTables([Marks])
    const marks = db.repository(Marks)
    await marks.put({ ...key, note: 'y' })
    isLost = true
    await marks.upsert(key)
    expect(await codeOf(() => marks.upsert(key, { if: { note: 'x' } }))).toBe('OUTCOME_UNKNOWN')
    expect(await codeOf(() => things.put({ ...key, hits: 2 }, { if: { hits: 1 }, create: true }))).toBe('OUTCOME_UNKNOWN')
  })
})
