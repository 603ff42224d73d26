import { int32, nullable, text } from '#codec'
import { createMapper, type MapperOptions, type Operation } from '#mapper'
import { createPausing } from '#mapper/internal'
import { memory } from '#memory'
import { Column, defineTable, equals, KeyColumn, Table, Version } from '#model'
import type { Outcome } from '#store/adapter'
import { describe, expect, test } from 'vitest'
import { codeOf, refusalOf } from '../../../../test/kit/refusal.js'
import { wrapped, type Overrides } from '../../../../test/kit/wrapped.js'

const Stocks = defineTable('stocks', {
  columns: { sku: text(), count: int32({ default: 0 }), note: nullable(text()) },
  key: ['sku'],
  version: 'rev',
})
const Bare = defineTable('bare', { columns: { sku: text(), count: nullable(int32()) }, key: ['sku'] })
const BareStocks = defineTable('stocks', { columns: { sku: text(), count: int32({ default: 0 }), note: nullable(text()) }, key: ['sku'] })
const key = { sku: 'a' }

@Table('parts')
class Part {
  @KeyColumn(1, text()) sku!: string
  @Column(int32()) count!: number
  @Version() readonly rev!: string
}

const sleep = () => Promise.resolve()

async function open(overrides: Overrides = {}, options: MapperOptions = {}) {
  const store = memory()
  await createMapper(store).ensureTables([Stocks, Bare, Part])
  const db = createPausing(wrapped(store, overrides), options, { sleep })
  return { store, db, stocks: db.repository(Stocks), bare: db.repository(Bare), parts: db.repository(Part) }
}

