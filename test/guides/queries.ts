import {
  Column,
  defineTable,
  desc,
  int64,
  KeyColumn,
  nullable,
  paddedText,
  RowKey,
  separatedText,
  Table,
  text,
  toHex,
  uint32,
} from 'rowkey'
import { expect } from 'vitest'
import { codeOf, letters, once, type AddLine, type GuideStore } from './line.js'

/** [userid][orderid] */
@Table('orders')
class Order {
  declare [RowKey]?: 'userid' | 'orderid'
  @KeyColumn(1, text()) userid!: string
  @KeyColumn(2, int64()) orderid!: bigint
  @Column(nullable(text())) state!: string | null
}

/** Orders of three users whose ids begin alike. */
async function open(store: GuideStore) {
  const orders = await store.open(Order)
  await orders.putMany([
    ...[100n, 123n, 200n, 300n, 456n].map((orderid) => ({ userid: 'abc', orderid, state: orderid === 200n ? 'open' : 'paid' })),
    { userid: 'abcd', orderid: 250n },
    { userid: 'ab', orderid: 250n },
  ])
  return orders
}

type Orders = Awaited<ReturnType<typeof open>>
const ids = async (orders: Orders, where: object, options: object = {}): Promise<unknown[]> =>
  (await orders.scan(where as never, options as never).toArray()).map(({ orderid }) => orderid)

export function queries(line: AddLine): void {
  const ordersOn = once(open)
  getsAndScans(line, ordersOn)
  beyond(line, ordersOn)
  wholeRowkey(line)
  newestFirst(line)
  tooMuch(line)
}

function getsAndScans(line: AddLine, ordersOn: typeof open): void {
  line('G-07: many rows per user', async (store) => {
    expect(await ids(await ordersOn(store), { userid: 'abc' })).toEqual([100n, 123n, 200n, 300n, 456n])
  })

  line('G-09: GET names every key column', async (store) => {
    const orders = await ordersOn(store)
    expect((await orders.get({ userid: 'abc', orderid: 123n }))?.state).toBe('paid')
    expect(orders.scan({ userid: 'abc', orderid: 123n }).explain().kind).toBe('GET')
    // @ts-expect-error: the key is incomplete
    expect(await codeOf(() => orders.get({ userid: 'abc' }))).toBe('INVALID_VALUE')
  })

  line('G-08: the whole key is a GET, less is a SCAN, and there is no third way', async (store) => {
    const orders = await ordersOn(store)
    const whole = { userid: 'abc', orderid: 123n }
    const some = { userid: 'abc', orderid: { in: [123n, 100n, 1n] } }
    const scans = [{ userid: 'abc' }, { userid: 'abc', orderid: { gt: 123n } }]
    expect([whole, some, ...scans].map((where) => orders.scan(where).explain().kind)).toEqual(['GET', 'MULTI-GET', 'SCAN', 'SCAN'])
    expect(await ids(orders, whole)).toEqual([123n])
    expect(await ids(orders, some)).toEqual([100n, 123n])
  })

  line("G-10: userid = 'abc' and 123 < orderid < 456, both ends exclusive", async (store) => {
    const orders = await ordersOn(store)
    const where = { userid: 'abc', orderid: { gt: 123n, lt: 456n } }
    expect(await ids(orders, where)).toEqual([200n, 300n])
    expect(orders.scan(where).explain()).toMatchObject({ kind: 'SCAN', ranges: 1, residual: [] })
  })

  line('G-10: the same ends as keys: after and before are exclusive, from and to inclusive', async (store) => {
    const orders = await ordersOn(store)
    const [first, last] = [{ orderid: 123n }, { orderid: 456n }]
    expect(await ids(orders, { userid: 'abc' }, { after: first, before: last })).toEqual([200n, 300n])
    expect(await ids(orders, { userid: 'abc' }, { from: first, to: last })).toEqual([123n, 200n, 300n, 456n])
  })

  line('G-11 G-12: a scan without the first key column is refused before any request', async (store) => {
    // The table was never created, so a request would fail in another way.
    const nowhere = (await store.create([])).repository(Order)
    expect(await codeOf(() => nowhere.scan({ userid: 'abc' }).toArray())).toBe('TABLE_NOT_FOUND')
    expect(await codeOf(() => nowhere.scan({ orderid: 123n }).toArray())).toBe('FULL_SCAN_REFUSED')
    expect(await codeOf(() => nowhere.scan({ state: 'open' }).toArray())).toBe('FULL_SCAN_REFUSED')
    expect(await codeOf(() => nowhere.scan({}).toArray())).toBe('FULL_SCAN_REFUSED')
  })

  line('G-12: a full scan exists for those who ask for it', async (store) => {
    const orders = await ordersOn(store)
    expect(await ids(orders, { orderid: 250n }, { unbounded: true })).toEqual([250n, 250n])
    expect(await orders.readAll({ parallel: 2 }).count()).toBe(7)
  })
}

