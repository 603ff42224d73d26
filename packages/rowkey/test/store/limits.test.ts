import type { Capabilities } from '#store/adapter'
import { bucket, bytes, int32, json, nullable, reversed, separatedText, text, type Json } from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { defineTable } from '#model'
import { describe, expect, test } from 'vitest'
import { whileReading } from '../../../../test/kit/reads.js'
import { refusalOf } from '../../../../test/kit/refusal.js'
import { wrapped } from '../../../../test/kit/wrapped.js'

// rowkey = salt (1) ‖ part + 2 ‖ rest + 2
const Things = defineTable('things', {
  columns: { part: text(), rest: text(), t: nullable(text()), b: nullable(bytes()), j: nullable(json()) },
  partition: ['part'],
  key: ['rest'],
  salt: bucket({ of: 'part', count: 4 }),
})
// Names take 2 bytes each: k0 … c5.
const Wide = defineTable('wide', {
  columns: { k0: text(), ...Object.fromEntries([0, 1, 2, 3, 4, 5].map((i) => [`c${i}`, nullable(text())])), n0: nullable(int32()) },
  key: ['k0'],
})

async function open(limits: Partial<Capabilities['limits']> = {}) {
  let writes = 0
  const base = memory()
  const store = wrapped(base, {
    capabilities: { limits: { ...base.capabilities.limits, ...limits } },
    write: (_, inner) => (writes++, inner()),
  })
  const db = createMapper(store)
  await db.ensureTables([Things, Wide])
  return { things: db.repository(Things), wide: db.repository(Wide), writes: () => writes }
}

const exceeded = async (run: () => unknown): Promise<unknown> => {
  const { code, details, message } = await refusalOf(run)
  expect(code).toBe('LIMIT_EXCEEDED')
  expect(message).toContain(`takes ${String(details['bytes'])} bytes, more than ${String(details['max'])}`)
  const { limit, bytes: length, max } = details
  return [limit, length, max]
}

test('WRITE-9: a rowkey of 1,000 bytes, not of 1,001, in every write', async () => {
  const { things, writes } = await open()
  const fits = { part: 'p'.repeat(400), rest: 'r'.repeat(595) }
  const over = { ...fits, rest: `${fits.rest}r` }
  await things.put(fits)
  await things.insert({ ...fits, part: 'q'.repeat(400) })
  await things.update(fits, { t: 'x' })
  await things.delete(fits)
  await things.putMany([fits])
  await things.deleteMany([fits])
  const before = writes()
  const calls = [
    () => things.put(over),
    () => things.insert(over),
    () => things.update(over, { t: 'x' }),
    () => things.delete(over),
    () => things.putMany([fits, over]),
    () => things.deleteMany([fits, over]),
  ]
  for (const call of calls) expect(await exceeded(call)).toEqual(['rowkey', 1001, 1000])
  expect(writes()).toBe(before)
})

test('WRITE-9: what counts are the bytes of the key: UTF-8 and escapes', async () => {
  const { things } = await open()
  await things.put({ part: '', rest: `${'é'.repeat(497)}x` })
  expect(await exceeded(() => things.put({ part: '', rest: 'é'.repeat(498) }))).toEqual(['rowkey', 1001, 1000])
  await things.put({ part: '', rest: `${'\0'.repeat(497)}x` })
  expect(await exceeded(() => things.put({ part: '', rest: '\0'.repeat(498) }))).toEqual(['rowkey', 1001, 1000])
})

test('WRITE-9: a column of 65,535 bytes, not of 65,536, whatever its type', async () => {
  const { things } = await open()
  const key = { part: 'p', rest: 'r' }
  const over = ['column', 65_536, 65_535]
  await things.put({ ...key, t: 'x'.repeat(65_535) })
  expect(await exceeded(() => things.put({ ...key, t: 'x'.repeat(65_536) }))).toEqual(over)
  await things.put({ ...key, t: `${'é'.repeat(32_767)}x` })
  expect(await exceeded(() => things.put({ ...key, t: 'é'.repeat(32_768) }))).toEqual(over)
  await things.put({ ...key, t: `${'\u{1f600}'.repeat(16_383)}xxx` })
  expect(await exceeded(() => things.update(key, { t: '\u{1f600}'.repeat(16_384) }))).toEqual(over)
  await things.put({ ...key, b: new Uint8Array(65_535) })
  expect(await exceeded(() => things.put({ ...key, b: new Uint8Array(65_536) }))).toEqual(over)
  await things.put({ ...key, j: ['x'.repeat(65_531)] })
  expect(await exceeded(() => things.put({ ...key, j: ['x'.repeat(65_532)] }))).toEqual(over)
})

