// Says when it begins a write and when that is acknowledged. node acknowledging.mjs FOLDER SYNC
import { writeSync } from 'node:fs'
import { lmdb } from '../dist/index.js'
import { ledger } from './ledger.mjs'

const [folder, sync] = process.argv.slice(2)
const store = lmdb(folder, { sync: sync === 'true' })
const schema = ledger()
store.table(schema, await store.ensureTable(schema))
const say = (line) => writeSync(1, `${line}\n`)
const put = (id) => store.write([{ schema, kind: 'put', row: [id, 'x'.repeat(100), id] }], { now: 0 })

for (let id = 1; id <= 20; id++) {
  say(`begin ${id}`)
  await put(id)
  say(`acknowledged ${id}`)
}
say('begin together')
await Promise.all(Array.from({ length: 500 }, (_, i) => put(1000 + i)))
say('acknowledged together')
await store.close()