function beyond(line: AddLine, ordersOn: typeof open): void {
  line('G-15: a condition outside the key filters the rows that were read', async (store) => {
    const scan = (await ordersOn(store)).scan({ userid: 'abc', state: 'open' })
    expect((await scan.toArray()).map(({ orderid }) => orderid)).toEqual([200n])
    expect(scan.explain().residual).toEqual([{ column: 'state', operator: '=', value: 'open' }])
    expect((await scan.page()).stats).toMatchObject({ examined: 5, returned: 1 })
  })

  line('G-15: Redis, DynamoDB and Kudu filter on the server, the other stores send what they examined', async (store) => {
    const { stats } = await (await ordersOn(store)).scan({ userid: 'abc', state: 'open' }).page()
    const filters = ['R', 'D', 'K'].includes(letters[store.name])
    expect(stats).toMatchObject({ examined: 5, sent: filters ? 1 : 5, returned: 1 })
  })

  const refused = { kudu: 'NOT_SUPPORTED' } as const // it reads forwards only

  line(
    'G-17: order by orderid desc',
    async (store) => {
      const where = { userid: 'abc', orderid: { gt: 123n, lt: 456n } }
      expect(await ids(await ordersOn(store), where, { order: { orderid: 'desc' } })).toEqual([300n, 200n])
    },
    refused,
  )

  line(
    'G-18: a reverse scan, page by page and back',
    async (store) => {
      const orders = await ordersOn(store)
      const page = async (cursor?: string) => {
        const { rows, ...page } = await orders.scan({ userid: 'abc' }, { order: 'reverse' }).page({ size: 2, cursor })
        return { ...page, ids: rows.map(({ orderid }) => orderid) }
      }
      const first = await page()
      const second = await page(first.cursor)
      expect([first.ids, second.ids]).toEqual([
        [456n, 300n],
        [200n, 123n],
      ])
      expect((await page(second.previous)).ids).toEqual([456n, 300n])
    },
    refused,
  )

  line(
    'G-19: reading against the stored order is warned of',
    async (store) => {
      const orders = await ordersOn(store)
      const warnings = (reverse: boolean): string[] =>
        orders
          .scan({ userid: 'abc' }, { order: reverse ? 'reverse' : undefined })
          .explain()
          .warnings.map(({ code }) => code)
      expect([warnings(false), warnings(true)]).toEqual([[], ['reverse']])
    },
    refused,
  )
}

function wholeRowkey(line: AddLine): void {
  const Words = defineTable('words', { columns: { word: text(), sense: nullable(text()) }, key: ['word'] })
  const wordsOn = once(async ({ open: create }) => {
    const words = await create(Words)
    await words.putMany(['abcde', 'abcx', 'prefix', 'prefixes', 'prefiguring', 'preach', 'unprefixed'].map((word) => ({ word })))
    return words
  })
  const found = async (store: GuideStore, where: { word: object }): Promise<string[]> =>
    (await (await wordsOn(store)).scan(where as never).toArray()).map(({ word }) => word)

  line("G-10: 'abc' < rowkey < 'abcx'", async (store) => {
    expect(await found(store, { word: { gt: 'abc', lt: 'abcx' } })).toEqual(['abcde'])
  })

  line('G-13: a beginning is found as in a dictionary; a middle or an end has no operator', async (store) => {
    expect(await found(store, { word: { startsWith: 'prefi' } })).toEqual(['prefiguring', 'prefix', 'prefixes'])
    expect(await found(store, { word: { startsWith: 'pre' } })).toEqual(['preach', 'prefiguring', 'prefix', 'prefixes'])
    for (const operator of ['contains', 'endsWith', 'like']) {
      expect(await codeOf(() => found(store, { word: { [operator]: 'prefi' } }))).toBe('INVALID_PREDICATE')
    }
  })
}

