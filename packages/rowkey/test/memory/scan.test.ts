import { uint16, type Bound, type Row } from '#codec'
import type { PageSource, Slice } from '#store/adapter'
import { describe, expect, test } from 'vitest'
import type { StoredTable } from '../../src/memory/catalogs.js'
import type { RecordRows } from '../../src/memory/rows.js'
import { LeafScan } from '../../src/memory/scan.js'
import { KeyedTree } from '../../src/memory/tree/keyed-tree.js'
import type { Leaf } from '../../src/memory/tree/node.js'
import { drain, open, schemaWith, strong, type Opened } from '../../../../test/kit/schemas.js'
import { seeded } from '../../../../test/kit/seeded.js'

const now = 0
const numbers = () => schemaWith({ name: 'numbers', key: [['n', uint16()]], values: ['v'] })
const before = (...prefix: Row): Bound => ({ prefix, edge: 'before' })
const after = (...prefix: Row): Bound => ({ prefix, edge: 'after' })
const everything: Slice = { bucket: 0, from: before(), to: after(), reverse: false }
const range = (low: number, high: number, reverse = false): Slice => ({ bucket: 0, from: before(low), to: before(high), reverse })

function put({ store, schema }: Opened, ...list: readonly number[]): void {
  store.write(
    list.map((n) => ({ schema, kind: 'put', row: [n, `v${n}`] }) as const),
    { now },
  )
}

function remove({ store, schema }: Opened, ...list: readonly number[]): void {
  store.write(
    list.map((n) => ({ schema, kind: 'delete', row: [n] }) as const),
    { now },
  )
}

const upTo = (count: number, step = 1): number[] => Array.from({ length: count }, (_, i) => i * step)

async function page(source: PageSource, want: number): Promise<number[] | undefined> {
  return (await source.next(want))?.rows.map(([n]) => n as number)
}

describe('bounds', () => {
  test.each([false, true])('any two bounds give the rows between, reverse = %s', async (reverse) => {
    const opened = await open(numbers())
    put(opened, ...upTo(400, 3))
    const random = seeded()
    for (let round = 0; round < 300; round++) {
      const low = random.below(1300)
      const high = low + 1 + random.below(1300 - low)
      const from = random.below(2) === 0 ? before(low) : after(low)
      const to = random.below(2) === 0 ? before(high) : after(high)
      const inside = upTo(400, 3).filter(
        (n) => (from.edge === 'before' ? n >= low : n > low) && (to.edge === 'before' ? n < high : n <= high),
      )
      const rows = await drain(opened.table.scan({ bucket: 0, from, to, reverse }, strong), 1 + random.below(200))
      expect(rows.map(([n]) => n)).toEqual(reverse ? inside.reverse() : inside)
    }
  })

  test('a bound after every rowkey is the end of the table', async () => {
    const opened = await open(numbers())
    put(opened, 0, 65_535)
    expect(await drain(opened.table.scan({ ...everything, from: before(65_535), to: after(65_535) }, strong))).toEqual([[65_535, 'v65535']])
    expect(await drain(opened.table.scan({ ...everything, from: after(65_535) }, strong))).toEqual([])
    expect(await drain(opened.table.scan({ ...everything, from: after(65_535), reverse: true }, strong))).toEqual([])
  })
})

