import { bucket, defineTable, int64, json, nullable, text, timestamp, uint32, bytes } from 'rowkey'
import { expect, test } from 'vitest'
import { project } from './command.js'

const tables = [
  defineTable('logs', { columns: { at: timestamp('ms'), host: text(), event: text() }, key: ['at', 'host', 'event'] }),
  defineTable('readings', { columns: { id: uint32(), value: text() }, key: ['id'], salt: bucket({ of: 'id', modulo: 16 }) }),
  defineTable('users', { columns: { id: text(), name: text() }, key: ['id'] }),
]
const { rowkey, write } = project({ 'models.json': JSON.stringify(tables), 'rowkey.config.json': '{ "models": ["models.json"] }' })

const steps = Array.from({ length: 1000 }, (_, i) => i * 8)
write('steps.ndjson', steps.map((id) => JSON.stringify({ id, value: 'x', other: [1] })).join('\n'))
write('steps.csv', `id,value\n${steps.map((id) => `${id},"x, ""y""\nz"`).join('\n')}\n`)

interface Json {
  readonly rowkey: number
  readonly findings: readonly { readonly table: string; readonly code: string; readonly severity: string; readonly evidence: string }[]
  readonly ignored: readonly { readonly code: string; readonly reason: string }[]
}
const jsonOf = async (...args: readonly string[]): Promise<Json> => JSON.parse((await rowkey(['lint', '--json', ...args])).stdout) as Json
const codes = async (...args: readonly string[]): Promise<readonly string[]> =>
  (await jsonOf(...args)).findings.map(({ table, code }) => `${table} ${code}`)

test('findings are told with numbers and fixes, in 80 columns, and the exit code says that there are some', async () => {
  const { code, stdout, stderr } = await rowkey(['lint', 'logs'])
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  expect(stdout).toBe(`logs
  ▲ warning  monotonic-first  at
    a time in ms; all new rows go to 1 place
    'at' is the first key column and counts up, so new rows follow one another
      and one server takes all writes of a moment. That matters from 100 new
      rows a second on.
    Fix: Spread it with salt: bucket({ of: ['host', 'event'], count: 16 }).
    Guides: G-30 G-31

1 table: 1 warning
`)
  expect(await rowkey(['lint', 'users'])).toEqual({ code: 0, stdout: '✓ 1 table: nothing to say\n', stderr: '' })
})

test.each([
  ['error', 0],
  ['warning', 1],
  ['info', 1],
  ['never', 0],
])('--fail-on %s: exit code %d with a warning', async (severity, code) => {
  expect((await rowkey(['lint', 'logs', '--fail-on', severity])).code).toBe(code)
})

test('queries of a file and of the config are planned', async () => {
  write('queries.json', JSON.stringify([{ table: 'logs', where: { event: '=' } }]))
  expect(await codes('--queries', 'queries.json')).toContain('logs full-scan')
  write('load.json', JSON.stringify({ writes: [{ table: 'logs', perSecond: { inserts: 5000 } }], store: 'dynamodb' }))
  expect(await codes('--queries', 'load.json')).toContain('logs one-partition')
  const lint = { queries: [{ table: 'users', where: { name: '=' } }], ignore: [{ code: 'monotonic-first', reason: 'ten rows a day' }] }
  write('with-lint.json', JSON.stringify({ models: ['models.json'], lint }))
  const { findings, ignored } = await jsonOf('--config', 'with-lint.json', '--queries', 'queries.json')
  expect(findings.map(({ table, code }) => `${table} ${code}`)).toEqual(['logs full-scan', 'users full-scan'])
  expect(ignored).toMatchObject([{ code: 'monotonic-first', reason: 'ten rows a day' }])
  expect((await rowkey(['lint', 'logs', '--config', 'with-lint.json'])).stdout).toContain(
    'logs: monotonic-first is ignored: ten rows a day\n',
  )
  // What is about a table that is not asked for is left out.
  expect(await codes('logs', '--config', 'with-lint.json')).toEqual([])
})

test.each(['steps.ndjson', 'steps.csv'])('a sample in %s shows buckets that no row uses', async (file) => {
  const [finding] = (await jsonOf('readings', '--sample', file)).findings
  expect(finding).toMatchObject({
    code: 'unused-buckets',
    evidence: '2 of 16 buckets used by 1,000 sampled rows, the fullest by 50 %',
  })
  expect(await codes('--sample', `readings=${file}`)).toContain('readings unused-buckets')
})

