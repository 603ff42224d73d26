import { keyLayout } from 'rowkey/codec'
import {
  bucket,
  bytes,
  createMapper,
  defineTable,
  dictionary,
  digits,
  fixedText,
  hashPrefix,
  int64,
  lastText,
  nullable,
  random,
  reversed,
  separatedText,
  text,
  timestamp,
  toHex,
  uint64,
  uint8,
} from 'rowkey'
import { expect } from 'vitest'
import { codeOf, letters, once, type AddLine, type GuideStore } from './line.js'

const ascii = (key: Uint8Array): string => Buffer.from(key).toString('latin1')
const epoch = 1_700_000_000_000

export function keys(line: AddLine): void {
  uniqueness(line)
  length(line)
  limits(line)
  dispersion(line)
  prefixes(line)
}

function uniqueness(line: AddLine): void {
  const Users = defineTable('users', { columns: { userid: text(), name: nullable(text()) }, key: ['userid'] })
  const usersOn = once((store: GuideStore) => store.open(Users))

  line('G-04: a second put replaces the row, whole, and a read returns the newest', async (store) => {
    const users = await usersOn(store)
    await users.put({ userid: 'abc', name: 'first' })
    await users.put({ userid: 'abc', name: 'second' })
    expect(await users.get({ userid: 'abc' })).toEqual({ userid: 'abc', name: 'second' })
    await users.put({ userid: 'abc' })
    expect(await users.get({ userid: 'abc' })).toEqual({ userid: 'abc', name: null })
    expect(await users.scan({ userid: 'abc' }).count()).toBe(1)
  })

  line('G-05 G-06: exactly one row per userid; a second insert is refused, and changes nothing', async (store) => {
    const users = await usersOn(store)
    await users.insert({ userid: 'abcd', name: 'first' })
    expect(await codeOf(() => users.insert({ userid: 'abcd', name: 'second' }))).toBe('ROW_EXISTS')
    expect(await users.scan({ userid: 'abcd' }).toArray()).toEqual([{ userid: 'abcd', name: 'first' }])
  })

  line('G-38: a random last column lets many rows share the rest, and put says which it was', async (store) => {
    const Orders = defineTable('orders', {
      columns: { userid: text(), orderid: int64(), suffix: uint8({ default: random(100) }) },
      key: ['userid', 'orderid', 'suffix'],
    })
    const orders = await store.open(Orders)
    const same = { userid: 'abc', orderid: 123n }
    const { key } = await orders.put(same)
    expect(await orders.get(key)).toEqual(key)
    const suffixes = (await Promise.all(Array.from({ length: 40 }, () => orders.put(same)))).map((written) => written.key.suffix)
    expect(suffixes.every((suffix) => suffix >= 0 && suffix < 100)).toBe(true)
    const different = new Set([key.suffix, ...suffixes])
    expect(different.size).toBeGreaterThan(15)
    expect(await orders.scan(same).count()).toBe(different.size)
  })

  line('G-67: there are no ids that the store counts up: what a key lacks and no default fills is refused', async (store) => {
    const Rows = defineTable('rows', { columns: { id: int64(), at: timestamp('ms', { default: 'now' }) }, key: ['id', 'at'] })
    const rows = (await store.create([Rows], { clock: () => epoch })).repository(Rows)
    expect(await rows.insert({ id: 1n })).toEqual({ key: { id: 1n, at: new Date(epoch) } })
    // @ts-expect-error: there is no id
    expect(await codeOf(() => rows.insert({}))).toBe('INVALID_VALUE')
  })

  line(
    'G-67: a row can count, and its increments return the ids',
    async (store) => {
      const Counters = defineTable('counters', { columns: { name: text(), last: int64() }, key: ['name'] })
      const counters = await store.open(Counters)
      const next = async (): Promise<bigint | undefined> =>
        (await counters.increment({ name: 'orders' }, { last: 1n }, { create: true, returning: true })).row?.last
      expect([await next(), await next(), await next()]).toEqual([1n, 2n, 3n])
    },
    { kudu: 'NOT_SUPPORTED' }, // it has no conditions on columns
  )
}

