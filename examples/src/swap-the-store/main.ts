import { createHash } from 'node:crypto'
import { createMapper } from 'rowkey'
import { openStores } from '../stores/open-stores.js'
import { table } from '../stores/table.js'
import { canonical } from './canonical.js'
import { program, type Answer } from './program.js'

// The same program on every store. What it is told is compared byte for byte; only the line that makes the adapter differs.
const stores = await openStores()
const lines: string[][] = [['store', 'version', 'answers', 'bytes', 'sha256', '']]
let wanted: readonly Answer[] | undefined
let cursor: string | undefined
let differs = false

for (const { name, version, adapter } of stores.open) {
  const db = createMapper(adapter, { prefix: 'swap_' })
  const { answers, cursor: own } = await program(db, cursor)
  await db.close()
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
for (const [name, why] of stores.missing) console.log(`${name}: left out, ${why}`)
console.log(differs ? '\nThe stores do not agree.' : `\n${lines.length - 1} stores, ${wanted?.length ?? 0} answers each: equal.`)
process.exitCode = differs ? 1 : 0