describe('page sources', () => {
  test.each([false, true])('a page holds what was wanted, examined counts it, undefined ends; reverse = %s', async (reverse) => {
    const opened = await open(numbers())
    put(opened, ...upTo(250))
    for (const want of [1, 63, 64, 65, 100, 250, 1000]) {
      const source = opened.table.scan({ ...everything, reverse }, strong)
      const sizes: number[] = []
      for (let given = await source.next(want); given !== undefined; given = await source.next(want)) {
        expect(given.examined).toBe(given.rows.length)
        expect(given.last).toBeUndefined()
        sizes.push(given.rows.length)
      }
      const full = new Array<number>(Math.floor(250 / want)).fill(want)
      expect(sizes).toEqual(250 % want === 0 ? full : [...full, 250 % want])
    }
  })

  test('want below 1 still moves on', async () => {
    const opened = await open(numbers())
    put(opened, 1, 2)
    const source = opened.table.scan(everything, strong)
    expect([await page(source, 0), await page(source, -5), await page(source, 0)]).toEqual([[1], [2], undefined])
  })

  test('answers are not promises, and scan() reads nothing by itself', async () => {
    const opened = await open(numbers())
    const source = opened.table.scan(everything, strong)
    put(opened, 1)
    expect(source.next(10)).toMatchObject({ rows: [[1, 'v1']] })
  })

  test.each([false, true])('close may come twice, before, between and after pages; reverse = %s', async (reverse) => {
    const opened = await open(numbers())
    put(opened, ...upTo(100))
    for (const pages of [0, 1, 5]) {
      const source = opened.table.scan({ ...everything, reverse }, strong)
      for (let i = 0; i < pages; i++) await source.next(30)
      source.close()
      source.close()
    }
  })

  test('pages given out do not change with later writes', async () => {
    const opened = await open(numbers())
    put(opened, ...upTo(100))
    const first = await opened.table.scan(everything, strong).next(64)
    const copy = [...(first?.rows ?? [])]
    put(opened, ...upTo(100))
    remove(opened, ...upTo(50, 2))
    expect(first?.rows).toEqual(copy)
  })
})

