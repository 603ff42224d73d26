import { expect, test } from 'vitest'
import { project, withTables } from './command.js'

const { rowkey } = project(withTables)

test.each([
  ['cassandra', ['--keyspace', 'shop'], 'CREATE TABLE IF NOT EXISTS "shop"."logs" ('],
  ['cassandra', [], 'CREATE TABLE IF NOT EXISTS "logs" ('],
  ['dynamodb', [], 'aws dynamodb create-table'],
  ['hbase', ['--namespace', 'shop'], "create 'shop:logs', {NAME => 'f'"],
  ['hbase', ['--profile', 'lindorm'], 'lindormSql()'],
  ['kudu', ['--database', 'shop'], 'CREATE TABLE `shop.logs` ('],
  ['redis', [], 'logs: a shard for each bucket of the salt: 16'],
])('%s with %j', async (store, options, text) => {
  const { code, stdout } = await rowkey(['ddl', 'logs', '--store', store, ...options])
  expect(stdout).toContain(text)
  expect(code).toBe(0)
})

test('options of a store change its definition', async () => {
  expect((await rowkey(['ddl', 'orders', '--store', 'redis', '--shards', '7'])).stdout).toContain('7 shards: murmur3(P) mod 7')
})

test('warnings are told on stderr, so that stdout can be run', async () => {
  const { stdout, stderr } = await rowkey(['ddl', 'logs', '--store', 'cassandra'])
  expect(stderr).toMatch(/^logs: 'logs' has 16 partitions/)
  expect(stdout).not.toContain('has 16 partitions')
})

test('all tables are defined without a name, and JSON has statements and warnings', async () => {
  const { store, definitions } = JSON.parse((await rowkey(['ddl', '--store', 'cassandra', '--json'])).stdout) as {
    store: string
    definitions: { table: string; statements: string[]; warnings: { code: string }[] }[]
  }
  expect(store).toBe('cassandra')
  expect(definitions.map(({ table, statements }) => [table, statements.length])).toEqual([
    ['logs', 2],
    ['orders', 2],
    ['events', 2],
  ])
  expect(definitions[0]?.warnings.length).toBeGreaterThan(0)
})

test.each(['memory', 'lmdb'])('%s says that it has no definitions', async (store) => {
  const ended = await rowkey(['ddl', 'logs', '--store', store])
  expect(ended).toMatchObject({ code: 0, stdout: '' })
  expect(ended.stderr).toContain('no table definitions')
})

test.each([
  [['--store', 'redis', '--keyspace', 'x'], /redis has no option keyspace\. It has: shards\./],
  [['--store', 'cassandra', '--keyspace', 'a b'], /INVALID_OPTION: .*keyspace/],
  [['--store', 'redis', '--shards', '5000'], /INVALID_OPTION: .*shards/],
  [['--store', 'kudu', '--hash', '1'], /INVALID_OPTION: .*hash/],
  [['--store', 'mysql'], /Allowed choices are cassandra, dynamodb, hbase, kudu, redis, memory, lmdb/],
  [[], /required option '--store <name>' not specified/],
])('%j is refused', async (options, message) => {
  const ended = await rowkey(['ddl', 'logs', ...options])
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr).toMatch(message)
})
