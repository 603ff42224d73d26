import { expect, test } from 'vitest'
import stringWidth from 'string-width'
import { project, withTables } from './command.js'

const { rowkey } = project(withTables)

test('a query is shown as explain() shows it, with its limit', async () => {
  expect(await rowkey(['explain', 'logs', 'host = web-1 and at >= 2026-01-01', '--order', 'at desc', '--limit', '10'])).toEqual({
    code: 0,
    stdout: `SCAN logs, ordered by (host asc, at desc)
├ where host = "web-1" and at >= 2026-01-01T00:00:00.000Z
├ 2 of 2 key columns narrow the read
├ 1 range in 1 of 16 buckets
│   bucket 12  from 0c7765622d310000  to 0c7765622d…00007ffffe64892558
└ no filter after reading
  reading stops after 10 rows
`,
    stderr: '',
  })
})

test('what hurts is wrapped at 80 columns, and that of a store is added', async () => {
  const { stdout } = await rowkey(['explain', 'logs', "host like 'web%' and line = x", '--store', 'cassandra', '--reverse'])
  expect(stdout).toContain("! It reads 16 of 16 buckets, because the salt needs 'host'")
  expect(stdout).toContain("! cassandra: 'logs' has 16 partitions")
  expect(stdout).toContain('ordered by (host desc, at asc)')
  expect(stdout.split('\n').filter((line) => stringWidth(line) > 80)).toEqual([])
})

test('JSON has the explanation as data', async () => {
  const { stdout } = await rowkey(['explain', 'logs', 'host = web-1', '--json', '--limit', '5', '--store', 'redis'])
  expect(JSON.parse(stdout)).toMatchObject({
    rowkey: 1,
    explanation: { kind: 'SCAN', table: 'logs', buckets: { read: 1, of: 16 } },
    limit: 5,
    store: 'redis',
    storeWarnings: expect.any(Array) as unknown,
  })
})

test.each([
  [['logs', 'at >= 2026-01-01'], 'FULL_SCAN_REFUSED'],
  [['logs'], 'FULL_SCAN_REFUSED'],
  [['orders', 'day = 2026-01-01'], 'PARTITION_REQUIRED'],
  [['logs', 'host = a', '--order', 'line asc'], 'ORDER_UNAVAILABLE'],
  [['logs', 'host > a', '--max-fan-out', '2'], 'FAN_OUT_EXCEEDED'],
])('%j is refused with exit code 3: %s', async (args, code) => {
  const ended = await rowkey(['explain', ...args])
  expect(ended).toMatchObject({ code: 3, stdout: '' })
  expect(ended.stderr).toMatch(new RegExp(`^rowkey: ${code}: .+\\.\n`))
  expect(ended.stderr).not.toMatch(/^ +at /m)
})

test('a full scan is explained if it is asked for, and the message says how', async () => {
  expect((await rowkey(['explain', 'logs'])).stderr).toContain('--unbounded')
  expect((await rowkey(['explain', 'logs', '--unbounded'])).stdout).toMatch(/^FULL SCAN logs/)
})

test('a mistake in the conditions is marked, with exit code 2', async () => {
  expect(await rowkey(['explain', 'logs', 'host = web-1 and at >= 2026-13-01'])).toEqual({
    code: 2,
    stdout: '',
    stderr: `rowkey: column 'at' cannot hold "2026-13-01". Give an instant, such as 2026-01-31T12:00:00Z, or a number of units since 1970.
  host = web-1 and at >= 2026-13-01
                         ^
`,
  })
})
