import { kudu, kuduStore } from '@rowkey/kudu'
import { KuduClient } from '@rowkey/kudu-client'
import { defineTable, int32, text } from 'rowkey'
import { expect, test } from 'vitest'
import { schemas, testDescription } from '../../../test/kit/described.js'

const adapter = kudu(new KuduClient({ masters: ['127.0.0.1:1'] }), { database: 'shop', hash: 4 })
testDescription(kuduStore, adapter, () => import('../src/description.js'), '@rowkey/kudu-client', { database: 'shop', hash: 4 })

test('without a database, tables have plain names', () => {
  for (const schema of schemas) {
    const [plain, named] = [kuduStore.ddl(schema, { hash: 4 }), kuduStore.ddl(schema, { database: 'shop', hash: 4 })]
    expect(plain.statements.map(({ name }) => name)).toEqual(['rk_catalog', schema.name])
    expect(named.statements.map(({ name, ...rest }) => ({ ...rest, name: name.replace('shop.', '') }))).toEqual(plain.statements)
    expect(named.text.replaceAll('`shop.', '`')).toBe(plain.text)
  }
})

test('options that cannot be are INVALID_OPTION, and names that are the own ones NOT_SUPPORTED', () => {
  const [schema] = schemas as [(typeof schemas)[number]]
  for (const options of [{ database: "a'b" }, { hash: 1 }, { replicas: 2 }]) {
    expect(() => kuduStore.ddl(schema, options)).toThrow('INVALID_OPTION')
  }
  expect(() => kuduStore.ddl(defineTable('rk_catalog', { columns: { k: text() }, key: ['k'] }), { hash: 4 })).toThrow('NOT_SUPPORTED')
})

test('a type that Kudu has for both is not wider, and another one is none that a column can become', () => {
  const of = (type: object) => defineTable('t', { columns: { k: int32(), v: type as never }, key: ['k'] }).columns[1] as never
  expect(kuduStore.widens(of(text()), of(text({ default: 'x' })))).toBe(true)
  expect(kuduStore.widens(of(int32()), of(text()))).toBe(false)
})
