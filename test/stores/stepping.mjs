// Takes the steps with rows of its own, without end, and says what was acknowledged, a line each, before it goes on.
// node stepping.mjs STORE CONNECTION PREFIX SEED
import { writeSync } from 'node:fs'
import * as rowkey from '../../packages/rowkey/dist/index.js'
import { openStore } from './child-stores.mjs'
import { modelOf, steps } from './steps.mjs'

const [store, connection, prefix, seed] = process.argv.slice(2)

const db = rowkey.createMapper(await openStore(store, JSON.parse(connection)), { prefix })
const table = db.repository(modelOf(rowkey))
const say = (line) => writeSync(1, `${line}\n`)

async function lane(number) {
  for (let turn = 0; turn < 100_000; turn++) {
    const id = Number(seed) * 1_000_000 + number * 200_000 + turn
    for (const [index, step] of steps.entries()) {
      await step(table, id)
      say(`${id} ${index + 1}`)
    }
  }
}
await Promise.all([0, 1, 2].map(lane))