describe('WRITE-16: versions', () => {
  test('WRITE-16: every write makes one, resolves to it, and reads return it', async () => {
    const { stocks } = await open()
    const seen: (string | undefined)[] = []
    seen.push((await stocks.insert(key)).version)
    seen.push((await stocks.update(key, { count: 1 })).version)
    expect(await stocks.get(key)).toEqual({ sku: 'a', count: 1, note: null, rev: seen[1] })
    seen.push((await stocks.update(key, {})).version)
    seen.push((await stocks.put({ ...key, count: 2 })).version)
    seen.push((await stocks.modify(key, ({ count }) => ({ count: count + 1 }))).version)
    await stocks.putMany([{ ...key, count: 5 }])
    seen.push((await stocks.scan({ sku: 'a' }).toArray())[0]?.rev ?? undefined)
    expect(seen.every((version) => /^[0-9A-HJKMNP-TV-Z]{26}$/.test(version ?? ''))).toBe(true)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual(seen.toSorted())
    expect((await stocks.scan({ sku: 'a' }, { select: ['rev'] }).toArray())[0]).toEqual({ rev: seen.at(-1) })
  })

  test('WRITE-16: a condition on the version lets a write through while the row has it', async () => {
    const { stocks } = await open()
    const { version: first = '' } = await stocks.insert(key)
    const { version: second = '' } = await stocks.update(key, { count: 1 }, { if: { rev: first } })
    for (const write of [
      () => stocks.update(key, { count: 9 }, { if: { rev: first } }),
      () => stocks.put({ ...key, count: 9 }, { if: { rev: first } }),
      () => stocks.delete(key, { if: { rev: first } }),
    ]) {
      const { code, details, message } = await refusalOf(write)
      expect([code, details]).toEqual(['VERSION_CONFLICT', { table: 'stocks', key, expected: first, current: second }])
      expect(message).toContain(second)
    }
    const { version: third = '' } = await stocks.put({ ...key, count: 2 }, { if: { rev: second } })
    await stocks.delete(key, { if: { rev: third } })
    expect(await stocks.exists(key)).toBe(false)
    expect(await codeOf(() => stocks.update(key, {}, { if: { rev: third } }))).toBe('ROW_NOT_FOUND')
    expect(await codeOf(() => stocks.put(key, { if: { rev: third } }))).toBe('ROW_NOT_FOUND')
    expect(await codeOf(() => stocks.delete(key, { if: { rev: third } }))).toBe('ROW_NOT_FOUND')
  })

  test('WRITE-16: a version that was read is ignored in rows, refused in patches and predicates', async () => {
    const { stocks } = await open()
    const { version: first } = await stocks.insert({ ...key, rev: 'mine' })
    expect(first).not.toBe('mine')
    const row = await stocks.getOrThrow(key)
    const { version: second } = await stocks.put(row)
    expect(second).not.toBe(first)
    for (const patch of [{ rev: 'x' }, { rev: null }]) {
      const { code, message } = await refusalOf(() => stocks.update(key, patch as never))
      expect(code).toBe('INVALID_VALUE')
      expect(message).toContain('the condition (if)')
    }
    expect(await codeOf(() => stocks.scan({ sku: 'a', rev: second } as never).page())).toBe('INVALID_PREDICATE')
  })

  test('WRITE-16: a version is compared for being equal, beside other columns; of a table without one it is no column', async () => {
    const { bare, stocks } = await open()
    for (const write of [
      () => bare.update(key, {}, { if: { rev: 'x' } as never }),
      () => bare.put(key, { if: { rev: 'x' } as never }),
      () => bare.delete(key, { if: { rev: 'x' } as never }),
    ]) {
      expect(await codeOf(write)).toBe('INVALID_PREDICATE')
    }
    const { version = '' } = await stocks.put({ ...key, count: 1 })
    for (const rev of [undefined, '', 5, [version], { in: [version] }, { gt: '' }, { isNull: true }, equals(null), equals(undefined)]) {
      for (const write of [
        () => stocks.put(key, { if: { rev } as never }),
        () => stocks.delete(key, { if: { rev, count: 1 } as never }),
        () => stocks.update(key, {}, { if: { count: 1, rev } as never }),
      ]) {
        expect(await codeOf(write)).toBe('INVALID_PREDICATE')
      }
    }
    expect(await codeOf(() => stocks.insert(key, { if: { rev: 'x' } } as never))).toBe('INVALID_OPTION')
    expect(await codeOf(() => stocks.update(key, {}, { if: { rev: version, count: 2 } }))).toBe('CONDITION_FAILED')
    expect(await codeOf(() => stocks.update(key, {}, { if: { rev: 'x', count: 2 } }))).toBe('VERSION_CONFLICT')
    await stocks.delete(key, { if: { rev: equals(version), count: { gte: 1 } } })
    expect(await stocks.exists(key)).toBe(false)
  })

  test('WRITE-16: null is the version of a row that was written before its table had them', async () => {
    const { store, db } = await open()
    const Old = defineTable('grown', { columns: { id: text(), n: int32() }, key: ['id'] })
    await createMapper(store).ensureTables([Old])
    await createMapper(store).repository(Old).put({ id: 'a', n: 1 })
    const Grown = defineTable('grown', { columns: { id: text(), n: int32() }, key: ['id'], version: 'rev' })
    await db.ensureTables([Grown])
    const grown = db.repository(Grown)
    const { rev } = await grown.getOrThrow({ id: 'a' })
    expect(rev).toBeNull()
    expect(await codeOf(() => grown.update({ id: 'a' }, { n: 2 }, { if: { rev: null, n: 2 } }))).toBe('CONDITION_FAILED')
    const { version } = await grown.update({ id: 'a' }, { n: 2 }, { if: { rev: null } })
    for (const write of [
      () => grown.update({ id: 'a' }, { n: 3 }, { if: { rev: null } }),
      () => grown.put({ id: 'a', n: 3 }, { if: { rev: null, n: 2 } }),
    ]) {
      const { code, details } = await refusalOf(write)
      expect([code, details]).toEqual(['VERSION_CONFLICT', { table: 'grown', key: { id: 'a' }, expected: null, current: version }])
    }
    expect(await codeOf(() => grown.delete({ id: 'b' }, { if: { rev: null } }))).toBe('ROW_NOT_FOUND')
  })

  test('WRITE-16: decorated classes; instances that were read can be written again', async () => {
    const { parts } = await open()
    const { version } = await parts.insert({ sku: 'a', count: 1 })
    const part = await parts.getOrThrow({ sku: 'a' })
    expect([part.rev, part instanceof Part]).toEqual([version, true])
    part.count = 7
    await parts.put(part, { if: { rev: part.rev } })
    expect(await codeOf(() => parts.put(part, { if: { rev: part.rev } }))).toBe('VERSION_CONFLICT')
    expect((await parts.get({ sku: 'a' }))?.count).toBe(7)
  })

  test('WRITE-16: an unknown outcome is settled by reading the row back', async () => {
    const lost: Outcome = { kind: 'unknown', cause: new Error('socket closed') }
    // The write is applied, its answer gets lost.
    const { stocks, bare } = await open({ write: (batch, inner) => (void inner(), batch.map(() => lost)) })
    const { version } = await stocks.insert(key)
    expect((await stocks.get(key))?.rev).toBe(version)
    await stocks.update(key, { count: 4 })
    await stocks.modify(key, ({ count }) => ({ count: count + 1 }))
    expect((await stocks.get(key))?.count).toBe(5)
    expect(await codeOf(() => bare.insert(key))).toBe('OUTCOME_UNKNOWN')
    const never = await open({ write: (batch) => batch.map(() => lost) })
    expect(await codeOf(() => never.stocks.insert(key))).toBe('OUTCOME_UNKNOWN')
  })
})

