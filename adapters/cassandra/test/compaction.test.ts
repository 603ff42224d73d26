import { cassandra, cassandraStore } from '@rowkey/cassandra'
import { createMapper, defineTable, desc, text, timestamp, uint32, type TableSchema } from 'rowkey'
import { period, type Every } from 'rowkey/codec'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { clientOf, connect, type Connected } from './connected.js'

const columns = { host: text(), at: desc(timestamp('ms')), seq: uint32(), line: text() }

/** A table with a period in its partitions, or with none. */
const logs = (every: Every | undefined, ttl: string | undefined, cassandra: object = {}, name = 'logs'): TableSchema =>
  defineTable(name, {
    columns: { ...columns, ...(every === undefined ? {} : { begin: period(every, { of: 'at' }) }) },
    partition: every === undefined ? ['host'] : ['host', 'begin'],
    key: ['at', 'seq'],
    writes: 'plain',
    ...(ttl === undefined ? {} : { ttl }),
    stores: { cassandra },
  } as never)

const optionsOf = (schema: TableSchema): string => {
  const [, statement = ''] = cassandraStore.ddl(schema).statements
  return statement.split('"seq" ASC)')[1] ?? expect.fail(statement)
}
const windowOf = (schema: TableSchema): string => {
  const [, unit, size] = /^\s+AND compaction = \{'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': '(\w+)', 'compaction_window_size': '(\d+)'\}$/.exec(optionsOf(schema)) ?? [] // prettier-ignore
  return `${size ?? 'no window'} ${unit ?? ''}`.trim()
}

test('a table with a ttl and a period has 20 to 30 windows, of whole periods if they fit', () => {
  const expected: readonly (readonly [Every, string, string])[] = [
    ['day', '90d', '3 DAYS'], // the example of Cassandra's documentation
    ['day', '30d', '1 DAYS'],
    ['day', '45d', '2 DAYS'],
    ['day', '365d', '13 DAYS'],
    ['day', '31d', '36 HOURS'],
    ['day', '14d', '12 HOURS'],
    ['day', '7d', '6 HOURS'],
    ['hour', '24h', '1 HOURS'],
    ['hour', '30d', '1 DAYS'],
    ['hour', '1h', '2 MINUTES'],
    ['week', '26w', '7 DAYS'],
    ['week', '90d', '3 DAYS'],
    ['month', '365d', '14 DAYS'],
    ['month', '3650d', '150 DAYS'],
    ['year', '3650d', '126 DAYS'],
  ]
  expect(expected.map(([every, ttl]) => [every, ttl, windowOf(logs(every, ttl))])).toEqual(expected)
  const lengths = { DAYS: 1440, HOURS: 60, MINUTES: 1 }
  for (const every of ['hour', 'day', 'week', 'month', 'year'] as const)
    for (let minutes = 20; minutes < 10_000_000; minutes = Math.ceil(minutes * 1.37)) {
      const [size, unit] = windowOf(logs(every, `${minutes}m`)).split(' ') as [string, keyof typeof lengths]
      const windows = minutes / (Number(size) * lengths[unit])
      expect(windows, `${every} ${minutes}m: ${size} ${unit}`).toBeGreaterThanOrEqual(minutes < 600 ? 10 : 20)
      expect(windows, `${every} ${minutes}m: ${size} ${unit}`).toBeLessThanOrEqual(30)
    }
})

test('no window without a ttl, without a period in the partition, or for rows that live longer than a time to live can be', () => {
  expect(windowOf(logs('day', undefined))).toBe('no window')
  expect(windowOf(logs('day', 'never'))).toBe('no window')
  expect(windowOf(logs(undefined, '30d'))).toBe('no window')
  expect(windowOf(logs('year', '7300d'))).toBe('365 DAYS')
  expect(windowOf(logs('year', '7301d'))).toBe('no window')
  const Behind = defineTable('logs', {
    columns: { ...columns, day: period('day', { of: 'at' }) },
    partition: ['host'],
    key: ['day', 'at', 'seq'],
    ttl: '30d',
  })
  expect(windowOf(Behind)).toBe('no window')
})