function length(line: AddLine): void {
  line('G-23 G-28: a long takes 8 bytes and counts in order, the same number as text takes more and does not', async (store) => {
    expect(toHex(keyLayout([['day', uint64()]]).encode({ day: 2_015_122_410n }))).toBe('00000000781c53ea')
    expect(keyLayout([['day', text()]]).encode({ day: '2015122410' })).toHaveLength(12)
    const Days = defineTable('days', { columns: { host: text(), day: uint64() }, key: ['host', 'day'] })
    const Texts = defineTable('texts', { columns: { host: text(), day: text() }, key: ['host', 'day'] })
    const db = await store.create([Days, Texts])
    const [longs, texts] = [db.repository(Days), db.repository(Texts)]
    await longs.putMany([10n, 9n, 100n].map((day) => ({ host: 'a', day })))
    await texts.putMany(['10', '9', '100'].map((day) => ({ host: 'a', day })))
    expect((await longs.scan({ host: 'a' }).toArray()).map(({ day }) => day)).toEqual([9n, 10n, 100n])
    expect((await texts.scan({ host: 'a' }).toArray()).map(({ day }) => day)).toEqual(['10', '100', '9'])
  })

  const shopTable = (codes: Record<string, string>) =>
    defineTable('sales', { columns: { shop: dictionary(codes), n: uint8() }, key: ['shop', 'n'] })

  line('G-29: short codes instead of names, without ranges; an unknown name is refused', async (store) => {
    const sales = await store.open(shopTable({ taobao: 'tb', 手机: 'sj' }))
    expect(ascii(sales.encodeKey({ shop: 'taobao', n: 65 }))).toBe('tbA')
    expect(ascii(sales.encodeKey({ shop: '手机', n: 65 }))).toBe('sjA')
    await sales.put({ shop: '手机', n: 1 })
    expect(await sales.scan({ shop: '手机' }).toArray()).toEqual([{ shop: '手机', n: 1 }])
    expect(await codeOf(() => sales.put({ shop: 'jd', n: 1 }))).toBe('INVALID_VALUE')
    expect(await codeOf(() => sales.scan({ shop: { gt: '手机' } } as never).toArray())).toBe('INVALID_PREDICATE')
  })

  line('G-29: a dictionary grows: names are added, their codes never change', async (store) => {
    const Old = shopTable({ taobao: 'tb' })
    const New = shopTable({ taobao: 'tb', 手机: 'sj' })
    const db = await store.create([Old])
    await db.repository(Old).put({ shop: 'taobao', n: 1 })
    await db.ensureTables([New])
    const sales = db.repository(New)
    await sales.put({ shop: '手机', n: 2 })
    expect(await sales.scan({ shop: { in: ['taobao', '手机'] } }).count()).toBe(2)
    expect(await sales.get({ shop: 'taobao', n: 1 })).toEqual({ shop: 'taobao', n: 1 })
    expect(await codeOf(() => db.ensureTables([shopTable({ taobao: 'x', 手机: 'sj' })]))).toBe('SCHEMA_MISMATCH')
  })
}

function limits(line: AddLine): void {
  line('G-24 G-118: a rowkey has at most 1,000 bytes, however they are divided, and one of 1,000 is written and found', async (store) => {
    const Keys = defineTable('long_keys', { columns: { a: text(), b: text() }, key: ['a', 'b'] })
    const rows = await store.open(Keys)
    for (const [a, b] of [
      ['a'.repeat(496), 'b'.repeat(500)],
      ['a'.repeat(996), ''],
      ['', 'b'.repeat(996)],
    ] as const) {
      const key = { a, b }
      expect(rows.encodeKey(key)).toHaveLength(1000)
      await rows.put(key)
      expect(await rows.get(key)).toEqual(key)
      expect(await rows.scan({ a }).toArray()).toEqual([key])
      expect(await codeOf(() => rows.put({ a, b: `${b}b` }))).toBe('LIMIT_EXCEEDED')
    }
    expect(await rows.readAll().count()).toBe(3)
  })

  line('G-117 G-119 G-120: a value of 64 KB and a row of more than a few hundred KB are errors, and nothing is written', async (store) => {
    const names = ['v1', 'v2', 'v3', 'v4', 'v5', 'v6'] as const
    const v = nullable(bytes())
    const Blobs = defineTable('blobs', { columns: { id: text(), v1: v, v2: v, v3: v, v4: v, v5: v, v6: v }, key: ['id'] })
    const blobs = await store.open(Blobs)
    const rowOf = (count: number) => Object.fromEntries(names.slice(0, count).map((name) => [name, new Uint8Array(65_000)]))
    await blobs.put({ id: 'a', v1: new Uint8Array(65_535) })
    expect((await blobs.get({ id: 'a' }))?.v1).toHaveLength(65_535)
    await blobs.put({ id: 'c', ...rowOf(5) })
    expect((await blobs.get({ id: 'c' }))?.v5).toHaveLength(65_000)
    expect(await codeOf(() => blobs.put({ id: 'b', v1: new Uint8Array(65_536) }))).toBe('LIMIT_EXCEEDED')
    expect(await codeOf(() => blobs.put({ id: 'b', ...rowOf(6) }))).toBe('LIMIT_EXCEEDED')
    expect(await blobs.exists({ id: 'b' })).toBe(false)
  })

  const called = async (store: GuideStore, name: string, column: string): Promise<void> => {
    const Named = defineTable(name, { columns: { id: text(), value: nullable(text({ name: column })) }, key: ['id'] })
    const db = createMapper(store.adapter)
    await db.ensureTables([Named])
    const rows = db.repository(Named)
    await rows.put({ id: 'a', value: 'b' })
    expect(await rows.scan({ id: { startsWith: 'a' } }).toArray()).toEqual([{ id: 'a', value: 'b' }])
    await db.dropTables([Named])
  }
  const unique = (): string => `g${process.pid}x${Date.now().toString(36)}`

  line(
    'G-121: a table name has up to 255 letters, digits and _ - . :',
    async (store) => {
      await called(store, `${unique()}_-.:`.padEnd(255, 'x'), 'value')
    },
    {
      dynalite: 'NOT_SUPPORTED',
      moto: 'NOT_SUPPORTED',
      dynamodb: 'NOT_SUPPORTED',
      cassandra: 'NOT_SUPPORTED',
      hbase: 'NOT_SUPPORTED',
      kudu: 'NOT_SUPPORTED',
    },
  )

  line('G-121: a column name has up to 128 letters, digits and _ - . :', async (store) => {
    await called(store, unique(), '_-.:'.padEnd(128, 'x'))
  })

  line(
    'G-121: what each store takes: 255 without : on DynamoDB, 200 on HBase, 150 on Kudu, 48 letters, digits and _ on Cassandra',
    async (store) => {
      const letter = letters[store.name]
      const length = ({ C: 48, H: 200, K: 150 } as Record<string, number>)[letter] ?? 255
      await called(store, `${unique()}${letter === 'C' ? '_' : '_-.'}`.padEnd(length, 'x'), 'value')
    },
  )
}

