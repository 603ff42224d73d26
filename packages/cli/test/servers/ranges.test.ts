import { expect, test } from 'vitest'
import { withServer } from '../../../../test/setup/with-server.js'
import { project } from '../command.js'

const dayMs = 86_400_000
const today = new Date(Math.floor(Date.now() / dayMs) * dayMs)
const day = (by: number): string => new Date(today.getTime() + by * dayMs).toISOString().slice(0, 10)

const modelOf = (keep: number): string => `
import { defineTable } from 'rowkey'
import { kuduHash, text, timestamp } from 'rowkey/codec'
export const Metrics = defineTable('metrics', {
  columns: { host: text(), time: timestamp('ms'), line: text() },
  key: ['host', 'time'],
  salt: kuduHash({ of: 'host', count: 2 }),
  stores: { kudu: { range: { of: 'time', every: 'day', from: '${day(-3)}', ahead: 1, keep: ${keep} } } },
})
`

const { rowkey, write } = project({
  'src/models.ts': modelOf(9),
  'src/shorter.ts': modelOf(1),
  'rowkey.config.json': '{ "models": ["src/models.ts"] }',
})

withServer('kudu', ({ masters }) => {
  const at = ['--url', `kudu://${masters.join(',')}/cli${process.pid}`]

  test('partitions are listed, those of a query counted, and ranges rotated after they were shown', async () => {
    write('rows.ndjson', `{"host":"web-1","time":"${day(0)}T00:00:01.000Z","line":"x"}\n`)
    expect(await rowkey(['import', 'Metrics', 'rows.ndjson', '--create', ...at])).toMatchObject({ code: 0 })
    const listed = await rowkey(['partitions', 'Metrics', '--rows', ...at])
    expect(listed).toMatchObject({ code: 0, stderr: '' })
    expect(listed.stdout.trim().split('\n')).toHaveLength(10)
    expect(listed.stdout).toMatch(
      new RegExp(`bucket [01]  time >= ${day(0)}T00:00:00.000Z and time < ${day(1)}T00:00:00.000Z  on 127.0.0.1:\\d+  \\d+ bytes  1 rows`),
    )

    const pruned = await rowkey([
      'partitions',
      'Metrics',
      `host = web-1 and time >= ${day(-2)}T00:00:00Z and time < ${day(0)}T00:00:00Z`,
      ...at,
    ])
    expect(pruned.stdout).toMatch(/\n2 of 10 partitions are read\.\n$/)
    const json = await rowkey(['partitions', 'Metrics', 'host = web-1', '--json', ...at])
    expect(JSON.parse(json.stdout)).toMatchObject({
      table: 'metrics',
      total: 10,
      partitions: [{ range: { from: { time: `${day(-3)}T00:00:00.000Z` } } }, {}, {}, {}, {}],
    })

    expect(await rowkey(['rotate', 'Metrics', ...at])).toEqual({ code: 0, stdout: "'metrics' has the ranges that it needs.\n", stderr: '' })
    const shown = `- time >= ${day(-3)}T00:00:00.000Z and time < ${day(-2)}T00:00:00.000Z\n- time >= ${day(-2)}T00:00:00.000Z and time < ${day(-1)}T00:00:00.000Z\n`
    expect(await rowkey(['rotate', 'Metrics', '--models', 'src/shorter.ts', ...at])).toEqual({
      code: 0,
      stdout: shown,
      stderr: 'Nothing has changed. Give --yes to do it.\n',
    })
    expect((await rowkey(['partitions', 'Metrics', ...at])).stdout.trim().split('\n')).toHaveLength(10)
    expect(await rowkey(['rotate', 'Metrics', '--models', 'src/shorter.ts', '--yes', ...at])).toEqual({
      code: 0,
      stdout: shown,
      stderr: "'metrics' has these ranges now.\n",
    })
    expect((await rowkey(['partitions', 'Metrics', ...at])).stdout.trim().split('\n')).toHaveLength(6)
    expect((await rowkey(['count', 'Metrics', ...at])).stdout).toBe('1\n')
    expect((await rowkey(['drop', 'Metrics', '--yes', ...at])).code).toBe(0)
  })

  test('a store without ranges says so in one line', async () => {
    expect((await rowkey(['import', 'Metrics', 'rows.ndjson', '--create', '--url', 'lmdb:data'])).code).toBe(0)
    expect(await rowkey(['rotate', 'Metrics', '--url', 'lmdb:data', '--yes'])).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^rowkey: NOT_SUPPORTED: lmdb does not cut tables by ranges.*\n$/) as string,
    })
  })
})