test('what the model says goes before the default', () => {
  expect(windowOf(logs('day', '30d', { compactionWindow: '3d' }))).toBe('3 DAYS')
  expect(windowOf(logs('day', '30d', { compactionWindow: '90m' }))).toBe('90 MINUTES')
  expect(windowOf(logs(undefined, undefined, { compactionWindow: '1w' }))).toBe('7 DAYS')
  expect(windowOf(logs('day', '90d', { compaction: 'TimeWindow' }))).toBe('3 DAYS')
  expect(optionsOf(logs('day', '30d', { compactionWindow: false }))).toBe('')
  expect(optionsOf(logs('day', '30d', { compaction: 'Leveled' }))).toBe("\n  AND compaction = {'class': 'LeveledCompactionStrategy'}")
  expect(optionsOf(logs('day', '30d', { compaction: 'TimeWindow', compactionWindow: false }))).toBe(
    "\n  AND compaction = {'class': 'TimeWindowCompactionStrategy'}",
  )
  expect(optionsOf(logs('day', '90d', { gcGraceSeconds: 3600 }))).toMatch(/'3'}\n {2}AND gc_grace_seconds = 3600$/)
})

test.each([
  [{ compactionWindow: '3 days' }, '"3 days"'],
  [{ compactionWindow: '90s' }, '"90s"'],
  [{ compactionWindow: 3 }, '3'],
  [{ compactionWindow: true }, 'true'],
  [{ compactionWindow: null }, 'null'],
  [{ compaction: 'Leveled', compactionWindow: '3d' }, '"3d"'],
])('INVALID_OPTION: %j', (given, shown) => {
  const message = `INVALID_OPTION: in the model of 'logs', stores.cassandra.compactionWindow cannot be ${shown}. Give whole minutes, hours or days, such as '3d', with compaction 'TimeWindow' or none; or false, so that the server chooses.`
  expect(() => cassandraStore.ddl(logs('day', '30d', given))).toThrow(message)
})

withServer('cassandra', (connection) => {
  let server: Connected
  beforeAll(async () => {
    server = await connect(connection)
  })
  afterAll(() => server.dispose())

  async function stored(name: string): Promise<Readonly<Record<string, unknown>>> {
    const query = 'SELECT compaction, default_time_to_live FROM system_schema.tables WHERE keyspace_name = ? AND table_name = ?'
    const { rows } = await server.client.execute(query, [server.keyspace, name], { prepare: true })
    const [found] = rows
    expect(found?.['default_time_to_live']).toBe(0) // rows have times of their own
    return found?.['compaction'] as Readonly<Record<string, unknown>>
  }
  const windowed = (unit: string, size: string) => ({
    class: expect.stringMatching(/\.TimeWindowCompactionStrategy$/) as string,
    compaction_window_unit: unit,
    compaction_window_size: size,
  })

  test('the server has the windows of the definition', async () => {
    const db = createMapper(server.adapter)
    const models = [
      logs('day', '90d', {}, 'w_days'),
      logs('hour', '1h', {}, 'w_minutes'),
      logs('day', '31d', {}, 'w_hours'),
      logs('day', '90d', { compactionWindow: false }, 'w_none'),
    ]
    await db.ensureTables(models)
    expect(await stored('w_days')).toMatchObject(windowed('DAYS', '3'))
    expect(await stored('w_minutes')).toMatchObject(windowed('MINUTES', '2'))
    expect(await stored('w_hours')).toMatchObject(windowed('HOURS', '36'))
    expect(await stored('w_none')).not.toHaveProperty('compaction_window_size')
  })

  test('a table that exists keeps its compaction, whatever the model says', async () => {
    await createMapper(server.adapter).ensureTables([logs('day', '90d', {}, 'kept')])
    const client = clientOf(connection)
    const other = createMapper(cassandra(client, { keyspace: server.keyspace }))
    await other.ensureTables([logs('day', '30d', { compaction: 'Leveled' }, 'kept')])
    await other.ensureTables([logs('day', '30d', { compactionWindow: '1d' }, 'kept')])
    expect(await stored('kept')).toMatchObject(windowed('DAYS', '3'))
    await server.client.execute(`ALTER TABLE ${server.keyspace}.kept WITH compaction = {'class': 'LeveledCompactionStrategy'}`)
    await other.ensureTables([logs('day', '90d', {}, 'kept')])
    expect((await stored('kept'))['class']).toMatch(/\.LeveledCompactionStrategy$/)
    await client.shutdown()
  })
})
