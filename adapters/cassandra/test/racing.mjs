// One of several processes that change a table at once. node racing.mjs '{ contactPoints, localDataCenter, keyspace, id, processes, changes }'
import { Client } from 'cassandra-driver'
import { cassandra } from '../dist/index.js'
import { createMapper, defineTable, isRowkeyError, nullable, text, uint32 } from '../../../packages/rowkey/dist/index.js'

const { contactPoints, localDataCenter, keyspace, id, processes, changes } = JSON.parse(process.argv[2])
const client = new Client({ contactPoints, localDataCenter, keyspace })
await client.connect()
const adapter = cassandra(client)

/** A table of some columns; numbers have a default. */
const model = (...columns) =>
  defineTable('raced_by_processes', {
    columns: { k: text(), ...Object.fromEntries(columns.map((n) => [`c${n}`, n % 3 === 0 ? uint32({ default: n }) : nullable(text())])) },
    key: ['k'],
    // Nothing is renamed here: each process adds columns of its own.
    retired: Array.from({ length: 10 + processes }, (_, n) => n).flatMap((n) => (columns.includes(n) ? [] : [`c${n}`])),
  })
const valueOf = (n) => (n % 3 === 0 ? 77 : `v${n}`)
const all = model(...Array.from({ length: 10 + processes }, (_, n) => n))

let seen
let bad
/** Notes how a call ended; `allowed` are errors that are true of it. */
async function call(name, allowed, run) {
  try {
    await run()
    seen[`${name} ok`] = (seen[`${name} ok`] ?? 0) + 1
    return true
  } catch (error) {
    const code = isRowkeyError(error) ? error.code : 'untyped'
    seen[`${name} ${code}`] = (seen[`${name} ${code}`] ?? 0) + 1
    const isTemporary = code === 'STORE_UNAVAILABLE' || (code === 'WRITE_FAILED' && error.details.repeatable)
    if ((!allowed.includes(code) && !(isTemporary && allowed.includes('temporary'))) || error.message.includes('DROP TABLE')) {
      bad.push(`${name}: ${error.message}`)
    }
    return false
  }
}

const phases = {
  async grow(db, round) {
    const mine = model(id % 10, (id * 3 + round) % 10, 10 + id)
    if (!(await call('grow', [], () => db.ensureTables([mine])))) return
    await call('put', [], () => db.repository(mine).put({ k: `p${id}`, [`c${10 + id}`]: valueOf(10 + id) }))
  },
  async look(db) {
    await call('ensure all', [], () => db.ensureTables([all]))
    const row = await db.repository(all).get({ k: `p${id}` })
    const found = row?.[`c${10 + id}`]
    if (found !== valueOf(10 + id)) bad.push(`look: column c${10 + id} of p${id} is ${String(found)}`)
  },
  async churn(db, round) {
    for (let i = 0; i < changes; i++) {
      const some = model(id % 10, i % 4)
      if ((id * 7 + i * 3 + round) % 5 === 0) await call('drop', [], () => db.dropTables([some]))
      else {
        await call('ensure', [], () => db.ensureTables([some]))
        // A transaction may be under way in a table that is dropped.
        const ends = ['TABLE_NOT_FOUND', 'SCHEMA_MISMATCH', 'OUTCOME_UNKNOWN', 'temporary']
        await call('churned put', ends, () => db.repository(some).put({ k: `q${id}` }))
      }
    }
  },
  async after(db) {
    const some = model(1, 2)
    await call('ensure after', [], () => db.ensureTables([some]))
    await call('put after', [], () => db.repository(some).put({ k: `z${id}`, c1: 'x' }))
    await call('get after', [], () => db.repository(some).get({ k: `z${id}` }))
  },
}

process.on('message', async ({ phase, round }) => {
  seen = {}
  bad = []
  await phases[phase](createMapper(adapter), round).catch((error) => bad.push(`${phase}: ${String(error)}`))
  process.send({ seen, bad })
})
process.on('disconnect', () => process.exit())