test('a sample has values of every sort, as text or as JSON', async () => {
  const Odd = defineTable('odd', {
    columns: { at: timestamp('us'), n: int64(), b: bytes(), note: nullable(text()), data: json() },
    key: ['at', 'n', 'b', 'note'],
  })
  write('odd.json', JSON.stringify(Odd))
  const row = (i: number): object => ({
    at: `2026-01-01T00:00:00.00000${i % 10}Z`,
    n: i,
    b: '0xff',
    note: i === 0 ? null : 'x',
    data: { a: [i] },
  })
  write('odd.ndjson', Array.from({ length: 10 }, (_, i) => JSON.stringify(row(i))).join('\r\n'))
  expect(await rowkey(['lint', '--models', 'odd.json', '--sample', 'odd.ndjson'])).toMatchObject({ code: 1, stderr: '' })
  write('odd.csv', 'at,n,b,note,data\n5,-7,ff,,null\n')
  expect(await rowkey(['lint', '--models', 'odd.json', '--sample', 'odd.csv'])).toMatchObject({ code: 1, stderr: '' })
})

test('--store adds the warnings of its definition, and limits of the store', async () => {
  expect(await codes('--store', 'redis')).toContain('users one-shard')
  expect(await codes('--store', 'lindorm')).toContain('users one-region')
  expect(await codes('--store', 'kudu')).toContain('users kudu-no-partitions')
  expect(await codes('--store', 'lmdb')).not.toContain('logs monotonic-first')
})

test('--existing finds changes that no store can make', async () => {
  const [, readings] = tables
  const other = { ...readings?.toJSON(), salt: [{ kind: 'modulo', of: ['id'], count: 32 }] }
  write('released.json', JSON.stringify(other))
  const { code, stdout } = await rowkey(['lint', 'readings', '--existing', 'released.json', '--fail-on', 'error'])
  expect(code).toBe(1)
  expect(stdout).toContain('✗ error  salt-changed\n    the table has bucket(id; modulo 32), the model bucket(id; modulo 16)')
})

test('--fix prints the changed models as code, says why on stderr, and edits nothing', async () => {
  const { code, stdout, stderr } = await rowkey(['lint', 'logs', '--fix'])
  expect(code).toBe(1)
  expect(stdout).toBe(`import { bucket, defineTable, text, timestamp } from 'rowkey'

export const Logs = defineTable('logs', {
  columns: {
    at: timestamp('ms'),
    host: text(),
    event: text(),
  },
  key: ['at', 'host', 'event'],
  salt: bucket({ of: ['host', 'event'], count: 16 }),
})
`)
  expect(stderr).toBe("logs: monotonic-first: Spread it with salt: bucket({ of: ['host', 'event'],\n  count: 16 }).\n")
  write('fixed.ts', stdout)
  expect(await rowkey(['lint', '--models', 'fixed.ts'])).toMatchObject({ code: 0 })
  expect(await rowkey(['lint', 'users', '--fix'])).toEqual({
    code: 0,
    stdout: '',
    stderr: 'There is nothing that could be fixed by a change of a model.\n',
  })
})

test('--fix keeps indexes, changes those that are hot, and adds those that queries need', async () => {
  const columns = { id: text(), at: timestamp('ms'), host: text() }
  const Events = defineTable('events', { columns, key: ['id'], indexes: { byTime: { key: ['at'] } } })
  write('events.json', JSON.stringify([Events, ...tables]))
  write('by-host.json', JSON.stringify([{ table: 'events', where: { host: '=' } }]))
  const { stdout, stderr } = await rowkey(['lint', 'events', '--models', 'events.json', '--queries', 'by-host.json', '--fix'])
  expect(stdout).toContain(`  indexes: {
    byTime: { key: ['at'], salt: bucket({ of: 'id', count: 16 }) },
    byHost: { partition: ['host'], key: [] },
  },
`)
  expect(stderr).toContain('events: full-scan: ')
  expect(stderr).toContain('events_byTime: monotonic-first: ')
  write('events-fixed.ts', stdout)
  expect(await rowkey(['lint', '--models', 'events-fixed.ts', '--queries', 'by-host.json'])).toMatchObject({ code: 0 })
})