function dispersion(line: AddLine): void {
  line('G-30: ids that count up spread over all buckets, and are read in order', async (store) => {
    const Ids = defineTable('ids', { columns: { id: int64() }, key: ['id'], salt: bucket({ of: 'id', count: 16 }) })
    const ids = await store.open(Ids)
    const counts = new Array<number>(16).fill(0)
    for (let id = 1_000_000n; id < 1_004_000n; id++) {
      const [first = 0] = ids.encodeKey({ id })
      counts[first] = (counts[first] ?? 0) + 1
    }
    expect(Math.min(...counts)).toBeGreaterThan(180)
    expect(Math.max(...counts)).toBeLessThan(320)
    const rows = Array.from({ length: 40 }, (_, i) => ({ id: BigInt(i) }))
    await ids.putMany(rows)
    expect(await ids.scan({ id: { gte: 10n, lt: 30n } }).toArray()).toEqual(rows.slice(10, 30))
  })

  line(
    'G-30 G-50: a table that one server would hold alone is warned of, in stores with definitions',
    async (store) => {
      const [columns, key] = [{ id: int64() }, ['id']] as const
      const db = createMapper(store.adapter)
      const codes = (salt: ReturnType<typeof bucket<'id'>>[]): unknown =>
        (db.ddl(defineTable('ids', { columns, key: [...key], salt })) as { warnings: readonly { code: string }[] }).warnings.map(
          ({ code }) => code,
        )
      const named: Readonly<Record<string, string>> = { R: 'one-shard', D: 'one-partition', C: 'one-partition', H: 'one-region' }
      const alone = named[letters[store.name]]
      // Kudu has no such table: one without a salt has hash partitions, or is refused.
      expect(codes([])).toEqual(alone === undefined ? [] : expect.arrayContaining([alone]))
      expect(codes([bucket({ of: 'id', count: 16 })])).not.toContain(alone)
    },
    { memory: 'NOT_SUPPORTED', lmdb: 'NOT_SUPPORTED' },
  )

  line(
    'G-36: reversed ids that count up differ in their first byte; rows of one id are one range, ranges of ids are refused',
    async (store) => {
      const Orders = defineTable('orders', { columns: { userid: reversed(text()), orderid: int64() }, key: ['userid', 'orderid'] })
      const orders = await store.open(Orders)
      expect(ascii(orders.encodeKey({ userid: 'abc', orderid: 0n })).slice(0, 3)).toBe('cba')
      const firsts = Array.from({ length: 100 }, (_, i) => orders.encodeKey({ userid: String(10_000 + i), orderid: 0n })[0])
      expect(new Set(firsts).size).toBe(10)
      await orders.putMany(['abc', 'xabc', 'bbc'].flatMap((userid) => [1n, 2n].map((orderid) => ({ userid, orderid }))))
      expect(await orders.scan({ userid: 'abc', orderid: { gt: 1n } }).toArray()).toEqual([{ userid: 'abc', orderid: 2n }])
      expect(orders.scan({ userid: 'abc', orderid: { gt: 1n } }).explain()).toMatchObject({ ranges: 1, residual: [] })
      expect((await orders.scan({ userid: { in: ['abc', 'xabc', 'none'] } }).toArray()).map(({ userid }) => userid)).toEqual([
        'abc',
        'abc',
        'xabc',
        'xabc',
      ])
      // @ts-expect-error: no ranges on a reversed column
      expect(await codeOf(() => orders.scan({ userid: { gt: 'abc' } }).toArray())).toBe('INVALID_PREDICATE')
    },
  )

  line('G-36: reverse(userid) + orderid without terminator: after a separator, of a fixed width, and of a number', async (store) => {
    const key = ['userid', 'orderid'] as const
    const Separated = defineTable('separated', { columns: { userid: reversed(separatedText('_')), orderid: lastText() }, key })
    const Fixed = defineTable('fixed', { columns: { userid: reversed(fixedText(4)), orderid: lastText() }, key })
    const Numbers = defineTable('numbers', {
      columns: { userid: reversed(digits(uint64(), { separator: '_' })), orderid: lastText() },
      key,
    })
    const db = await store.create([Separated, Fixed, Numbers])
    const [separated, fixed, numbers] = [db.repository(Separated), db.repository(Fixed), db.repository(Numbers)]
    expect(ascii(separated.encodeKey({ userid: 'bob7', orderid: 'A1' }))).toBe('7bob_A1')
    expect(ascii(fixed.encodeKey({ userid: '0123', orderid: 'A1' }))).toBe('3210A1')
    expect(ascii(numbers.encodeKey({ userid: 120n, orderid: 'A1' }))).toBe('021_A1')
    await separated.putMany(['bob', 'bob7', '7bob'].map((userid) => ({ userid, orderid: 'A1' })))
    await fixed.putMany(['0123', '3210'].map((userid) => ({ userid, orderid: 'A1' })))
    await numbers.putMany([12n, 120n, 21n].map((userid) => ({ userid, orderid: 'A1' })))
    expect(await separated.scan({ userid: 'bob' }).toArray()).toEqual([{ userid: 'bob', orderid: 'A1' }])
    expect(await fixed.scan({ userid: '3210' }).toArray()).toEqual([{ userid: '3210', orderid: 'A1' }])
    expect(await numbers.scan({ userid: 12n }).toArray()).toEqual([{ userid: 12n, orderid: 'A1' }])
  })

  line(
    'G-37: the bucket as a long of 8 bytes, as text and as two digits; a span of time is one range in each of 16 buckets',
    async (store) => {
      const Longs = defineTable('longs', {
        columns: { at: uint64(), host: lastText() },
        key: ['at', 'host'],
        salt: bucket({ of: 'at', modulo: 16, bytes: 8 }),
      })
      const texts = (decimalDigits: number) =>
        defineTable(`texts${decimalDigits}`, {
          columns: { at: digits(timestamp('ms'), { width: 13 }), host: lastText() },
          key: ['at', 'host'],
          salt: bucket({ of: 'at', modulo: 16, decimalDigits, separator: '_' }),
        })
      const [One, Two] = [texts(1), texts(2)]
      const db = await store.create([Longs, One, Two])
      expect(toHex(db.repository(Longs).encodeKey({ at: 23n, host: 'a' }))).toBe('0000000000000007000000000000001761')
      expect(ascii(db.repository(One).encodeKey({ at: new Date(23), host: 'a' }))).toBe('7_0000000000023a')
      expect(ascii(db.repository(Two).encodeKey({ at: new Date(23), host: 'a' }))).toBe('07_0000000000023a')
      const instants = Array.from({ length: 40 }, (_, i) => i)
      await db.repository(Longs).putMany(instants.map((ms) => ({ at: BigInt(ms), host: 'a' })))
      expect(
        await db
          .repository(Longs)
          .scan({ at: { gte: 8n, lt: 12n } })
          .toArray(),
      ).toEqual([8n, 9n, 10n, 11n].map((at) => ({ at, host: 'a' })))
      for (const Model of [One, Two]) {
        const rows = db.repository(Model)
        await rows.putMany(instants.map((ms) => ({ at: new Date(ms), host: 'a' })))
        const scan = rows.scan({ at: { gte: new Date(8), lt: new Date(30) } })
        expect((await scan.toArray()).map(({ at }) => at.getTime())).toEqual(instants.slice(8, 30))
        expect(scan.explain()).toMatchObject({ buckets: { of: 16, read: 16 } })
        if (store.adapter.capabilities.reverse) {
          const newest = rows.scan({ at: { gte: new Date(0) } }, { order: 'reverse', limit: 3 })
          expect((await newest.toArray()).map(({ at }) => at.getTime())).toEqual([39, 38, 37])
        }
        expect(await rows.get({ at: new Date(11), host: 'a' })).toEqual({ at: new Date(11), host: 'a' })
      }
    },
  )

  line('G-37: timestamp % n reaches all buckets; whole seconds reach 2 of 16 and 1 of 10, and explain() warns of that', async (store) => {
    const stamped = (modulo: number) =>
      defineTable(`stamps${modulo}`, { columns: { at: timestamp('ms') }, key: ['at'], salt: bucket({ of: 'at', modulo }) })
    const [Sixteen, Ten] = [stamped(16), stamped(10)]
    const db = await store.create([Sixteen, Ten])
    const reached = (model: typeof Ten, step: number): number[] => {
      const stamps = Array.from({ length: 1000 }, (_, i) => new Date(epoch + i * step))
      return [...new Set(stamps.map((at) => db.repository(model).encodeKey({ at })[0] ?? -1))].sort((a, b) => a - b)
    }
    expect(reached(Sixteen, 1)).toHaveLength(16)
    expect(reached(Sixteen, 1000)).toEqual([0, 8])
    expect(reached(Ten, 1000)).toEqual([0])
    const rows = Array.from({ length: 20 }, (_, i) => ({ at: new Date(epoch + i * 999) }))
    const stamps = db.repository(Sixteen)
    await stamps.putMany(rows)
    const scan = stamps.scan({ at: { gte: new Date(epoch + 999), lt: new Date(epoch + 9990) } })
    expect(await scan.toArray()).toEqual(rows.slice(1, 10))
    expect(scan.explain().warnings.map(({ code }) => code)).toContain('modulo-seconds')
  })
}