test('WRITE-9: a row of 380,000 bytes with its names, not one more', async () => {
  const { wide } = await open()
  // 8 names of 2 bytes, the key's 1 byte, 5 full columns: 327,692.
  const full = Object.fromEntries([0, 1, 2, 3, 4].map((i) => [`c${i}`, 'x'.repeat(65_535)]))
  await wide.put({ k0: 'k', ...full, c5: 'x'.repeat(380_000 - 327_692) } as never)
  expect(await exceeded(() => wide.put({ k0: 'k', ...full, c5: 'x'.repeat(380_001 - 327_692) } as never))).toEqual([
    'row',
    380_001,
    380_000,
  ])
  // Short text is measured, not estimated.
  await wide.put({ k0: 'kkkkkkkkkk', ...full, c5: 'x'.repeat(380_000 - 327_701) } as never)
})

test('WRITE-9: less where the adapter says so', async () => {
  const { things } = await open({ partitionBytes: 20, sortKeyBytes: 10, valueBytes: 30 })
  await things.put({ part: 'p'.repeat(17), rest: 'r'.repeat(8), t: 't'.repeat(30) })
  expect(await exceeded(() => things.put({ part: 'p'.repeat(18), rest: 'r' }))).toEqual(['partition', 21, 20])
  expect(await exceeded(() => things.put({ part: 'p', rest: 'r'.repeat(9) }))).toEqual(['sortKey', 11, 10])
  expect(await exceeded(() => things.delete({ part: 'p', rest: 'r'.repeat(9) }))).toEqual(['sortKey', 11, 10])
  expect(await exceeded(() => things.put({ part: 'p', rest: 'r', t: 't'.repeat(31) }))).toEqual(['column', 31, 30])
  expect(await exceeded(() => things.put({ part: 'p', rest: 'r', b: new Uint8Array(31) }))).toEqual(['column', 31, 30])
})

const Odd = defineTable('odd', {
  columns: {
    text: text(),
    ended: separatedText('|'),
    turned: reversed(text()),
    raw: bytes(),
    note: nullable(text()),
    data: nullable(bytes()),
    plain: nullable(json()),
  },
  key: ['text', 'ended', 'turned', 'raw'],
})
const key = { text: 'a', ended: 'b', turned: 'c', raw: new Uint8Array(1) }
const huge = 1_000_000

/** Lists within each other: as text they are 2^50 characters long. */
const shared = Array.from({ length: 50 }).reduce((item) => [item, item], 0)
/** The same in objects, and with a cycle. */
const sharedObjects = Array.from({ length: 50 }).reduce((item) => ({ a: item, b: item }), 0)
const cyclic: unknown[] = []
cyclic.push(cyclic, cyclic)

