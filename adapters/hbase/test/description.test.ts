import { hbase, hbaseStore } from '@rowkey/hbase'
import { HBaseClient } from '@rowkey/hbase-client'
import { defineTable, text } from 'rowkey'
import { expect, test } from 'vitest'
import { schemas, testDescription } from '../../../test/kit/described.js'

const adapter = hbase(new HBaseClient({ host: '127.0.0.1', port: 1 }), { namespace: 'shop' })
testDescription(hbaseStore, adapter, () => import('../src/description.js'), '@rowkey/hbase-client', { namespace: 'shop' })

test('in the default namespace, statements are of plain names', () => {
  for (const schema of schemas) {
    const [plain, named] = [hbaseStore.ddl(schema), hbaseStore.ddl(schema, { namespace: 'shop' })]
    expect(plain.statements[1]).toMatch(new RegExp(`^create '${schema.name}', `))
    expect(named.statements.map((statement) => statement.replaceAll("'shop:", "'"))).toEqual(plain.statements)
  }
})

test('a namespace that cannot be one is INVALID_OPTION, and a name that HBase does not accept NOT_SUPPORTED', () => {
  expect(() => hbaseStore.ddl(schemas[0] as never, { namespace: "a'b" })).toThrow('INVALID_OPTION')
  expect(() => hbaseStore.ddl(defineTable('a:b', { columns: { k: text() }, key: ['k'] }))).toThrow('NOT_SUPPORTED')
  expect(() => hbaseStore.ddl(defineTable('rowkey_catalogs', { columns: { k: text() }, key: ['k'] }))).toThrow('NOT_SUPPORTED')
})
