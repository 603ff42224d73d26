import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, inject, test } from 'vitest'
import { build } from '../setup/build.js'
import '../setup/serve.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const servers = inject('servers')

/** The servers of this run under the names by which users point at theirs. */
function environment(): NodeJS.ProcessEnv {
  const gateway = servers.hbase?.connection
  return {
    ...process.env,
    ROWKEY_REDIS_URL: servers.redis?.connection?.url,
    ROWKEY_DYNAMODB_ENDPOINT: servers.moto?.connection?.endpoint,
    ROWKEY_CASSANDRA_CONTACT_POINTS: servers.cassandra?.connection?.contactPoints.join(','),
    ROWKEY_KUDU_MASTERS: servers.kudu?.connection?.masters.join(','),
    ROWKEY_HBASE_GATEWAY: gateway === undefined ? undefined : `${gateway.host}:${gateway.gateways.unframed}`,
  }
}

const found = [
  ...(servers.redis?.connection === undefined ? [] : ['redis']),
  'dynamodb', // dynalite is always there
  ...(servers.cassandra?.connection === undefined ? [] : ['cassandra']),
  ...(servers.hbase?.connection === undefined ? [] : ['hbase']),
  ...(servers.kudu?.connection === undefined ? [] : ['kudu']),
]
/** No single row of them expires, as the program asks for. */
const refusing = ['kudu']

function run(example: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`${root}examples/dist/${example}/main.js`], {
    encoding: 'utf8',
    env: environment(),
    timeout: 300_000,
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
  return stdout
}

beforeAll(() => build('examples'), 300_000)

test('one program gives the same answers on every store, byte for byte', () => {
  const output = run('swap-the-store')
  const able = ['memory', 'lmdb', ...found.filter((name) => !refusing.includes(name))]
  const hashes = able.map((name) => new RegExp(`^${name} .* 27 +\\d+ +([0-9a-f]{16})( +equal)?$`, 'm').exec(output)?.[1])
  expect(new Set(hashes).size).toBe(1)
  expect(hashes[0]).toMatch(/^[0-9a-f]{16}$/)
  expect(output).toContain(`\n${able.length} stores, 27 answers each: equal.\n`)
  for (const name of found.filter((name) => refusing.includes(name))) {
    expect(output).toContain(
      `\n${name}: left out, NOT_SUPPORTED: ${name} does not let single rows expire: those of 'swap_readings' would be hidden, and stay on the disk.`,
    )
  }
})

test('G-48: orders by buyer, by seller and by number from one model; two services lose no entry', () => {
  const output = run('orders')
  const line = (name: string): string | undefined => new RegExp(`^${name} +(.*)$`, 'm').exec(output)?.[1]
  const facts = '1934442 1918604 1886928  ROW_EXISTS, VALIDATION_FAILED, placed -> shipped is not allowed'
  const able = ['memory', 'lmdb', ...found.filter((name) => !refusing.includes(name))]
  for (const name of able)
    expect(line(name)?.split(/ {2,}/)).toEqual(['120', ...facts.split(/ {2,}/), '0 wrong of 7', '40 of 40', '0 lost, 3 stale'])
  for (const name of found.filter((name) => refusing.includes(name)))
    expect(output).toContain(`\n${name}: left out, NOT_SUPPORTED: ${name} does not let single rows expire: those of 'shop_orders'`)
})

test('G-42 G-43 G-44: logs by host, by event and by time from one model, on every store', () => {
  const output = run('logs')
  for (const name of ['memory', 'lmdb', ...found])
    expect(new RegExp(`^${name} +(.*)$`, 'm').exec(output)?.[1]?.split(/ {2,}/)).toEqual(['600', '591 592 593', '474 470 468', '76', '0'])
})
