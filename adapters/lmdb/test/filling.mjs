// Writes until the system refuses, then says what became of it. node filling.mjs FOLDER
import { lmdb } from '../dist/index.js'
import { ledger } from './ledger.mjs'

const store = lmdb(process.argv[2])
const schema = ledger()
const table = store.table(schema, await store.ensureTable(schema))
const put = (id, bytes) => ({ schema, kind: 'put', row: [id, 'x'.repeat(bytes), id] })
const strong = { consistency: 'strong' }

let id = 0
let refused
while (refused === undefined) {
  const [first] = await store.write([put(++id, 20_000), put(++id, 20_000)], { now: 0, atomic: 'both' })
  if (first.kind !== 'applied') refused = first
}
// The large ones cannot be applied, the small one beside them can.
const large = Array.from({ length: 3 }, (_, i) =>
  store.write(
    Array.from({ length: 50 }, (_, j) => put(10_000 + i * 100 + j, 60_000)),
    { now: 0 },
  ),
)
const small = store.write([put(1, 10)], { now: 0 })
const outcomes = await Promise.all([...large, small])
const before = table.get([[id - 1], [id], [id - 2], [10_000]], strong)
const dropped = await store.write([{ schema, kind: 'delete', row: [2] }], { now: 0 })
await store.close()
console.log(
  JSON.stringify({
    refused: { kind: refused.kind, code: refused.cause.code, reason: refused.cause.details.reason, message: refused.cause.message },
    written: id,
    present: before.map((row) => row !== undefined),
    large: outcomes.slice(0, 3).map((all) => [...new Set(all.map(({ kind }) => kind))]),
    small: outcomes[3][0].kind,
    dropped: dropped[0].kind,
  }),
)