describe('WRITE-17: modify', () => {
  test('WRITE-17: many at once lose nothing', async () => {
    const { stocks } = await open({
      write: async (_, inner) => (await Promise.resolve(), inner()),
      get: async (keys, inner, options) => (await Promise.resolve(), inner(keys, options)),
    })
    await stocks.insert(key)
    await Promise.all(Array.from({ length: 20 }, () => stocks.modify(key, ({ count }) => ({ count: count + 1 }), { attempts: 100 })))
    expect((await stocks.get(key))?.count).toBe(20)
  })

  test('WRITE-17: without a version the values of the row say whether it is the same', async () => {
    const { bare, db } = await open({
      write: async (_, inner) => (await Promise.resolve(), inner()),
      get: async (keys, inner, options) => (await Promise.resolve(), inner(keys, options)),
    })
    await bare.insert({ ...key, count: 0 })
    const add = ({ count }: { count: number | null }) => Promise.resolve({ count: (count ?? 0) + 1 })
    await Promise.all(Array.from({ length: 20 }, () => bare.modify(key, add, { attempts: 100 })))
    expect(await bare.get(key)).toEqual({ ...key, count: 20 })
    const meddle = async ({ count }: { count: number | null }) => (await bare.increment(key, { count: 1 }), { count: -(count ?? 0) })
    const { code, details } = await refusalOf(() => bare.modify(key, meddle, { attempts: 3 }))
    expect([code, details]).toEqual(['WRITE_FAILED', { table: 'bare', key, repeatable: true }])
    expect(await bare.get(key)).toEqual({ ...key, count: 23 })
    let calls = 0
    const refused = () => (calls++, bare.update(key, {}, { if: { count: 0 } }).then(() => ({})))
    expect([await codeOf(() => bare.modify(key, refused)), calls]).toEqual(['CONDITION_FAILED', 1])
    const poor = createMapper(wrapped(db.adapter, { capabilities: { conditions: 'version' } })).repository(Bare)
    expect(await codeOf(() => poor.modify(key, () => ({})))).toBe('NOT_SUPPORTED')
  })

  test('WRITE-17: after the last attempt it is VERSION_CONFLICT', async () => {
    const { stocks } = await open()
    await stocks.insert(key)
    let calls = 0
    const meddle = async (row: { count: number }) => {
      calls++
      await stocks.update(key, { note: `${calls}` })
      return { count: row.count + 1 }
    }
    expect(await codeOf(() => stocks.modify(key, meddle))).toBe('VERSION_CONFLICT')
    expect(calls).toBe(8)
    expect(await codeOf(() => stocks.modify(key, meddle, { attempts: 2 }))).toBe('VERSION_CONFLICT')
    expect([calls, (await stocks.get(key))?.count]).toEqual([10, 0])
  })

  test('WRITE-17: a row that is older than the versions of its table gets one first', async () => {
    const store = memory()
    const before = createMapper(store)
    await before.ensureTables([BareStocks])
    await before.repository(BareStocks).insert({ ...key, count: 3 })
    const db = createPausing(store, {}, { sleep })
    await db.ensureTables([Stocks])
    const stocks = db.repository(Stocks)
    expect((await stocks.get(key))?.rev).toBeNull()
    const revs: unknown[] = []
    await stocks.modify(key, ({ count, rev }) => (revs.push(rev), { count: count + 1 }))
    expect(revs).toEqual([expect.stringMatching(/^\w{26}$/)])
    expect((await stocks.get(key))?.count).toBe(4)
  })

  test('WRITE-17: a row that an old program robs of its version again is begun anew', async () => {
    for (const robberies of [1, 100]) {
      let left = robberies
      const { stocks, store } = await open({
        write: (batch, inner) => {
          const outcomes = inner()
          // A program that opened the table before it had versions puts the row, and with it no version.
          const rows = batch.map(({ schema, row }) => ({ kind: 'put' as const, schema, row: [...row.slice(0, 1), 1, null, null] }))
          if (batch[0]?.kind === 'update' && batch[0].set.length === 1 && left-- > 0) void store.write(rows, { now: 0 })
          return outcomes
        },
      })
      expect(await stocks.exists(key)).toBe(false)
      void store.write([{ kind: 'put', schema: stocks.schema, row: ['a', 1, null, null] }], { now: 0 })
      const change = () => stocks.modify(key, ({ count }) => ({ count: count + 1 }))
      if (robberies === 100) expect(await codeOf(change)).toBe('VERSION_CONFLICT')
      else await change()
      expect((await stocks.get(key))?.count).toBe(robberies === 100 ? 1 : 2)
    }
  })

  test('WRITE-17: no patch, no write; no row, ROW_NOT_FOUND; what the function throws comes as it is', async () => {
    const { stocks } = await open()
    expect(await codeOf(() => stocks.modify(key, () => ({})))).toBe('ROW_NOT_FOUND')
    const { version } = await stocks.insert(key)
    expect(await stocks.modify(key, () => undefined)).toEqual({ key, version })
    expect((await stocks.get(key))?.rev).toBe(version)
    const mine = new Error('mine')
    await expect(
      stocks.modify(key, () => {
        throw mine
      }),
    ).rejects.toBe(mine)
    expect(await codeOf(() => stocks.modify(key, undefined as never))).toBe('INVALID_OPTION')
    expect(await codeOf(() => stocks.modify(key, () => ({ sku: 'b' }) as never))).toBe('KEY_IMMUTABLE')
  })
})

