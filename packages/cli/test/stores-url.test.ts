import { cassandraStore } from '@rowkey/cassandra'
import { kuduStore } from '@rowkey/kudu'
import { lmdbStore } from '@rowkey/lmdb'
import { redisStore } from '@rowkey/redis'
import type { StoreDescription } from 'rowkey/adapter'
import { createServer } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { hostOf, parseUrl, type StoreUrl } from '../src/store/parse-url.js'
import { withoutSecrets } from '../src/text/secrets.js'
import { project, withTables } from './command.js'

const { rowkey } = project(withTables)
const secret = 'hunter2-Pä$$'

/** The parts of a URL of a store. */
const parts = (url: string, { opening }: StoreDescription): StoreUrl => parseUrl(url, opening as NonNullable<typeof opening>)

test('parts of URLs', () => {
  expect(parts('lmdb:data/x y', lmdbStore)).toMatchObject({ scheme: 'lmdb', place: 'data/x y' })
  expect(parts('lmdb:///srv/data', lmdbStore).place).toBe('/srv/data')
  expect(parts('lmdb:///srv/a%20b/100%25', lmdbStore).place).toBe('/srv/a b/100%')
  expect(parts('lmdb:/srv/a%20b#1?', lmdbStore).place).toBe('/srv/a%20b#1?')
  expect(parts('cassandra://a:1,b:2/shop?datacenter=dc1', cassandraStore)).toMatchObject({ place: 'a:1,b:2', inside: 'shop' })
  expect(parts('kudu://a:1,[::1]/shop?hash=8', kuduStore)).toMatchObject({ place: 'a:1,[::1]', inside: 'shop' })
  expect(parts('redis://[::1]:7/3', redisStore).place).toBe('[::1]:7')
  expect(hostOf('[::1]:7', 1)).toEqual({ host: '::1', port: 7 })
  expect(hostOf('a', 6379)).toEqual({ host: 'a', port: 6379 })
})

test.each([
  ['', /--url URL, or set ROWKEY_URL/],
  ['mysql://a/b', /none that rowkey knows/],
  ['redis:', /incomplete/],
  ['redis://a:0', /port from 1 to 65535/],
  ['redis://a/x', /number of a database/],
  ['redis://a/0?tls=1', /parameter that is none of: prefix/],
  ['cassandra://a', /ends with a keyspace/],
  ['hbase://a?transport=udp', /unframed, framed, http/],
  ['kudu://a:0', /port from 1 to 65535/],
  ['kudu://a?hash=x', /hash of a kudu: URL is a whole number/],
  ['kudu://a?replicas=2', /INVALID_OPTION: .*replicas/],
  ['lmdb:', /no folder/],
  ['lmdb:///a/100%', /a % that is no escape/],
  ['lmdb:///a?b', /has no parameters\. Write \? as %3F/],
  ['lmdb:///a#b', /or give the path as it is: lmdb:FOLDER/],
  ['dynamodb://a:8000?segments=no', /wrong segments/],
])('the URL %j is a usage error', async (url, message) => {
  const { code, stdout, stderr } = await rowkey(['count', 'logs', '--url', url], { env: { ROWKEY_URL: '' } })
  expect(stderr).toMatch(message)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
})

test.each([
  `redis://:${secret}@127.0.0.1:1`,
  `redis://ann:${secret}@127.0.0.1`,
  `redis://:${secret}/x@127.0.0.1`,
  `redis://127.0.0.1?password=${secret}`,
  `rediss://:${secret}#@h`,
  `cassandra://c:${secret}@h/k`,
  `hbase://h:${secret}`,
  `kudu://ann:${secret}@h/shop`,
  `dynamodb://AKIA:${secret}@eu-central-1`,
  `mysql://u:${secret}@h`,
])('a URL with a password is refused, and nothing repeats it: %#', async (url) => {
  const given = [
    ['count', 'logs', '--url', url, '--debug'],
    ['copy', 'logs', '--url', 'lmdb:.', '--to', url, '--json'],
    ['count', 'logs', `--urll=${url}`],
  ]
  for (const args of given) {
    const { code, stdout, stderr } = await rowkey(args)
    expect(code).not.toBe(0)
    expect(stdout + stderr).not.toContain('hunter2')
  }
  const { stderr } = await rowkey(['count', 'logs', '--debug'], { env: { ROWKEY_URL: url } })
  expect(stderr).not.toContain('hunter2')
})

test('credentials of the environment are replaced in every text', () => {
  const env = { REDIS_PASSWORD: secret }
  expect(withoutSecrets(`AUTH ${secret} ${encodeURIComponent(secret)}`, env)).toBe('AUTH *** ***')
  expect(withoutSecrets('at redis://a:b@h:1/0', env)).toBe('at redis://***@h:1/0')
  expect(withoutSecrets('at file:///home/tsx@4/a.js and lmdb:///a@b', env)).toBe('at file:///home/tsx@4/a.js and lmdb:///a@b')
})

const down = [
  'redis://127.0.0.1:1',
  'dynamodb://127.0.0.1:1',
  'cassandra://127.0.0.1:1/shop',
  'hbase://127.0.0.1:1',
  'kudu://127.0.0.1:1',
  'lmdb:not-there',
]

test.each(down)('%s, which is not there: one line, exit code 4, no stack', async (url) => {
  const env = { REDIS_PASSWORD: secret, CASSANDRA_USERNAME: 'c', CASSANDRA_PASSWORD: secret }
  for (const args of [
    ['get', 'logs', 'host=a', 'at=0'],
    ['import', 'logs'],
  ]) {
    const { code, stdout, stderr } = await rowkey([...args, '--url', url], { env })
    expect(stderr).toMatch(/^rowkey: .+\n$/)
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' })
  }
  const { stderr } = await rowkey(['count', 'logs', '--debug', '--url', url], { env })
  expect(stderr).toMatch(/^ +at /m)
  expect(stderr).not.toContain('hunter2')
})

const silent = createServer(() => undefined)
await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
afterAll(() => silent.close())
const { port } = silent.address() as { readonly port: number }

// They wait for most of the time, so they wait together.
test.concurrent.each(['redis://H', 'dynamodb://H', 'cassandra://H/shop', 'hbase://H', 'kudu://H'])(
  'a server that never answers as %s ends with exit code 4',
  async (url) => {
    const { code, stderr } = await rowkey(['count', 'logs', '--url', url.replace('H', `127.0.0.1:${port}`)])
    expect(code).toBe(4)
    expect(stderr).toMatch(/^rowkey: .*(?:no answer within 7 s|did not answer)/)
  },
)
