import * as rowkey from 'rowkey'
import { testExamples } from '../../../test/kit/doc-examples.js'
import * as advisor from '../src/index.js'
import { shareOfFirst } from '../src/subject/skew.js'

const { defineTable, text, timestamp, bucket, uint32 } = rowkey
const columns = { at: timestamp('ms'), host: text() }
const Events = defineTable('events', { columns, key: ['at', 'host'] })
const Readings = defineTable('readings', { columns: { id: uint32() }, key: ['id'], salt: bucket({ of: 'id', modulo: 16 }) })
const rows = Array.from({ length: 1000 }, (_, i) => ({ id: 8 * i }))

testExamples(new URL('../src/', import.meta.url), {
  advisor: { exported: advisor, alsoSeen: { ...rowkey, columns, Events, Readings, rows, shareOfFirst } },
})
