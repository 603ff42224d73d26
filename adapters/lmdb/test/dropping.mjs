// Drops the table `counters` and makes it anew with a row. node dropping.mjs FOLDER
import { lmdb } from '../dist/index.js'
import { counters } from './ledger.mjs'

const store = lmdb(process.argv[2], { sync: false })
await store.dropTable('counters')
const schema = counters()
store.table(schema, await store.ensureTable(schema))
await store.write([{ schema, kind: 'put', row: ['shared', null, null, null, null] }], { now: 0 })
await store.close()
