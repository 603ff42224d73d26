// Changes rows with two indexes until it is killed, and says when it has begun.
// node indexing.mjs STORE CONNECTION PREFIX SEED [row-first]
import { writeSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setTimeout } from 'node:timers'
import * as rowkey from '../../packages/rowkey/dist/index.js'
import { openStore } from './child-stores.mjs'
import { allWrites, indexedModelOf, numbers, plainWrites } from './indexed-rows.mjs'

const [store, connection, prefix, seed, planted] = process.argv.slice(2)

// Nobody waits for it any longer than this.
setTimeout(() => process.exit(1), 60_000).unref()

/** A bug: the entries of rows are written after the rows. */
function rowFirst(adapter) {
  const kept = []
  const own = Object.create(adapter)
  own.write = async (batch, options) => {
    if (batch[0].schema.name.includes('_by')) {
      kept.push(...batch)
      return batch.map(() => ({ kind: 'applied' }))
    }
    const outcomes = await adapter.write(batch, options)
    await new Promise((resolve) => setTimeout(resolve, 5)) // so that many deaths come in between
    const entries = kept.splice(0)
    for (const entry of entries) await adapter.write([entry], options)
    return outcomes
  }
  return own
}

const adapter = await openStore(store, JSON.parse(connection))
const isPlain = store === 'kudu'
const db = rowkey.createMapper(planted === 'row-first' ? rowFirst(adapter) : adapter, { prefix })
const table = db.repository(indexedModelOf(rowkey, isPlain))
const writes = isPlain ? plainWrites : allWrites

/** What others do to the row, and what a busy store answers. */
const usual = /^RowkeyError: (ROW_NOT_FOUND|ROW_EXISTS|VERSION_CONFLICT|WRITE_FAILED|WRITE_INCOMPLETE|OUTCOME_UNKNOWN)/

let count = 0
async function lane(number) {
  const random = numbers(Number(seed) * 10 + number)
  for (;;) {
    try {
      await writes[random(writes.length)](table, random)
    } catch (error) {
      if (!usual.test(String(error))) throw error
    }
    if (++count === 3) writeSync(1, 'begun\n')
    await nextTurn()
  }
}
await Promise.all([1, 2, 3].map(lane))
