import { createHash } from 'node:crypto'
import { createMapper, isRowkeyError, type Mapper } from 'rowkey'
import { openStores } from '../stores/open-stores.js'
import { table } from '../stores/table.js'
import { canonical } from './canonical.js'
import { program, type Answer } from './program.js'

// The same program on every store. What it is told is compared byte for byte; only the line that makes the adapter differs.
const stores = await openStores()
const lines: string[][] = [['store', 'version', 'answers', 'bytes', 'sha256', '']]
const missing = new Map(stores.missing)
let wanted: readonly Answer[] | undefined
let cursor: string | undefined
let differs = false

for (const { name, version, adapter } of stores.open) {
  const db = createMapper(adapter, { prefix: 'swap_' })
  const told = await unlessRefused(db)
  await db.close()
  if (typeof told === 'string') {
    missing.set(name, told)
    continue
  }
  const { answers, cursor: own } = told
  const text = canonical(answers)
  const unequal = answers.filter((answer, i) => wanted !== undefined && canonical(answer) !== canonical(wanted[i]))
  for (const [question, answer] of unequal) console.log(`${name} differs: ${question}\n  ${canonical(answer)}`)
  differs ||= unequal.length > 0
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
  lines.push([
    name,
    version,
    String(answers.length),
    String(text.length),
    hash,
    wanted === undefined ? '' : unequal.length === 0 ? 'equal' : 'DIFFERS',
  ])
  wanted ??= answers
  cursor ??= own // every later store goes on behind the first one's page
}
await stores.stop()

console.log(table(lines))
for (const [name, why] of missing) console.log(`${name}: left out, ${why}`)
console.log(differs ? '\nThe stores do not agree.' : `\n${lines.length - 1} stores, ${wanted?.length ?? 0} answers each: equal.`)
process.exitCode = differs ? 1 : 0

/** What the program is told; of a store that cannot hold its tables, why. */
async function unlessRefused(db: Mapper): Promise<Awaited<ReturnType<typeof program>> | string> {
  try {
    return await program(db, cursor)
  } catch (error) {
    if (isRowkeyError(error, 'NOT_SUPPORTED')) return error.message
    throw error
  }
}
