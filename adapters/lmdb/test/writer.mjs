// Writes without end and says what was acknowledged, a line each, before it goes on. node writer.mjs FOLDER SEED MODE [COUNT]
import { writeSync } from 'node:fs'
import { lmdb } from '../dist/index.js'
import { ledger } from './ledger.mjs'

const [folder, seed, mode, count = 'Infinity'] = process.argv.slice(2)
const store = lmdb(folder)
const schema = ledger()
store.table(schema, await store.ensureTable(schema))
const say = (line) => writeSync(1, `${line}\n`)

/** A row that shows whether it is whole: its text repeats its number. */
const row = (id, turn) => [id, `${turn}:`.repeat(1 + (turn % 200)), turn]
const put = (id, turn) => ({ schema, kind: 'put', row: row(id, turn) })

async function write(batch, options = {}) {
  const outcomes = await store.write(batch, { now: 0, ...options })
  if (outcomes.some(({ kind }) => kind !== 'applied')) throw new Error(JSON.stringify(outcomes))
}

say('ready')
const base = Number(seed) * 1_000_000
async function lane(number) {
  for (let turn = 1; turn <= Number(count); turn++) {
    if (mode === 'single') {
      const id = base + number * 10_000 + (turn % 50)
      await write([put(id, turn)])
      say(`row ${id} ${turn}`)
    } else {
      // All rows of a batch carry the same turn, or the file is torn.
      const first = base + 500_000 + number * 10_000
      await write(
        Array.from({ length: 40 }, (_, i) => put(first + i, turn)),
        { atomic: String(turn) },
      )
      say(`batch ${first} ${turn}`)
    }
  }
}
await Promise.all(Array.from({ length: mode === 'single' ? 3 : 2 }, (_, number) => lane(number)))
await store.close()
say('closed')