test('a query in a file can name an index, and one that is unknown is refused', async () => {
  const columns = { id: text(), host: text() }
  const Events = defineTable('events', { columns, key: ['id'], indexes: { byHost: { partition: ['host'], key: [] } } })
  write('indexed.json', JSON.stringify([Events, ...tables]))
  const asked = async (index: string): ReturnType<typeof rowkey> => {
    write(
      'by-index.json',
      JSON.stringify([
        { table: 'events', where: { host: '=' }, index },
        { table: 'events_byHost', where: { host: '=' } },
      ]),
    )
    return rowkey(['lint', 'events', '--models', 'indexed.json', '--queries', 'by-index.json'])
  }
  expect(await asked('byHost')).toMatchObject({ code: 0, stderr: '' })
  const refused = await asked('byHots')
  expect(refused.code).not.toBe(0)
  expect(refused.stderr).toContain('index is "byHots". Did you mean "byHost"?')
  // What is asked of the entries of a table that is not judged is left out, as what is asked of itself.
  write('by-index.json', JSON.stringify([{ table: 'events_byHost', where: { host: '=' } }]))
  expect(await rowkey(['lint', 'users', '--models', 'indexed.json', '--queries', 'by-index.json'])).toMatchObject({ code: 0 })
})

test('--fix keeps the order that queries want, also if they say reverse', async () => {
  const Visits = defineTable('visits', { columns: { page: text(), at: timestamp('ms') }, key: ['page', 'at'] })
  write('visits.json', JSON.stringify(Visits))
  write('reverse.json', JSON.stringify([{ table: 'visits', where: { page: '=' }, order: 'reverse', limit: 20, perSecond: 100 }]))
  const { code, stdout, stderr } = await rowkey(['lint', '--models', 'visits.json', '--queries', 'reverse.json', '--fix'])
  expect(code).toBe(1)
  expect(stdout).toContain("at: desc(timestamp('ms'))")
  expect(stderr).toMatch(/declare 'at' with desc\(\)\./)
})

