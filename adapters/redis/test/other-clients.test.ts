import { redisCli } from '@rowkey/servers'
import { Packr } from 'msgpackr'
import { bucket, bytes, createMapper, defineTable, int64, nullable, text, timestamp, uint32 } from 'rowkey'
import { redis } from '@rowkey/redis'
import { expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { places } from './places.js'

const Hostile = defineTable('hostile', {
  columns: { owner: text(), id: bytes(), n: int64(), note: nullable(text()), blob: nullable(bytes()) },
  partition: ['owner'],
  key: ['id'],
  version: 'rev',
})
const Salted = defineTable('salted', {
  columns: { id: text(), n: uint32(), at: timestamp('ms') },
  key: ['id'],
  salt: [bucket({ of: ['id'], count: 16 })],
  ttl: '1h',
})
/** Bytes that mean something to Redis, to a cluster, to Lua, to a shell or to nobody. */
const texts = [
  '}',
  '{',
  '{}',
  '\0',
  'a\0b',
  '"',
  `'`,
  ':',
  '*',
  '\r\n$3\r\nfoo\r\n',
  "'..os.exit()..'",
  '[',
  '(',
  '+',
  '-',
  '\u{10ffff}',
  'ÿ',
  ' ',
]
const packr = new Packr({ useRecords: false, int64AsType: 'auto' } as object)

withServer('redis', ({ url }) => {
  const { open, client } = places()

  test('rows with any bytes are where locate() says, as documented, for ioredis', async () => {
    const db = open(url)
    await db.ensureTables([Hostile])
    const rows = db.repository(Hostile)
    const other = client(url)
    for (const owner of texts) {
      const key = { owner, id: new TextEncoder().encode(owner) }
      await rows.put({ ...key, n: 7n, note: owner, blob: Uint8Array.of(0, 255) })
      const { index, values, rowkey } = await rows.locate(key)
      expect(index).toMatch(/^rk:\{t\w+_hostile\.[0-9a-f]{2}\}:z$/)
      expect(await other.zscore(index, Buffer.from(rowkey))).toBe('0')
      const record = (await other.hgetBuffer(values, Buffer.from(rowkey))) as Buffer
      expect(packr.unpack(record)).toEqual([1, null, expect.stringMatching(/^[0-9A-Z]{26}$/), Buffer.from([0, 255]), 7, owner])
      expect(await rows.get(key)).toMatchObject({ n: 7n, note: owner })
    }
    const found = await Promise.all(texts.map((owner) => rows.scan({ owner }).toArray()))
    expect(found.map((list) => list.map(({ note }) => note))).toEqual(texts.map((owner) => [owner]))
  })

  test('redis-cli reads what was written, byte by byte', async () => {
    const db = open(url)
    await db.ensureTables([Salted])
    const rows = db.repository(Salted)
    const at = new Date('2030-01-01T00:00:00Z')
    await rows.put({ id: 'a"\0}', n: 5, at })
    const { values, index, expiries, rowkey } = await rows.locate({ id: 'a"\0}' })
    const lua = `local f = '' for b in string.gmatch(ARGV[1], '%d+') do f = f .. string.char(b) end
      local r = redis.call('HGET', KEYS[1], f) return {redis.call('ZRANK', KEYS[2], f), #r, cjson.encode(cmsgpack.unpack(r))}`
    const cli = await redisCli(Number(new URL(url).port), 'EVAL', lua, '2', values, index, [...rowkey].join(' '))
    const [rank, , json] = cli.trim().split('\n')
    expect(rank).toBe('1') // behind the empty member
    expect(JSON.parse(json as string)).toEqual([1, expect.any(Number), null, at.getTime(), 5])
    expect(Number(await db.client.zscore(expiries, Buffer.from(rowkey)))).toBeGreaterThan(Date.now())
  })

  test('a row that another client writes in the documented way is read, scanned, changed and purged', async () => {
    const db = open(url)
    await db.ensureTables([Salted])
    const rows = db.repository(Salted)
    const { values, index, expiries, rowkey } = await rows.locate({ id: 'foreign' })
    const expiry = Date.now() + 3_600_000
    const key = Buffer.from(rowkey)
    await client(url)
      .multi()
      .zadd(index, 0, key)
      .hset(values, key, packr.pack([1, BigInt(expiry), null, 1234, 9]))
      .zadd(expiries, expiry, key)
      .exec()
    expect(await rows.get({ id: 'foreign' })).toEqual({ id: 'foreign', n: 9, at: new Date(1234) })
    expect(await rows.scan({}, { unbounded: true }).toArray()).toHaveLength(1)
    await rows.update({ id: 'foreign' }, { n: 10 })
    expect(packr.unpack((await db.client.hgetBuffer(values, key)) as Buffer)).toEqual([1, expiry, null, 1234, 10])
    const later = createMapper(redis(db.client), { prefix: db.prefix, clock: () => expiry + 1 })
    expect(await later.purgeExpired(Salted)).toBe(1)
    expect(await db.client.exists(values, index, expiries)).toBe(3) // the table's own members
    expect(await db.client.hlen(values)).toBe(1)
  })

  test('keys of 900 bytes and values of 64 KB', async () => {
    const db = open(url)
    await db.ensureTables([Hostile])
    const rows = db.repository(Hostile)
    const id = new Uint8Array(400).fill(0)
    const blob = Uint8Array.from({ length: 65_535 }, (_, i) => i & 255)
    await rows.put({ owner: '}'.repeat(100), id, n: -1n, note: '\0'.repeat(60_000), blob })
    expect(await rows.get({ owner: '}'.repeat(100), id })).toMatchObject({ n: -1n, note: '\0'.repeat(60_000), blob })
    expect(await rows.scan({ owner: '}'.repeat(100) }).toArray()).toHaveLength(1)
  })
})
