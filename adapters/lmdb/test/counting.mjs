// Adds to a counter under its version, and sets a column of its own. node counting.mjs FOLDER NAME COUNT
import { lmdb } from '../dist/index.js'
import { counters } from './ledger.mjs'

const [folder, name, count] = process.argv.slice(2)
const store = lmdb(folder, { sync: false })
const schema = counters()
const table = store.table(schema, await store.ensureTable(schema))
const at = (physical) => schema.columns.findIndex((column) => column.physical === physical)
const shared = ['shared', ...Array(schema.columns.length - 1).fill(null)]
await store.write([{ schema, kind: 'insert', row: shared.with(at('total'), 0).with(at('rk_version'), 'v0') }], { now: 0 })

let conflicts = 0
for (let turn = 1; turn <= Number(count); turn++) {
  for (;;) {
    const [row] = await table.get([['shared']], { consistency: 'strong' })
    const next = row.with(at('total'), row[at('total')] + 1).with(at('rk_version'), `${name}${turn}`)
    const [{ kind }] = await store.write(
      [{ schema, kind: 'update', row: next, set: [at('total'), at('rk_version')], version: row[at('rk_version')] }],
      { now: 0 },
    )
    if (kind === 'applied') break
    if (kind !== 'conflict') throw new Error(kind)
    conflicts++
  }
  await store.write([{ schema, kind: 'update', row: shared.with(at(name), turn), set: [at(name)] }], { now: 0 })
}
await store.close()
console.log(conflicts)
