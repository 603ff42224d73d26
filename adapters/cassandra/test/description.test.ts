import { cassandra, cassandraStore } from '@rowkey/cassandra'
import { Client } from 'cassandra-driver'
import { defineTable, text } from 'rowkey'
import { expect, test } from 'vitest'
import { schemas, testDescription } from '../../../test/kit/described.js'

const adapter = cassandra(new Client({ contactPoints: ['127.0.0.1:1'], localDataCenter: 'dc', keyspace: 'shop' }))
testDescription(cassandraStore, adapter, () => import('../src/description.js'), 'cassandra-driver', {
  keyspace: 'shop',
})

test('without a keyspace, statements are for the one that is in use', () => {
  for (const schema of schemas) {
    const [open, named] = [cassandraStore.ddl(schema), cassandraStore.ddl(schema, { keyspace: 'shop' })]
    expect(open.statements[1]).toMatch(new RegExp(`^CREATE TABLE IF NOT EXISTS "${schema.name}" \\(`))
    expect(named.statements.map((statement) => statement.replace('"shop".', ''))).toEqual(open.statements)
    expect(named.text.replaceAll('"shop".', '')).toBe(open.text)
  }
})

test('a keyspace that cannot be one is INVALID_OPTION, and a name that Cassandra does not accept NOT_SUPPORTED', () => {
  expect(() => cassandraStore.ddl(schemas[0] as never, { keyspace: 'a"b' })).toThrow('INVALID_OPTION')
  expect(() => cassandraStore.ddl(defineTable('a-b', { columns: { k: text() }, key: ['k'] }))).toThrow('NOT_SUPPORTED')
})
