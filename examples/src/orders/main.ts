import * as classValidator from 'class-validator'
import { createMapper, isRowkeyError, type Adapter } from 'rowkey'
import { openStores } from '../stores/open-stores.js'
import { table } from '../stores/table.js'
import { program, type Facts } from './program.js'

// Orders are asked for by buyer, by seller and by number: one table with two indexes, where the vendors' guides have three tables.
const options = { prefix: 'shop_', classValidator }
const stores = await openStores()
const lines: string[][] = []
const missing = new Map(stores.missing)

for (const { name, adapter } of stores.open) {
  const facts = await unlessRefused(adapter)
  if (typeof facts === 'string') {
    missing.set(name, facts)
    continue
  }
  if (lines.length === 0) lines.push(['store', ...Object.keys(facts)])
  lines.push([name, ...Object.values(facts)])
}
await stores.stop()

console.log(table(lines))
for (const [name, why] of missing) console.log(`${name}: left out, ${why}`)

/** What the program is told; of a store that cannot hold its table, why. */
async function unlessRefused(adapter: Adapter): Promise<Facts | string> {
  const [db, other] = [createMapper(adapter, options), createMapper(adapter, options)] // two services
  try {
    return await program(db, other)
  } catch (error) {
    if (isRowkeyError(error, 'NOT_SUPPORTED')) return error.message
    throw error
  }
}