test('servers without a store are refused, and so are the words of earlier versions', async () => {
  expect(await rowkey(['lint', '--servers', '6'])).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no store') })
  expect(await rowkey(['lint', '--before', 'models.json'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--before') })
})

test('findings have the file and the line of the column, or of the table', async () => {
  write('src/all.ts', `import { Column, defineTable, KeyColumn, Table, text, timestamp } from 'rowkey'

export const First = defineTable('first', {
  columns: { at: timestamp('ms'), host: text() },
  key: ['at', 'host'],
})

@Table('second')
export class Second {
  @Column(text()) v!: string
  @KeyColumn(1, timestamp('ms'))
  at!: Date
  @KeyColumn(2, text()) host!: string
}
`) // prettier-ignore
  const { stdout } = await rowkey(['lint', '--models', 'src/all.ts', '--format', 'github', '--store', 'hbase'])
  const places = [...stdout.matchAll(/file=([^,]+),line=(\d+),title=rowkey monotonic-first/g)].map(
    ([, file, line]) => `${file ?? ''}:${line ?? ''}`,
  )
  expect(places).toEqual(['src/all.ts:4', 'src/all.ts:12'])
})

test('--fix prints a class for a class, and other code for what defineTable() returns', async () => {
  write('class.ts', `import { Column, Index, KeyColumn, nullable, Table, text, timestamp, Ttl, uint32, Version } from 'rowkey'

@Table('visits', { stores: { redis: { shards: 4 } } })
@Ttl('30d')
@Index('byHost', { key: ['host'] })
export class Visit {
  @KeyColumn(1, timestamp('ms')) at!: Date
  @KeyColumn(2, text()) host!: string
  @Column(nullable(uint32())) 'odd-name'!: number | null
  @Version() v!: string
}
`) // prettier-ignore
  const { stdout } = await rowkey(['lint', '--models', 'class.ts', '--fix', '--store', 'hbase'])
  expect(stdout).toMatch(
    /^import \{ Bucket, Column, Index, KeyColumn, Table, Ttl, Version, nullable, text, timestamp, uint32 \} from 'rowkey'\n/,
  )
  expect(stdout).toContain("\n@Bucket({ of: ['host'], count: 16 })\n".replace("['host']", "'host'"))
  expect(stdout).toContain('\nexport class Visit {\n')
  write('fixed-class.ts', stdout)
  const schemaIn = async (file: string): Promise<Record<string, unknown>> => {
    const { layouts } = JSON.parse((await rowkey(['layout', '--models', file, '--json'])).stdout) as {
      layouts: { schema: Record<string, unknown> }[]
    }
    return layouts[0]?.schema ?? {}
  }
  const [before, after] = [await schemaIn('class.ts'), await schemaIn('fixed-class.ts')]
  expect(after['salt']).not.toEqual(before['salt'])
  const { redis } = after['stores'] as { readonly redis: object }
  expect({ ...after, salt: [], indexes: [], stores: { redis } }).toEqual({ ...before, salt: [], indexes: [] })
  expect(await rowkey(['lint', '--models', 'class.ts', '--fix', '--format', 'github'])).toMatchObject({ code: 2, stderr: /has no effect/ })
})

test('--format sarif is a log with rules, levels, files and suppressions', async () => {
  write('quiet.json', JSON.stringify({ models: ['models.json'], lint: { ignore: [{ code: 'modulo-seconds', reason: 'meant' }, { code: 'monotonic-first', table: 'logs', reason: 'few rows' }] } })) // prettier-ignore
  const log = JSON.parse(
    (await rowkey(['lint', '--config', 'quiet.json', '--format', 'sarif', '--sample', 'readings=steps.ndjson'])).stdout,
  ) as {
    runs: [
      {
        tool: { driver: { rules: { id: string }[] } }
        results: { ruleId: string; ruleIndex: number; level: string; suppressions?: object[] }[]
      },
    ]
  }
  const [{ tool, results }] = log.runs
  for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex]).toEqual({ id: ruleId })
  expect(results.map(({ ruleId, level, suppressions }) => [ruleId, level, suppressions?.length ?? 0])).toEqual([
    ['unused-buckets', 'warning', 0],
    ['unused-ignore', 'note', 0],
    ['monotonic-first', 'warning', 1],
  ])
  expect(JSON.stringify(results)).toContain('"uri":"models.json"},"region":{"startLine":1}')
})

test('--format github is one workflow command a finding, escaped', async () => {
  const { stdout } = await rowkey(['lint', 'readings', '--sample', 'steps.csv', '--format', 'github'])
  expect(stdout).toMatch(/^::warning file=models\.json,line=1,title=rowkey unused-buckets::readings: 2 of 16 buckets used by 1,000 sampled rows, the fullest by 50 %25\. .*\n$/) // prettier-ignore
})

test.each([
  [['--queries', 'none.json'], 'none.json cannot be read: it does not exist.'],
  [['--queries', 'steps.csv'], 'steps.csv is no JSON: '],
  [['--sample', 'steps.csv'], '--sample steps.csv: there are 3 tables. Give TABLE=FILE, or the name of one table.'],
  [['readings', '--sample', 'none.csv'], 'none.csv cannot be read: it does not exist.'],
  [['logs', '--sample', 'steps.csv'], "steps.csv has no column 'at', which is in the key of 'logs'."],
  [['readings', '--sample', 'models.json'], 'models.json:1: it is a list of 3, not an object with a row.'],
  [['--store', 'mongodb'], "option '--store <name>' argument 'mongodb' is invalid."],
  [['nothing'], "there is no model 'nothing'. There are: logs, readings, users."],
])('exit code 2, a message and no stack: lint %j', async (args, message) => {
  const { code, stdout, stderr } = await rowkey(['lint', ...args])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(message)
  expect(stderr).not.toMatch(/^ +at /m)
})

test.each([
  ['{ "queries": [{ "table": "logz", "where": {} }] }', 'queries name the table "logz"'],
  ['{ "queries": [{ "table": "logs", "where": { "at": "between" } }] }', 'where.at is "between"'],
  [
    '{ "query": [] }',
    'has "query", which does not exist. Did you mean "queries"? There are: queries, writes, ignore, stats, samples, store, storeOptions, servers, kudu.',
  ],
  ['{ "queries": 5 }', 'queries is 5. Give a list of objects.'],
  ['{ "store": "mongodb" }', "there is no store 'mongodb'."],
  ['{ "ignore": [{ "code": "filter" }] }', 'Say why'],
  ['5', 'is 5. Give { queries: [...] }, or a list of queries.'],
])('exit code 2: --queries with %s', async (text, message) => {
  write('wrong.json', text)
  const { code, stderr } = await rowkey(['lint', '--queries', 'wrong.json'])
  expect(stderr).toContain(message)
  expect(code).toBe(2)
})

test.each([
  ['{"id":"x"}', 'bad.ndjson:1: column \'id\' cannot hold "x".'],
  ['{"id":1}\n\n{"id":9007199254740993}', "bad.ndjson:3: column 'id' has the number 9007199254740992, which JSON does not say exactly."],
  ['{"id":1}\n[]', 'bad.ndjson:2: it is a list of 0, not an object with a row.'],
  ['{"id":1}\nid', 'bad.ndjson:2: it is no JSON'],
  ['', 'bad.ndjson has no row.'],
])('exit code 2: a sample with %j names its line', async (text, message) => {
  write('bad.ndjson', text)
  const { code, stderr } = await rowkey(['lint', 'readings', '--sample', 'bad.ndjson'])
  expect(stderr).toContain(message)
  expect(code).toBe(2)
})

test.each<[object, RegExp]>([
  [{ querys: [] }, /has "querys", which does not exist\. Did you mean "queries"\?/],
  [{ queries: [{ table: 'logs', where: {}, persecond: 5 }] }, /the field "persecond", which does not exist\. Did you mean "perSecond"\?/],
  [{ queries: [{ table: 'logs', where: { hots: '=' } }] }, /the column "hots", which does not exist\. Did you mean "host"\?/],
  [{ writes: [{ table: 'readings', perSecond: { insert: 5 } }] }, /the field "insert", which does not exist\. Did you mean "inserts"\?/],
  [{ samples: [{ table: 'readings', row: [] }] }, /samples have "row", which does not exist\. Did you mean "rows"\?/],
  [{ store: 'kudu', kudu: { encoding: {} } }, /the field "encoding", which does not exist\. Did you mean "encodings"\?/],
  [{ ignore: [{ code: 'filter', reason: 'x', tables: 'logs' }] }, /the field "tables", which does not exist\. Did you mean "table"\?/],
])('a misspelt field is a usage error, in a file and in the config, also of a table that is not asked for: %j', async (given, message) => {
  write('misspelt.json', JSON.stringify(given))
  write('misspelt.config.json', JSON.stringify({ models: ['models.json'], lint: given }))
  for (const args of [
    ['--queries', 'misspelt.json'],
    ['--config', 'misspelt.config.json'],
  ]) {
    const { code, stdout, stderr } = await rowkey(['lint', 'logs', ...args])
    expect(stderr).toMatch(message)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  }
})

test('samples, options of the store and what only Kudu has are in a file or the config, also of tables that are not asked for', async () => {
  const rows = Array.from({ length: 200 }, (_, i) => ({ id: 8 * i }))
  const lint = {
    store: 'kudu',
    storeOptions: { hash: 4 },
    kudu: { ranges: { logs: { column: 'at', bounds: [[0, 10], [5, 20]] } }, encodings: { readings: { id: 'dictionary' } } }, // prettier-ignore
    samples: [{ table: 'readings', rows, total: 1000, order: 'written' }],
  }
  write('all.json', JSON.stringify(lint))
  write('all.config.json', JSON.stringify({ models: ['models.json'], lint }))
  for (const args of [
    ['--queries', 'all.json'],
    ['--config', 'all.config.json'],
  ]) {
    expect(await codes(...args)).toEqual(expect.arrayContaining(['logs kudu-ranges', 'readings kudu-encoding', 'readings unused-buckets']))
    expect((await jsonOf('logs', ...args)).findings.map(({ code }) => code)).toContain('kudu-ranges')
  }
  const { findings } = await jsonOf('readings', '--queries', 'all.json')
  expect(findings.find(({ code }) => code === 'unused-buckets')?.evidence).toContain('by 200 sampled rows')
  write('all.json', JSON.stringify({ samples: [{ table: 'readings' }] }))
  expect((await rowkey(['lint', '--queries', 'all.json'])).stderr).toContain("the sample of 'readings' has neither a file nor rows.")
})

test('--fix judges the changed model with the same rows', async () => {
  const { stdout, stderr } = await rowkey(['lint', 'readings', '--sample', 'steps.ndjson', '--fix'])
  expect(stderr).toContain('readings: unused-buckets: Hash it')
  expect(stdout).toContain("salt: bucket({ of: 'id', count: 16 })")
})