describe('writes during a scan', () => {
  const forward = { reverse: false, sign: 1 }
  const backward = { reverse: true, sign: -1 }

  test.each([forward, backward])('deletes of the last, the next and the previous row; $reverse', async ({ reverse, sign }) => {
    const opened = await open(numbers())
    put(opened, ...upTo(200))
    const source = opened.table.scan(range(0, 200, reverse), strong)
    const seen: number[] = []
    for (let given = await page(source, 5); given !== undefined; given = await page(source, 5)) {
      seen.push(...given)
      const last = given.at(-1) as number
      remove(opened, last, last + sign, last - sign)
    }
    // Of every six rows the one right after the page is gone before the scan gets there.
    const walk = reverse ? upTo(200).reverse() : upTo(200)
    expect(seen).toEqual(walk.filter((_, i) => i % 6 !== 5))
  })

  test.each([forward, backward])('whole leaves vanish before, under and behind it; $reverse', async ({ reverse, sign }) => {
    const opened = await open(numbers())
    put(opened, ...upTo(2000))
    const source = opened.table.scan(range(0, 2000, reverse), strong)
    const first = (await page(source, 500)) as number[]
    const last = first.at(-1) as number
    remove(opened, ...upTo(300).map((i) => last + sign * (i - 100))) // 100 behind it, itself, 199 ahead
    const rest = (await page(source, 5000)) as number[]
    expect(rest.length).toBe(2000 - 500 - 199)
    expect(rest[0]).toBe(last + sign * 200)
    expect(await page(source, 1)).toBeUndefined()
  })

  test.each([forward, backward])('all that is left vanishes; $reverse', async ({ reverse }) => {
    const opened = await open(numbers())
    put(opened, ...upTo(500))
    const source = opened.table.scan(range(0, 500, reverse), strong)
    await page(source, 100)
    remove(opened, ...upTo(500))
    expect(await page(source, 100)).toBeUndefined()
  })

  test.each([forward, backward])('rows that come in split the leaf it stands in; $reverse', async ({ reverse, sign }) => {
    const opened = await open(numbers())
    put(opened, ...upTo(640, 100))
    const source = opened.table.scan(range(0, 64_000, reverse), strong)
    const first = (await page(source, 30)) as number[]
    const last = first.at(-1) as number
    put(opened, ...upTo(99).map((i) => last + sign * (i + 1)), ...upTo(99).map((i) => last - sign * (i + 1)))
    const rest = (await page(source, 5000)) as number[]
    const stable = upTo(640, 100)
    expect(rest.filter((n) => n % 100 === 0)).toEqual((reverse ? stable.reverse() : stable).slice(30))
    expect(rest.slice(0, 99)).toEqual(upTo(99).map((i) => last + sign * (i + 1)))
  })

  test.each([forward, backward])('replaced values show in rows not yet read; $reverse', async ({ reverse }) => {
    const { store, schema, table } = await open(numbers())
    put({ store, schema, table } as Opened, ...upTo(100))
    const source = table.scan(range(0, 100, reverse), strong)
    await source.next(50)
    store.write(
      upTo(100).map((n) => ({ schema, kind: 'put', row: [n, 'new'] }) as const),
      { now },
    )
    const rows = (await source.next(100))?.rows ?? []
    expect(rows.length).toBe(50)
    expect(rows.every(([, v]) => v === 'new')).toBe(true)
  })

  test('at random: rows present throughout come exactly once, in order, and nothing else but rows that were there', async () => {
    const random = seeded()
    for (let round = 0; round < 150; round++) {
      const opened = await open(numbers())
      const space = 1 + random.below(1500)
      const present = new Set<number>()
      for (let i = 0; i < space; i++) present.add(random.below(space))
      put(opened, ...present)
      const low = random.below(space)
      const high = low + 1 + random.below(space - low)
      const reverse = random.below(2) === 1
      const source = opened.table.scan(range(low, high, reverse), strong)
      const stable = new Set([...present].filter((n) => n >= low && n < high))
      const ever = new Set(stable)
      const seen: number[] = []
      for (let given = await page(source, 1 + random.below(150)); given !== undefined; given = await page(source, 1 + random.below(150))) {
        for (const n of given) expect(ever.has(n)).toBe(true)
        seen.push(...given)
        const near = given.at(-1) as number
        for (let writes = random.below(5) === 0 ? 0 : random.below(80); writes > 0; writes--) {
          const n = Math.max(0, random.below(3) === 0 ? random.below(space) : near + random.below(41) - 20)
          if (random.below(5) < 2) {
            put(opened, n)
            if (n >= low && n < high) ever.add(n)
          } else {
            remove(opened, n)
            stable.delete(n)
          }
        }
      }
      const ordered = seen.every((n, i) => i === 0 || (reverse ? n < (seen[i - 1] as number) : n > (seen[i - 1] as number)))
      expect(ordered).toBe(true)
      const all = new Set(seen)
      for (const n of stable) expect(all.has(n), `row ${n} is missing`).toBe(true)
    }
  }, 30_000)
})

test('a scan looks at no leaf beyond its range, in either direction', () => {
  const keys = Array.from({ length: 3000 }, (_, n) => String(n).padStart(4, '0'))
  for (const reverse of [false, true]) {
    const records = new KeyedTree()
    for (const key of keys) records.set(key, [key])
    for (let leaf: Leaf<Row> | null = records.tree.first; leaf !== null; leaf = leaf.next) {
      const isBeyond = reverse ? (leaf.keys.at(-1) as string) < '0900' : (leaf.keys[0] as string) > '1200'
      if (isBeyond) Object.defineProperty(leaf, 'keys', { get: beyond })
    }
    const stored = { records } as unknown as StoredTable
    const rows = { toRows: (all: Row[]) => all } as unknown as RecordRows
    const scan = new LeafScan({ stored, rows, wanted: undefined, from: '1000', to: '1100', reverse })
    const found: unknown[] = []
    for (let page = scan.next(64); page !== undefined; page = scan.next(64)) found.push(...page.rows.map(([key]) => key))
    const expected = keys.slice(1000, 1100)
    expect(found).toEqual(reverse ? expected.toReversed() : expected)
  }
})

function beyond(): never {
  throw new Error('a leaf beyond the range')
}