describe('WRITE-9: what is far too long is refused before it is looked into', async () => {
  const db = createMapper(memory(), { cursorSecret: 'x'.repeat(32) })
  await db.ensureTables([Odd])
  const odd = db.repository(Odd)

  /** Of how much a program looked into long texts and bytes until it was refused. */
  async function refusedUnread(run: () => unknown): Promise<Awaited<ReturnType<typeof refusalOf>>> {
    const read: string[] = []
    const refusal = await whileReading(
      (what, method) => {
        const length = typeof what === 'string' || what instanceof Uint8Array ? what.length : typeof what === 'object' ? huge : 0
        if (length >= 200_000) read.push(method)
      },
      () => refusalOf(run),
    )
    expect(read).toEqual([])
    return refusal
  }

  const letters = ['x', '\0', 'é', '😀'] as const
  const values: [column: string, value: unknown, limit: 'rowkey' | 'column'][] = [
    ...letters.flatMap((letter): [string, unknown, 'rowkey' | 'column'][] => [
      ['text', letter.repeat(huge), 'rowkey'],
      ['ended', letter.repeat(huge), 'rowkey'],
      ['turned', letter.repeat(huge), 'rowkey'],
      ['note', letter.repeat(huge), 'column'],
      ['plain', [letter.repeat(huge)], 'column'],
      ['plain', { [letter.repeat(huge)]: 1 }, 'column'],
    ]),
    ['raw', new Uint8Array(huge), 'rowkey'],
    ['data', new Uint8Array(huge), 'column'],
    ['plain', new Array(huge), 'column'],
    ['plain', shared, 'column'],
    ['plain', { deep: [sharedObjects] }, 'column'],
  ]
  test.each(values.map(([column, value, limit], i) => ({ column, value, limit, i })))('$column, $i', async ({ column, value, limit }) => {
    const given = { ...key, [column]: value }
    const writes = [() => odd.put(given), () => odd.insert(given), () => odd.putMany([given]), () => db.write([odd.ops.put(given)])]
    const byKey = [() => odd.get(given), () => odd.getMany([given]), () => odd.delete(given), () => odd.update(given, { note: 'x' })]
    for (const call of [...writes, ...(limit === 'column' ? [() => odd.update(key, { [column]: value })] : byKey)]) {
      const { code, details, message } = await refusedUnread(call)
      expect(code).toBe('LIMIT_EXCEEDED')
      expect(details).toMatchObject({ limit, max: limit === 'rowkey' ? 1000 : 65_535 })
      expect(message).toContain(`column '${column}' takes at least ${String(details['bytes'])} bytes`)
      expect(details['bytes']).toBeGreaterThan(131_072)
    }
  })

  test('PRED-4: operands', async () => {
    for (const letter of letters) {
      const long = letter.repeat(huge)
      const wheres = [
        { text: long },
        { text: { gte: long } },
        { text: { startsWith: long } },
        { text: { in: ['a', long] } },
        { ended: long },
      ]
      for (const where of [...wheres, { text: 'a', note: long }]) {
        const { code, message } = await refusedUnread(() => odd.scan(where as never).page())
        expect(code).toBe('INVALID_PREDICATE')
        expect(message).toMatch(/has at least \d{7} bytes, but a (rowkey|column) can hold at most/)
      }
    }
    const { code } = await refusedUnread(() => odd.scan({ raw: new Uint8Array(huge) }, { unbounded: true }).page())
    expect(code).toBe('INVALID_PREDICATE')
  })

  test('PAGE-3 SCAN-8: cursors and checkpoints, signed and not', async () => {
    const unsigned = createMapper(db.adapter).repository(Odd)
    for (const long of ['A'.repeat(huge), '-'.repeat(huge), `${'A'.repeat(huge)}.${'0'.repeat(64)}`]) {
      for (const table of [odd, unsigned]) {
        expect((await refusedUnread(() => table.scan({ text: 'a' }).page({ cursor: long }))).code).toBe('CURSOR_INVALID')
        expect((await refusedUnread(() => table.readAll({ checkpoint: long }).count())).code).toBe('CURSOR_INVALID')
      }
    }
  })

  test('values of another type', async () => {
    for (const value of ['1'.repeat(huge), 10n ** 100_000n]) {
      const { code, message } = await refusedUnread(() => odd.put({ ...key, data: value as never }))
      expect(code).toBe('INVALID_VALUE')
      expect(message.length).toBeLessThan(200)
    }
  })

  test('JSON that holds itself is refused, once or many times', async () => {
    for (const given of [cyclic, { a: [cyclic] }])
      expect((await refusalOf(() => odd.put({ ...key, plain: given as Json }))).code).toBe('LIMIT_EXCEEDED')
    const narrow: Json[] = []
    narrow.push(narrow)
    expect((await refusalOf(() => odd.put({ ...key, plain: narrow }))).code).toBe('INVALID_VALUE')
  })
})

test('WRITE-9: no size is too large that a column can hold', async () => {
  const db = createMapper(memory())
  await db.ensureTables([Odd])
  const odd = db.repository(Odd)
  const fits = { note: 'é'.repeat(32_767), data: new Uint8Array(65_535), plain: Array.from({ length: 32_767 }, () => 1) }
  await odd.put({ ...key, ...fits })
  expect(await odd.get(key)).toEqual({ ...key, ...fits })
})