function newestFirst(line: AddLine): void {
  line('G-20: a descending orderid gives the latest without a reverse scan, and pages go on and back', async (store) => {
    const Latest = defineTable('latest', { columns: { userid: text(), orderid: desc(int64()) }, key: ['userid', 'orderid'] })
    const orders = await store.open(Latest)
    await orders.putMany([100n, 300n, 200n].map((orderid) => ({ userid: 'abc', orderid })))
    const scan = orders.scan({ userid: 'abc' }, { limit: 2 })
    expect((await scan.toArray()).map(({ orderid }) => orderid)).toEqual([300n, 200n])
    expect(scan.explain()).toMatchObject({ kind: 'SCAN', reverse: false, warnings: [] })
    const second = await orders
      .scan({ userid: 'abc' })
      .page({ size: 2, cursor: (await orders.scan({ userid: 'abc' }).page({ size: 2 })).cursor })
    expect(second.rows).toEqual([{ userid: 'abc', orderid: 100n }])
    const back = await orders.scan({ userid: 'abc' }).page({ size: 2, cursor: second.previous })
    expect(back.rows.map(({ orderid }) => orderid)).toEqual([300n, 200n])
  })

  line('G-21: desc(int64) writes Long.MAX_VALUE - ts, and is in order before 1970 too', async (store) => {
    const Stamps = defineTable('stamps', { columns: { host: text(), ts: desc(int64()) }, key: ['host', 'ts'] })
    const stamps = await store.open(Stamps)
    const ts = 1_700_000_000_000n
    const bytes = toHex(stamps.encodeKey({ host: '', ts })).slice(-16)
    expect(bytes).toBe('7ffffe74301a97ff')
    expect(BigInt(`0x${bytes}`)).toBe(2n ** 63n - 1n - ts)
    await stamps.putMany([-1n, ts, 0n, -(2n ** 63n), ts + 1n].map((each) => ({ host: '', ts: each })))
    expect((await stamps.scan({ host: '' }).toArray()).map((row) => row.ts)).toEqual([ts + 1n, ts, 0n, -1n, -(2n ** 63n)])
  })
}

function tooMuch(line: AddLine): void {
  line('G-39: raw text between host1 and host2 holds host12; a scan for host1 does not', async (store) => {
    const within = (raw: string): boolean => raw >= 'host1' && raw < 'host2'
    expect(['host1', 'host12'].map(within)).toEqual([true, true])
    const Rows = defineTable('table1', { columns: { colume1: text(), colume2: uint32() }, key: ['colume1', 'colume2'] })
    const rows = await store.open(Rows)
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

  line("G-40: rpad(host, 20, 'x'): rows of one host only, and no ranges, as the order of the values is lost", async (store) => {
    const Rows = defineTable('padded', { columns: { host: paddedText(20, { pad: 'x' }), n: uint32() }, key: ['host', 'n'] })
    const rows = await store.open(Rows)
    const [host1 = '', host12 = ''] = ['host1', 'host12'].map((host) =>
      Buffer.from(rows.encodeKey({ host, n: 1 }))
        .toString()
        .slice(0, 20),
    )
    expect([host1, host12]).toEqual(['host1xxxxxxxxxxxxxxx', 'host12xxxxxxxxxxxxxx'])
    expect(host1 > host12).toBe(true)
    await rows.putMany(['host1', 'host12'].map((host) => ({ host, n: 1 })))
    expect(await rows.scan({ host: 'host1' }).toArray()).toEqual([{ host: 'host1', n: 1 }])
    expect(await codeOf(() => rows.put({ host: 'hostx', n: 1 }))).toBe('INVALID_VALUE')
    // @ts-expect-error: no ranges on a padded column
    expect(await codeOf(() => rows.scan({ host: { gt: 'host1' } }).toArray())).toBe('INVALID_PREDICATE')
  })

  line("G-41: host + '_': rows of one host only, no ranges, and no '_' in a value", async (store) => {
    const Rows = defineTable('separated', { columns: { host: separatedText('_'), n: separatedText('_') }, key: ['host', 'n'] })
    const rows = await store.open(Rows)
    expect(Buffer.from(rows.encodeKey({ host: 'host1', n: 'a' })).toString()).toBe('host1_a_')
    await rows.putMany(['host1', 'host12'].map((host) => ({ host, n: 'a' })))
    expect(await rows.scan({ host: 'host1' }).toArray()).toEqual([{ host: 'host1', n: 'a' }])
    expect(await codeOf(() => rows.put({ host: 'host_1', n: 'a' }))).toBe('INVALID_VALUE')
    // @ts-expect-error: no ranges on a separated column
    expect(await codeOf(() => rows.scan({ host: { gt: 'host1' } }).toArray())).toBe('INVALID_PREDICATE')
  })

  line('G-41: with the byte 0 as the separator the order is kept, so there are ranges', async (store) => {
    const Rows = defineTable('ended', { columns: { host: separatedText('\0'), n: uint32() }, key: ['host', 'n'] })
    const rows = await store.open(Rows)
    await rows.putMany(['host12', 'host2', 'host1', 'Host1'].map((host) => ({ host, n: 1 })))
    expect(await rows.scan({ host: 'host1' }).toArray()).toEqual([{ host: 'host1', n: 1 }])
    const range = await rows.scan({ host: { gte: 'host1', lt: 'host2' } }).toArray()
    expect(range.map(({ host }) => host)).toEqual(['host1', 'host12'])
    expect(await codeOf(() => rows.put({ host: 'host\0', n: 1 }))).toBe('INVALID_VALUE')
  })
}