test.each([
  ['at once', undefined],
  ['late', (_: unknown, inner: () => never) => new Promise((resolve) => setTimeout(() => resolve(inner()), 0))],
])('WRITE-3: 2 × 1,000 interleaved updates of two columns lose none, with an adapter that answers %s', async (_, write) => {
  const Pairs = defineTable('pairs', { columns: { id: text(), ...{ a: int32({ default: -1 }), b: int32({ default: -1 }) } }, key: ['id'] })
  const store = memory()
  const db = createMapper(wrapped(store, write === undefined ? {} : { write: write as never }))
  await db.ensureTables([Pairs])
  const pairs = db.repository(Pairs)
  await pairs.insert({ id: 'x' })
  const lane = async (column: 'a' | 'b') => {
    for (let i = 0; i < 1000; i++) {
      await pairs.update({ id: 'x' }, { [column]: i })
      if (i % 100 === 0) expect((await pairs.get({ id: 'x' }))?.[column]).toBe(i)
    }
  }
  await Promise.all([lane('a'), lane('b')])
  expect(await pairs.get({ id: 'x' })).toEqual({ id: 'x', a: 999, b: 999 })
})

describe('WRITE-13: db.write', () => {
  test('WRITE-13: several tables; resolves to keys and versions by place', async () => {
    const { db, stocks, bare } = await open()
    const { rows, results } = await db.write([stocks.ops.insert(key), bare.ops.put({ sku: 'b', count: 1 }), bare.ops.delete({ sku: 'c' })])
    expect(results).toEqual([{ key, version: (await stocks.get(key))?.rev }, { key: { sku: 'b' } }, { key: { sku: 'c' } }])
    const [{ version = '' } = {}] = results
    expect(rows).toBe(3)
    await db.write([stocks.ops.update(key, { count: 3 }, { if: { rev: version } })], { atomic: true })
    expect((await stocks.get(key))?.count).toBe(3)
    expect(await db.write([])).toEqual({ rows: 0, results: [] })
  })

  test('WRITE-13: an operation may be written again, with a version of its own: none comes back', async () => {
    const { db, stocks } = await open()
    await stocks.insert({ ...key, count: 1 })
    const operations = [stocks.ops.update(key, { note: 'mine' })]
    const [{ version: first = '' } = {}] = (await db.write(operations)).results
    const reader = await stocks.getOrThrow(key)
    await stocks.update(key, { count: 50 })
    const [{ version: second = '' } = {}] = (await db.write(operations, { atomic: true })).results
    expect(second).not.toBe(first)
    expect((await stocks.get(key))?.rev).toBe(second)
    expect(await codeOf(() => stocks.put({ ...reader, count: 2 }, { if: { rev: reader.rev ?? '' } }))).toBe('VERSION_CONFLICT')
    expect((await stocks.get(key))?.count).toBe(50)
  })

  test('WRITE-14: atomic: all or nothing, and which failed', async () => {
    const { db, stocks, bare } = await open()
    await bare.insert({ sku: 'b', count: 1 })
    const both = () => [stocks.ops.insert(key), bare.ops.insert({ sku: 'b' }), bare.ops.put({ sku: 'z' })]
    const { code, details } = await refusalOf(() => db.write(both(), { atomic: true }))
    expect([code, details]).toEqual(['ROW_EXISTS', { table: 'bare', key: { sku: 'b' }, index: 1 }])
    expect([await stocks.exists(key), await bare.exists({ sku: 'z' })]).toEqual([false, false])
    const { code: loose, details: left } = await refusalOf(() => db.write(both()))
    expect([loose, (left['outcomes'] as { index: number }[]).map(({ index }) => index)]).toEqual(['WRITE_INCOMPLETE', [1]])
    expect([await stocks.exists(key), await bare.exists({ sku: 'z' })]).toEqual([true, true])
    expect(await codeOf(() => db.write([bare.ops.put(key), bare.ops.put(key)], { atomic: true }))).toBe('ATOMIC_SCOPE')
  })

  test('WRITE-13: an operation is taken as it is when it is made; a refusal waits for write() and names its place', async () => {
    const { db, bare } = await open()
    const row = { sku: 'a', count: 1 }
    const operation = bare.ops.put(row)
    row.count = 9
    const wrong = bare.ops.put({ sku: 5 as never })
    const { code, details } = await refusalOf(() => db.write([operation, wrong]))
    expect([code, details['index']]).toEqual(['INVALID_VALUE', 1])
    expect(await bare.exists(key)).toBe(false)
    await db.write([operation])
    expect((await bare.get(key))?.count).toBe(1)
    expect(await codeOf(() => db.write([{ table: 'bare', kind: 'put' }]))).toBe('INVALID_OPTION')
    expect(await codeOf(() => db.write('x' as never))).toBe('INVALID_VALUE')
    expect(await codeOf(() => db.write([], { atomc: true } as never))).toBe('INVALID_OPTION')
    const other = await open()
    expect(await codeOf(() => db.write([other.bare.ops.put(key)]))).toBe('INVALID_OPTION')
  })

  test('WRITE-13: how it is sent is an option of db.write, not of an operation', async () => {
    const { db, stocks } = await open()
    const ops = stocks.ops as unknown as Record<string, (...given: object[]) => Operation>
    for (const options of [{ signal: new AbortController().signal }, { deadline: 1 }, { attempts: 1 }]) {
      for (const [kind, ...given] of [
        ['insert', key],
        ['put', key],
        ['update', key, {}],
        ['delete', key],
      ] as const) {
        const { code, message } = await refusalOf(() => db.write([ops[kind]?.(...given, options) as Operation]))
        expect(code).toBe('INVALID_OPTION')
        expect(message).toContain(`ops.${kind}() has no option`)
      }
    }
    expect(await stocks.exists(key)).toBe(false)
  })

  test('WRITE-7: operations of plain tables', async () => {
    const Plain = defineTable('plain', { columns: { k: text() }, key: ['k'], writes: 'plain' })
    const db = createMapper(memory())
    await db.ensureTables([Plain])
    const plain = db.repository(Plain)
    const all = plain as unknown as {
      ops: Record<'insert' | 'update', (...args: object[]) => never>
      modify(...args: unknown[]): Promise<never>
    }
    expect(await codeOf(() => db.write([all.ops.insert({ k: 'a' })]))).toBe('PLAIN_WRITES_ONLY')
    expect(await codeOf(() => db.write([all.ops.update({ k: 'a' }, {})]))).toBe('PLAIN_WRITES_ONLY')
    expect(await codeOf(() => all.modify({ k: 'a' }, () => ({})))).toBe('PLAIN_WRITES_ONLY')
    await db.write([plain.ops.put({ k: 'a' }), plain.ops.delete({ k: 'b' })], { atomic: true })
    expect(await plain.exists({ k: 'a' })).toBe(true)
  })
})

