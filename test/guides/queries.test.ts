import { keyLayout } from '@rowkey/codec'
import {
  Column,
  defineTable,
  desc,
  int64,
  type InferWhere,
  KeyColumn,
  nullable,
  paddedText,
  type Repository,
  RowKey,
  separatedText,
  Table,
  text,
  uint32,
} from 'rowkey'
import { beforeAll, describe, expect, test } from 'vitest'
import { codeOf } from './code-of.js'
import { onEachStore } from './stores.js'

/** [userid][orderid] */
@Table('orders')
class Order {
  declare [RowKey]?: 'userid' | 'orderid'
  @KeyColumn(1, text()) userid!: string
  @KeyColumn(2, int64()) orderid!: bigint
  @Column(nullable(text())) state!: string | null
}

onEachStore(({ open, mapper }) => {
  describe('[userid][orderid]', () => {
    let orders: Repository<typeof Order>
    const ids = async (where: Parameters<typeof orders.scan>[0], options = {}): Promise<unknown[]> =>
      (await orders.scan(where, options).toArray()).map(({ orderid }) => orderid)

    beforeAll(async () => {
      orders = await open(Order)
      await orders.putMany([
        ...[100n, 123n, 200n, 300n, 456n].map((orderid) => ({ userid: 'abc', orderid, state: orderid === 200n ? 'open' : 'paid' })),
        { userid: 'abcd', orderid: 250n },
        { userid: 'ab', orderid: 250n },
      ])
    })

    test('G-07: many rows per user', async () => {
      expect(await ids({ userid: 'abc' })).toEqual([100n, 123n, 200n, 300n, 456n])
    })

    test('G-09: GET names every key column', async () => {
      expect((await orders.get({ userid: 'abc', orderid: 123n }))?.state).toBe('paid')
      expect(orders.scan({ userid: 'abc', orderid: 123n }).explain().kind).toBe('GET')
      // @ts-expect-error: the key is incomplete
      expect(await codeOf(() => orders.get({ userid: 'abc' }))).toBe('INVALID_VALUE')
    })

    test('G-08: the whole key is a GET, less is a SCAN, and there is no third way', () => {
      const kinds = [
        { userid: 'abc', orderid: 123n },
        { userid: 'abc', orderid: { in: [1n, 2n] } },
        { userid: 'abc' },
        { userid: 'abc', orderid: { gt: 123n } },
      ].map((where) => orders.scan(where).explain().kind)
      expect(kinds).toEqual(['GET', 'MULTI-GET', 'SCAN', 'SCAN'])
    })

    test("G-10: userid = 'abc' and 123 < orderid < 456, both ends exclusive", async () => {
      const where = { userid: 'abc', orderid: { gt: 123n, lt: 456n } }
      expect(await ids(where)).toEqual([200n, 300n])
      expect(orders.scan(where).explain()).toMatchObject({ kind: 'SCAN', ranges: 1, residual: [] })
    })

    test('G-11 G-12: a scan without the first key column is refused before any I/O', async () => {
      // The table was never created, so a request would fail in another way.
      const nowhere = mapper().repository(Order)
      expect(await codeOf(() => nowhere.scan({ userid: 'abc' }).toArray())).toBe('TABLE_NOT_FOUND')
      expect(await codeOf(() => nowhere.scan({ orderid: 123n }).toArray())).toBe('FULL_SCAN_REFUSED')
      expect(await codeOf(() => nowhere.scan({ state: 'open' }).toArray())).toBe('FULL_SCAN_REFUSED')
      expect(await codeOf(() => nowhere.scan({}).toArray())).toBe('FULL_SCAN_REFUSED')
    })

    test('G-12: a full scan is there for who asks for it', async () => {
      expect(await ids({ orderid: 250n }, { allowFullScan: true })).toEqual([250n, 250n])
    })

    test('G-15: a condition outside the key filters the rows that were read', async () => {
      const scan = orders.scan({ userid: 'abc', state: 'open' })
      expect((await scan.toArray()).map(({ orderid }) => orderid)).toEqual([200n])
      expect(scan.explain().residual).toEqual(['state = "open"'])
      expect((await scan.page()).stats).toMatchObject({ examined: 5, returned: 1 })
    })

    test('G-17: order by orderid desc', async () => {
      expect(await ids({ userid: 'abc', orderid: { gt: 123n, lt: 456n } }, { order: { orderid: 'desc' } })).toEqual([300n, 200n])
    })

    test('G-18: a reverse scan', async () => {
      expect(await ids({ userid: 'abc' }, { reverse: true, limit: 2 })).toEqual([456n, 300n])
    })

    test('G-19: reading against the stored order is warned of', () => {
      const warnings = (reverse: boolean): string[] =>
        orders
          .scan({ userid: 'abc' }, { reverse })
          .explain()
          .warnings.map(({ code }) => code)
      expect([warnings(false), warnings(true)]).toEqual([[], ['reverse']])
    })
  })

  describe('the whole rowkey as one column', () => {
    const Words = defineTable('words', { columns: { word: text(), sense: nullable(text()) }, key: ['word'] })
    const words = ['abcde', 'abcx', 'prefix', 'prefixes', 'prefiguring', 'preach', 'unprefixed']
    const found = async (where: { word: object }): Promise<string[]> => {
      const rows = await open(Words)
      await rows.putMany(words.map((word) => ({ word })))
      return (await rows.scan(where as never).toArray()).map(({ word }) => word)
    }

    test("G-10: 'abc' < rowkey < 'abcx'", async () => {
      expect(await found({ word: { gt: 'abc', lt: 'abcx' } })).toEqual(['abcde'])
    })

    test('G-13: a beginning is found as in a dictionary; a middle or an end has no operator', async () => {
      expect(await found({ word: { startsWith: 'prefi' } })).toEqual(['prefiguring', 'prefix', 'prefixes'])
      expect(await found({ word: { startsWith: 'pre' } })).toEqual(['preach', 'prefiguring', 'prefix', 'prefixes'])
      for (const operator of ['contains', 'endsWith', 'like']) {
        expect(await codeOf(() => found({ word: { [operator]: 'prefi' } }))).toBe('INVALID_PREDICATE')
      }
    })
  })

  describe('newest first by the key', () => {
    test('G-20: [userid][orderid DESC] gives the latest without a reverse scan', async () => {
      const Latest = defineTable('latest', { columns: { userid: text(), orderid: desc(int64()) }, key: ['userid', 'orderid'] })
      const orders = await open(Latest)
      await orders.putMany([100n, 300n, 200n].map((orderid) => ({ userid: 'abc', orderid })))
      const scan = orders.scan({ userid: 'abc' }, { limit: 2 })
      expect((await scan.toArray()).map(({ orderid }) => orderid)).toEqual([300n, 200n])
      expect(scan.explain()).toMatchObject({ kind: 'SCAN', reverse: false, warnings: [] })
    })
  })

  describe('host1 and host12', () => {
    const within = (key: Uint8Array, from: string, to: string): boolean => {
      const raw = Buffer.from(key).toString('latin1')
      return raw >= from && raw < to
    }

    test('G-39: raw text between host1 and host2 holds host12; a scan for host1 does not', async () => {
      expect(['host1', 'host12'].map((host) => within(new TextEncoder().encode(host), 'host1', 'host2'))).toEqual([true, true])
      const Rows = defineTable('table1', { columns: { colume1: text(), colume2: uint32() }, key: ['colume1', 'colume2'] })
      const rows = await open(Rows)
      await rows.putMany(
        ['host1', 'host12', 'host2'].flatMap((colume1) => [
          { colume1, colume2: 1 },
          { colume1, colume2: 2 },
        ]),
      )
      expect(await rows.scan({ colume1: 'host1' }).toArray()).toEqual([
        { colume1: 'host1', colume2: 1 },
        { colume1: 'host1', colume2: 2 },
      ])
      expect(await rows.scan({ colume1: { gte: 'host1', lt: 'host2' } }).count()).toBe(4)
    })

    test("G-40: rpad(host, 20, 'x'): rows of one host only, and no ranges, as the order of the values is lost", async () => {
      const layout = keyLayout([['host', paddedText(20, { pad: 'x' })]])
      const [host1, host12] = ['host1', 'host12'].map((host) => Buffer.from(layout.encode({ host })).toString())
      expect([host1, host12]).toEqual(['host1xxxxxxxxxxxxxxx', 'host12xxxxxxxxxxxxxx'])
      expect((host1 as string) > (host12 as string)).toBe(true)
      const Rows = defineTable('padded', { columns: { host: paddedText(20, { pad: 'x' }), n: uint32() }, key: ['host', 'n'] })
      const rows = await open(Rows)
      await rows.putMany(['host1', 'host12'].map((host) => ({ host, n: 1 })))
      expect(await rows.scan({ host: 'host1' }).toArray()).toEqual([{ host: 'host1', n: 1 }])
      // @ts-expect-error: no ranges on a padded column
      expect(await codeOf(() => rows.scan({ host: { gt: 'host1' } }).toArray())).toBe('INVALID_PREDICATE')
    })

    test("G-41: with '\\0' as the separator, values keep their order and have ranges", async () => {
      const Rows = defineTable('nul_separated', { columns: { host: separatedText('\0'), n: uint32() }, key: ['host', 'n'] })
      const rows = await open(Rows)
      await rows.putMany(['host2', 'host12', 'host1', 'host'].map((host) => ({ host, n: 1 })))
      const hosts = async (where: InferWhere<typeof Rows>): Promise<string[]> => (await rows.scan(where).toArray()).map(({ host }) => host)
      expect(await hosts({ host: { gte: 'host1', lt: 'host2' } })).toEqual(['host1', 'host12'])
      expect(await hosts({ host: { gte: '' } })).toEqual(['host', 'host1', 'host12', 'host2'])
      expect(await hosts({ host: 'host1' })).toEqual(['host1'])
    })

    test("G-41: host + '_': rows of one host only, and no ranges", async () => {
      const Rows = defineTable('separated', { columns: { host: separatedText('_'), n: separatedText('_') }, key: ['host', 'n'] })
      const rows = await open(Rows)
      expect(Buffer.from(rows.encodeKey({ host: 'host1', n: 'a' })).toString()).toBe('host1_a_')
      await rows.putMany(['host1', 'host12'].map((host) => ({ host, n: 'a' })))
      expect(await rows.scan({ host: 'host1' }).toArray()).toEqual([{ host: 'host1', n: 'a' }])
      expect(await codeOf(() => rows.put({ host: 'host_1', n: 'a' }))).toBe('INVALID_VALUE')
      // @ts-expect-error: no ranges on a separated column
      expect(await codeOf(() => rows.scan({ host: { gt: 'host1' } }).toArray())).toBe('INVALID_PREDICATE')
    })
  })
})