function prefixes(line: AddLine): void {
  line('G-33: pk1 = hash(pk).substring(0, 4) + pk, then the end of the text', async (store) => {
    const pks = ['abc', 'abcd', 'user1', 'user2']
    const Ended = defineTable('ended', { columns: { pk: text() }, key: ['pk'], salt: hashPrefix({ of: 'pk', digits: 4 }) })
    const rows = await store.open(Ended)
    expect(ascii(rows.encodeKey({ pk: 'abc' }))).toBe('9001abc\0\0')
    await rows.putMany(pks.map((pk) => ({ pk })))
    expect(await rows.get({ pk: 'user2' })).toEqual({ pk: 'user2' })
    expect(await rows.scan({ pk: { in: ['abc', 'abcd', 'none'] } }).count()).toBe(2)
    expect(await codeOf(() => rows.scan({ pk: { startsWith: 'a' } }).toArray())).toBe('FAN_OUT_EXCEEDED')
    expect(await rows.readAll().count()).toBe(4)
    // One byte of end, as other programs may have it.
    const Short = keyLayout([['pk', separatedText('\0')]], { salt: hashPrefix({ of: 'pk', digits: 4 }) })
    expect(ascii(Short.encode({ pk: 'abc' }))).toBe('9001abc\0')
  })

  line('G-35: md5(userid).subStr(0,4), userid, orderid: one range per user, and none over users', async (store) => {
    const Orders = defineTable('orders', {
      columns: { userid: text(), orderid: int64() },
      key: ['userid', 'orderid'],
      salt: hashPrefix({ of: 'userid', digits: 4 }),
    })
    const orders = await store.open(Orders)
    expect(ascii(orders.encodeKey({ userid: 'abc', orderid: 123n })).slice(0, 7)).toBe('9001abc')
    expect(ascii(orders.encodeKey({ userid: 'user1', orderid: 1n })).slice(0, 9)).toBe('24c9user1')
    await orders.putMany(['abc', 'user1'].flatMap((userid) => [123n, 7n].map((orderid) => ({ userid, orderid }))))
    const scan = orders.scan({ userid: 'abc' })
    expect((await scan.toArray()).map(({ orderid }) => orderid)).toEqual([7n, 123n])
    expect(scan.explain()).toMatchObject({ kind: 'SCAN', ranges: 1, buckets: { read: 1, of: 65_536 } })
    expect(await codeOf(() => orders.scan({ userid: { startsWith: 'a' } }).toArray())).toBe('FAN_OUT_EXCEEDED')
  })
}
