import * as rowkey from 'rowkey'
import { bucket, defineTable, fromHex, text, timestamp, bytes, uint32, type TableSchema } from 'rowkey'
import { expect, test } from 'vitest'
import { advise, applyFix, classCode, schemaCode } from '../src/index.js'
import { cases } from './cases.js'
import { goodDesigns } from './good-designs.js'

/** Runs the code that declares a table, with the imports that it names and no others. */
function run(code: string): TableSchema {
  const [, imports = ''] = /^import \{ (.*) \} from 'rowkey'\n/.exec(code) ?? []
  const names = imports.split(', ')
  const body = code.slice(code.indexOf('\n')).replace(/^export const \w+ = /m, 'return ')
  const declare = new Function(...names, body) as (...values: unknown[]) => TableSchema
  return declare(...names.map((name) => (rowkey as Record<string, unknown>)[name]))
}

const designs = [...cases.flatMap(({ bad, good }) => [bad, ...good]), ...goodDesigns]

test('the code of a schema declares the schema again, for all designs and their fixes', () => {
  let fixes = 0
  for (const { schema, options } of designs) {
    const fixed = advise([schema], options)
      .findings.filter(({ change }) => change !== undefined)
      .map((finding) => applyFix(schema, finding))
    fixes += fixed.length
    for (const each of [schema, ...fixed]) expect(run(schemaCode(each)).toJSON()).toEqual(JSON.parse(JSON.stringify(each)))
  }
  expect(fixes).toBeGreaterThan(20)
})

test('all that a definition can say is in the code, and imports are those that it needs', () => {
  const All = defineTable('log_events2', {
    columns: {
      'odd name': text({ name: 'odd', default: "it's defineTable(x)" }),
      at: timestamp('ms', { default: new Date(5) }),
      seq: uint32(),
      raw: bytes({ default: fromHex('00ff') }),
    },
    partition: ['odd name'],
    key: ['at', 'seq'],
    ttl: '90m',
    version: 'v',
    stores: { hbase: { splits: ['a', "b'"] }, redis: { shards: 4, on: true } },
    retired: ['old'],
  } as never)
  const code = schemaCode(All)
  expect(run(code).toJSON()).toEqual(All.toJSON())
  expect(code).toBe(`import { bytes, defineTable, fromHex, text, timestamp, uint32 } from 'rowkey'

export const LogEvents2 = defineTable('log_events2', {
  columns: {
    'odd name': text({ name: 'odd', default: 'it\\'s defineTable(x)' }),
    at: timestamp('ms', { default: new Date(5) }),
    seq: uint32(),
    raw: bytes({ default: fromHex('00ff') }),
  },
  partition: ['odd name'],
  key: ['at', 'seq'],
  ttl: '90m',
  version: 'v',
  stores: { hbase: { splits: ['a', 'b\\''] }, redis: { on: true, shards: 4 } },
  retired: ['old'],
})
`)
  expect(schemaCode(All, 'Mine')).toContain('export const Mine = defineTable(')
})

test('indexes are in the code, with all that they can say', () => {
  const Orders = defineTable('orders', {
    columns: { no: text(), buyer: text(), at: timestamp('ms'), email: text(), total: uint32(), 'odd name': text({ name: 'odd' }) },
    key: ['no'],
    indexes: {
      byBuyer: { partition: ['buyer'], key: ['at'], salt: bucket({ of: ['no'], count: 16 }), stores: { hbase: { splits: 16 } } },
      'by-mail': { key: ['email'], unique: true, include: ['total', 'odd name'] },
      byTotal: { partition: ['total'], key: [] },
    },
  })
  const code = schemaCode(Orders)
  expect(run(code).toJSON()).toEqual(Orders.toJSON())
  expect(code.split('\n')[0]).toBe("import { bucket, defineTable, text, timestamp, uint32 } from 'rowkey'")
  expect(code.slice(code.indexOf('  indexes'))).toBe(`  indexes: {
    byBuyer: { partition: ['buyer'], key: ['at'], salt: bucket({ of: 'no', count: 16 }), stores: { hbase: { splits: 16 } } },
    'by-mail': { key: ['email'], unique: true, include: ['total', 'odd name'] },
    byTotal: { partition: ['total'], key: [] },
  },
})
`)
})

test('a class has its indexes, quotes and names in code too, and by default the name of the table', () => {
  const Orders = defineTable('web_orders', {
    columns: { no: uint32(), buyer: text(), 'odd name': text({ name: 'odd' }), "it's": text({ name: 'its' }) },
    key: ['no'],
    version: 'rev',
    indexes: { byBuyer: { partition: ['buyer'], key: ["it's"], salt: bucket({ of: 'no', count: 16 }), unique: false } },
  })
  expect(classCode(Orders)).toBe(`import { Column, Index, KeyColumn, Table, Version, bucket, text, uint32 } from 'rowkey'

@Table('web_orders')
@Index('byBuyer', { partition: ['buyer'], key: ['it\\'s'], salt: bucket({ of: 'no', count: 16 }) })
export class WebOrders {
  @KeyColumn(1, uint32()) no!: number
  @Column(text()) buyer!: string
  @Column(text({ name: 'its' })) 'it\\'s'!: string
  @Column(text({ name: 'odd' })) 'odd name'!: string
  @Version() rev!: string
}
`)
  expect(classCode(Orders, 'Order')).toBe(classCode(Orders).replace('class WebOrders', 'class Order'))
})

test.each([{ foo: 1 }, {}, 5, null, ''])('a name that is no text is refused: %j', (name) => {
  const One = defineTable('one', { columns: { id: uint32() }, key: ['id'] })
  expect(() => schemaCode(One, name as never)).toThrow(
    /^INVALID_OPTION: schemaCode\(\): name is .*\. Give the name of the constant, a text\.$/,
  )
  expect(() => classCode(One, name as never)).toThrow(/^INVALID_OPTION: classCode\(\): name is .*\. Give the name of the class, a text\.$/)
})
