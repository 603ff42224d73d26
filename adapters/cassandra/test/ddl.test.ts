import { cassandra } from '@rowkey/cassandra'
import { findingText } from 'rowkey/adapter'
import { Client } from 'cassandra-driver'
import {
  bool,
  bucket,
  bytes,
  date,
  decimal,
  defineTable,
  desc,
  dictionary,
  float64,
  hashPrefix,
  int32,
  int64,
  json,
  nullable,
  paddedText,
  random,
  reversed,
  text,
  timestamp,
  uint64,
  uint8,
  ulid,
  uuid,
} from 'rowkey'
import { expect, test } from 'vitest'

const adapter = cassandra(new Client({ contactPoints: ['127.0.0.1:1'], localDataCenter: 'dc', keyspace: 'shop' }))

const Logs = defineTable('logs', {
  columns: { tenant: text(), host: text(), at: desc(timestamp('ms')), message: nullable(text()), level: uint8() },
  partition: ['tenant'],
  key: ['host', 'at'],
  salt: bucket({ of: 'host', count: 16 }),
  writes: 'plain',
  stores: { cassandra: { compaction: 'TimeWindow', gcGraceSeconds: 3600 } },
})

/** A column of every reason. */
const Odd = defineTable('Odd', {
  columns: {
    maybe: nullable(int32()),
    back: reversed(text()),
    kind: dictionary({ a: '1', b: '2' }),
    id: uuid(),
    clocked: desc(uuid({ order: 'time' })),
    sum: desc(decimal(9, 2)),
    count: uint64(),
    part: float64(),
    on: date(),
    raw: desc(bytes()),
    flag: bool(),
    unique: ulid(),
    ns: timestamp('ns'),
    select: nullable(int64()),
    tags: nullable(json()),
    where: nullable(uuid()),
  },
  key: ['maybe', 'back', 'kind', 'id', 'clocked', 'sum', 'count', 'part', 'on', 'raw', 'flag', 'unique', 'ns'],
  salt: hashPrefix({ of: 'id', digits: 2 }),
})

const Sessions = defineTable('sessions', {
  columns: { id: nullable(uuid()), user: nullable(text()) },
  key: ['id'],
  ttl: '1h',
  version: 'rev',
})

/** Options and defaults that look like the end of a comment. */
const Said = defineTable('said', {
  columns: {
    kind: dictionary({ "a'\n); DROP TABLE said; --": '1\r\n', '\u2028': '2' }),
    padded: paddedText(4, { pad: '\n' }),
    initial: text({ default: `${'long '.repeat(20)}\u2028\u2029\u0085\n); DROP TABLE said;` }),
    sum: decimal(9, 2, { default: '0.00' }),
    at: timestamp('ms', { default: 'now' }),
    n: uint8({ default: random(100) }),
  },
  key: ['kind', 'padded'],
  writes: 'plain',
})

/** Each row is a partition, so no column can be static. */
const ById = defineTable('by_id', { columns: { id: uuid(), user: nullable(text()) }, partition: ['id'], key: [] })
const PlainById = defineTable('plain_by_id', { columns: { id: uuid() }, partition: ['id'], key: [], writes: 'plain' })

test('the definition of a table says why each column is as it is', async () => {
  const texts = [Logs, Odd, Sessions, Said, ById, PlainById].map((schema) => {
    const { text, warnings } = adapter.ddl(schema)
    return [text, ...warnings.map((each) => `${each.severity}: ${findingText(each)}\n`)].join('\n')
  })
  await expect(texts.join('\n---\n')).toMatchFileSnapshot('ddl.txt')
})

test('the statements are the text without its comments', () => {
  for (const schema of [Logs, Odd, Sessions, Said]) {
    const { statements, text } = adapter.ddl(schema)
    const plain = text.replace(/ *--.*$/gm, '').trim()
    expect(plain).toBe(statements.map((statement) => `${statement};`).join('\n\n'))
  }
})

test('hints that are none are INVALID_OPTION, and nothing of them comes into a statement', () => {
  const withHints = (cassandra: object) => defineTable('hinted', { columns: { n: int32() }, key: ['n'], stores: { cassandra } })
  for (const hints of [{ compaction: "x'} AND comment = 'y" }, { gcGraceSeconds: 1.5 }, { gcGraceSeconds: -1 }, { comment: 'x' }, [1]]) {
    expect(() => adapter.ddl(withHints(hints))).toThrow('INVALID_OPTION')
  }
})