test('SCAN-6: versions and expiry in conditions need a store that looks at them', async () => {
  const presence = createMapper(wrapped(memory(), { capabilities: { conditions: 'presence' } }))
  expect(() => presence.repository(Bare)).not.toThrow()
  const Expiring = defineTable('expiring', { columns: { k: text() }, key: ['k'], ttl: '1d' })
  for (const model of [Stocks, Expiring]) {
    expect(await codeOf(async () => presence.repository(model as typeof Stocks))).toBe('NOT_SUPPORTED')
  }
})

test('WRITE-9: modify sees the whole row, so it refuses one that becomes too large', async () => {
  const note = nullable(text())
  const Wide = defineTable('wide', {
    columns: { k: text(), a: note, b: note, c: note, d: note, e: note, f: note },
    key: ['k'],
    version: 'rev',
  })
  const db = createMapper(memory())
  await db.ensureTables([Wide])
  const wide = db.repository(Wide)
  const large = 'x'.repeat(65_000)
  await wide.put({ k: 'x', b: large, c: large, d: large, e: large, f: large })
  expect(await codeOf(() => wide.modify({ k: 'x' }, () => ({ a: large })))).toBe('LIMIT_EXCEEDED')
  expect(await wide.get({ k: 'x' })).toMatchObject({ a: null, b: large })
})
