import { expect, test } from 'vitest'
import { withServer } from '../../../../test/setup/with-server.js'
import { Client } from 'cassandra-driver'
import { project, type Project } from '../command.js'
import { plainRowsOf, rowsOf, sorted, withEverything, withPlain } from '../stored.js'

/** A project, and rows of its table in a file. */
interface Rows extends Project {
  readonly rows: string
}

function filled(files: typeof withEverything, rows: string): Rows {
  const made = project(files)
  made.write('rows.ndjson', rows)
  return { ...made, rows }
}

const everything = filled(withEverything, rowsOf(1200))
const { rowkey } = everything
const prefix = `cli${process.pid}_`

/** Every command on a store: from LMDB to it and back. */
function roundTrip(name: string, url: string, { rowkey, path, rows }: Rows = everything, canReverse = true): void {
  const at = ['--url', url, '--prefix', prefix]

  test(`rows of all types go to ${name} and back to LMDB, with their expiry, by export, import and copy`, async () => {
    const back = `lmdb:${name}`
    expect(await rowkey(['import', 'everything', 'rows.ndjson', '--create', ...at])).toMatchObject({
      code: 0,
      stderr: "1200 rows written to 'everything'\n",
    })
    expect(await rowkey(['tables', ...at])).toMatchObject({ code: 0, stdout: '✓ everything\n' })
    expect((await rowkey(['count', 'everything', ...at])).stdout).toBe('1200\n')
    const there = await rowkey(['export', 'everything', ...at, '--output', `${name}.ndjson`, '--checkpoint', `${name}.json`])
    expect(there).toMatchObject({ code: 0, stderr: `${name}.ndjson: 1200 rows\n` })
    expect((await rowkey(['import', 'everything', path(`${name}.ndjson`), '--create', '--url', back])).code).toBe(0)
    expect(sorted((await rowkey(['export', 'everything', '--url', back])).stdout)).toEqual(sorted(rows))
    const copied = await rowkey(['copy', 'everything', ...at, '--to', back, '--to-prefix', 'copied_', '--create', '--json'])
    expect(copied.stdout).toMatch(/"rows":1200,"digest"/)
    expect((await rowkey(['export', 'everything', '--url', back, '--prefix', 'copied_'])).stdout).toBe(
      (await rowkey(['export', 'everything', '--url', back])).stdout,
    )
    const key = ['host=web-1', 'at=2026-01-01T00:00:01.001Z', 'n=1']
    expect((await rowkey(['get', 'everything', ...key, ...at])).stdout).toBe(
      (await rowkey(['get', 'everything', ...key, '--url', back])).stdout,
    )
    const scan = ['scan', 'everything', 'host = web-2', ...(canReverse ? ['--reverse'] : [])]
    expect((await rowkey([...scan, ...at])).stdout).toBe((await rowkey([...scan, '--url', back])).stdout)
    expect((await rowkey(['drop', 'everything', '--yes', ...at])).code).toBe(0)
    expect(await rowkey(['tables', ...at])).toMatchObject({ code: 1, stdout: '- everything: there is no table\n' })
  })
}

withServer('redis', ({ url }) => {
  roundTrip('redis', url)
  test('a password that the server does not take, or that is missing: one line without it', async () => {
    const { code, stdout, stderr } = await rowkey(['count', 'everything', '--url', url], {
      env: { REDIS_USERNAME: 'ann', REDIS_PASSWORD: 'hunter2' },
    })
    expect(stderr).toMatch(/^rowkey: redis:.* cannot be opened: WRONGPASS.*\n$/)
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' })
    const debug = await rowkey(['count', 'everything', '--url', url, '--debug'], { env: { REDIS_PASSWORD: 'hunter2' } })
    expect(debug.stdout + debug.stderr).not.toContain('hunter2')
  })
})
withServer('dynalite', ({ endpoint }) => {
  const { host } = new URL(endpoint)
  roundTrip('dynamodb', `dynamodb://${host}?region=us-east-1&transactions=false&nativeTtl=false`)
})
withServer('cassandra', ({ contactPoints, localDataCenter }) => {
  const url = `cassandra://${contactPoints.join(',')}`
  test('a keyspace that does not exist: one line', async () => {
    const { code, stderr } = await rowkey(['count', 'everything', '--url', `${url}/rowkey_nowhere?datacenter=${localDataCenter}`])
    expect(stderr).toMatch(/^rowkey: .*Keyspace 'rowkey_nowhere' does not exist\.\n$/)
    expect(code).toBe(4)
    const client = new Client({ contactPoints: [...contactPoints], localDataCenter })
    await client.execute(`CREATE KEYSPACE IF NOT EXISTS rowkey_cli WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}`)
    await client.shutdown()
  })
  roundTrip('cassandra', `${url}/rowkey_cli?datacenter=${localDataCenter}`)
})
withServer('hbase', ({ host, gateways }) => {
  roundTrip('hbase', `hbase://${host}:${gateways.unframed}`)
  test('another transport than that of the gateway: exit code 4', async () => {
    const { code, stderr } = await rowkey(['count', 'everything', '--url', `hbase://${host}:${gateways.unframed}?transport=http`])
    expect(stderr).toMatch(/^rowkey: .+\n$/)
    expect(code).toBe(4)
  })
})
withServer('kudu', ({ masters }) => {
  const plain = filled(withPlain, plainRowsOf(1200))
  const url = `kudu://${masters.join(',')}/cli`
  roundTrip('kudu', url, plain, false)

  test('what Kudu does not have is refused before anything is sent, with what to do instead', async () => {
    const create = await rowkey(['import', 'everything', 'rows.ndjson', '--create', '--url', url])
    expect(create.stderr).toMatch(/^rowkey: NOT_SUPPORTED: .*kudu.*\n$/)
    expect(create).toMatchObject({ code: 3, stdout: '' })
    const reverse = await plain.rowkey(['scan', 'everything', 'host = web-2', '--reverse', '--url', url])
    expect(reverse.stderr).toMatch(/^rowkey: NOT_SUPPORTED: kudu cannot scan 'everything' backwards\. .*\n$/)
  })

  test('copies from LMDB to it, and verifies each row', async () => {
    const to = ['--to', url, '--to-prefix', `copied${prefix}`, '--create', '--json']
    expect((await plain.rowkey(['import', 'everything', 'rows.ndjson', '--create', '--url', 'lmdb:from'])).code).toBe(0)
    const { code, stdout } = await plain.rowkey(['copy', 'everything', '--url', 'lmdb:from', ...to])
    expect(code).toBe(0)
    expect(stdout).toMatch(/"rows":1200,"digest"/)
    const at = ['--url', url, '--prefix', `copied${prefix}`]
    expect(sorted((await plain.rowkey(['export', 'everything', ...at])).stdout)).toEqual(sorted(plain.rows))
    expect((await plain.rowkey(['drop', 'everything', '--yes', ...at])).code).toBe(0)
  })
})
