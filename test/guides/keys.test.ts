import { bytes, defineTable, dictionary, hashPrefix, int64, nullable, random, reversed, text, timestamp, uint8 } from 'rowkey'
import { describe, expect, test } from 'vitest'
import { codeOf } from './code-of.js'
import { onEachStore } from './stores.js'

const ascii = (key: Uint8Array): string => Buffer.from(key).toString('latin1')

onEachStore(({ open, mapper }) => {
  describe('uniqueness', () => {
    const Users = defineTable('users', { columns: { userid: text(), name: nullable(text()) }, key: ['userid'] })

    test('G-05 G-06: [userid] is exactly one row per user; a second insert is refused, a second put replaces', async () => {
      const users = await open(Users)
      await users.insert({ userid: 'abc', name: 'first' })
      expect(await codeOf(() => users.insert({ userid: 'abc', name: 'second' }))).toBe('ROW_EXISTS')
      await users.put({ userid: 'abc', name: 'third' })
      expect(await users.scan({}, { allowFullScan: true }).toArray()).toEqual([{ userid: 'abc', name: 'third' }])
    })

    test('G-38: a random last column lets many rows share the rest, and put says which it was', async () => {
      const Orders = defineTable('orders', {
        columns: { userid: text(), orderid: int64(), suffix: uint8({ default: random(100) }) },
        key: ['userid', 'orderid', 'suffix'],
      })
      const orders = await open(Orders)
      const { key } = await orders.put({ userid: 'abc', orderid: 123n })
      expect(key.suffix).toBeGreaterThanOrEqual(0)
      expect(key.suffix).toBeLessThan(100)
      expect(await orders.get(key)).toEqual(key)
      for (let i = 0; i < 200; i++) await orders.put({ userid: 'abc', orderid: 123n })
      expect(await orders.scan({ userid: 'abc', orderid: 123n }).count()).toBeGreaterThan(50)
    })
  })

  describe('length', () => {
    test('G-29: short codes instead of names', async () => {
      const shop = dictionary({ taobao: 'tb', 手机: 'sj' })
      const Sales = defineTable('sales', { columns: { shop, n: uint8() }, key: ['shop', 'n'] })
      const sales = await open(Sales)
      expect(ascii(sales.encodeKey({ shop: 'taobao', n: 65 }))).toBe('tbA')
      expect(ascii(sales.encodeKey({ shop: '手机', n: 65 }))).toBe('sjA')
      await sales.put({ shop: '手机', n: 1 })
      expect(await sales.scan({ shop: '手机' }).toArray()).toEqual([{ shop: '手机', n: 1 }])
      // @ts-expect-error: no such name
      expect(await codeOf(() => sales.put({ shop: 'jd', n: 1 }))).toBe('INVALID_VALUE')
    })

    test('G-29: more codes can be appended, and stored rows keep theirs', async () => {
      const db = mapper()
      const shops = (names: Record<string, string>) =>
        defineTable('growing_sales', { columns: { shop: dictionary(names), n: uint8() }, key: ['shop', 'n'] })
      const [few, more] = [shops({ taobao: 'tb' }), shops({ taobao: 'tb', 手机: 'sj' })]
      await db.ensureTables([few])
      await db.repository(few).put({ shop: 'taobao', n: 1 })
      await db.ensureTables([more])
      const sales = db.repository(more)
      await sales.put({ shop: '手机', n: 1 })
      const found = await sales.scan({ shop: { in: ['taobao', '手机'] } }).toArray()
      expect(found.map(({ shop }) => shop).toSorted()).toEqual(['taobao', '手机'])
      expect(await codeOf(() => db.ensureTables([shops({ taobao: 'xx', 手机: 'sj' })]))).toBe('SCHEMA_MISMATCH')
    })

    test('G-24 G-118: a rowkey has at most 1,000 bytes, which is less than any of these stores takes', async () => {
      const Keys = defineTable('long_keys', { columns: { a: text(), b: text() }, key: ['a', 'b'] })
      const keys = await open(Keys)
      await keys.put({ a: 'a'.repeat(496), b: 'b'.repeat(500) })
      expect(await codeOf(() => keys.put({ a: 'a'.repeat(497), b: 'b'.repeat(500) }))).toBe('LIMIT_EXCEEDED')
    })

    test('G-117 G-119 G-120: a value of 64 KB and a row of more than a few hundred KB are errors, and nothing is written', async () => {
      const names = ['v1', 'v2', 'v3', 'v4', 'v5', 'v6'] as const
      const Blobs = defineTable('blobs', {
        columns: {
          id: text(),
          v1: nullable(bytes()),
          v2: nullable(bytes()),
          v3: nullable(bytes()),
          v4: nullable(bytes()),
          v5: nullable(bytes()),
          v6: nullable(bytes()),
        },
        key: ['id'],
      })
      const blobs = await open(Blobs)
      await blobs.put({ id: 'a', v1: new Uint8Array(65_535) })
      expect(await codeOf(() => blobs.put({ id: 'b', v1: new Uint8Array(65_536) }))).toBe('LIMIT_EXCEEDED')
      const full = Object.fromEntries(names.map((name) => [name, new Uint8Array(65_000)]))
      expect(await codeOf(() => blobs.put({ id: 'b', ...full }))).toBe('LIMIT_EXCEEDED')
      expect(await blobs.exists({ id: 'b' })).toBe(false)
    })
  })

  describe('dispersion', () => {
    test('G-35: [md5(userid).subStr(0,4)][userid][orderid]', async () => {
      const Orders = defineTable('orders', {
        columns: { userid: text(), orderid: int64() },
        key: ['userid', 'orderid'],
        salt: hashPrefix({ of: 'userid', digits: 4 }),
      })
      const orders = await open(Orders)
      const key = { userid: 'abc', orderid: 123n }
      expect(ascii(orders.encodeKey(key)).slice(0, 7)).toBe('9001abc')
      expect(ascii(orders.encodeKey({ userid: 'user1', orderid: 1n })).slice(0, 9)).toBe('24c9user1')
      await orders.put(key)
      expect(await orders.get(key)).toEqual(key)
      expect(orders.scan({ userid: 'abc' }).explain()).toMatchObject({ kind: 'SCAN', buckets: { read: 1, of: 65_536 } })
      expect(await codeOf(() => orders.scan({ userid: { startsWith: 'a' } }).toArray())).toBe('FAN_OUT_EXCEEDED')
    })

    test('G-36: [reverse(userid)][orderid]', async () => {
      const Orders = defineTable('orders', { columns: { userid: reversed(text()), orderid: int64() }, key: ['userid', 'orderid'] })
      const orders = await open(Orders)
      expect(ascii(orders.encodeKey({ userid: 'abc', orderid: 0n })).slice(0, 3)).toBe('cba')
      await orders.putMany([1n, 2n].map((orderid) => ({ userid: 'abc', orderid })))
      expect(await orders.scan({ userid: 'abc', orderid: { gt: 1n } }).toArray()).toEqual([{ userid: 'abc', orderid: 2n }])
      // @ts-expect-error: no ranges on a reversed column
      expect(await codeOf(() => orders.scan({ userid: { gt: 'abc' } }).toArray())).toBe('INVALID_PREDICATE')
    })
  })

  test('G-67: there are no ids that the store counts up: what a key lacks and no default fills is refused', async () => {
    const Rows = defineTable('rows', { columns: { id: int64(), at: timestamp('ms', { default: 'now' }) }, key: ['id', 'at'] })
    const db = mapper({ clock: () => 1_700_000_000_000 })
    await db.ensureTables([Rows])
    const rows = db.repository(Rows)
    expect(await rows.insert({ id: 1n })).toEqual({ key: { id: 1n, at: new Date(1_700_000_000_000) } })
    // @ts-expect-error: there is no id
    expect(await codeOf(() => rows.insert({}))).toBe('INVALID_VALUE')
  })
})
