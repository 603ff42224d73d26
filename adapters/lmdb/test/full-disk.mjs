// Opens, writes, reads and opens again on a disk that is nearly full, for several amounts of free space, and says what became of each.
// node full-disk.mjs DISK SYNC: DISK is a small file system of its own.
import { Buffer } from 'node:buffer'
import { closeSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { lmdb } from '../dist/index.js'
import { ledger } from './ledger.mjs'

const [disk, sync] = process.argv.slice(2)
const options = { sync: sync === 'true' }
const schema = ledger()
const fill = join(disk, 'fill')
const kB = 1024
// The client logs a failed commit before it rejects.
console.error = () => undefined

/** Fills the disk except for some bytes. */
function leave(free) {
  const file = openSync(fill, 'w')
  const block = Buffer.alloc(4 * kB)
  let size = 0
  try {
    for (;;) size += writeSync(file, block)
  } catch (error) {
    if (error.code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
  truncateSync(fill, size - free)
}

const refusal = ({ code, details, message }) => ({ code, reason: details?.reason, message })

async function rowsOf(table) {
  let rows = 0
  const source = table.fullScan(undefined, { consistency: 'strong' })
  for (let page = await source.next(1000); page !== undefined; page = await source.next(1000)) rows += page.rows.length
  return rows
}

const opened = (path) => tableOf(lmdb(path, options))

async function tableOf(store) {
  const table = store.table(schema, await store.ensureTable(schema))
  return { store, table, put: (id) => store.write([{ schema, kind: 'put', row: [id, 'x'.repeat(1000), id] }], { now: 0 }) }
}

async function attempt(free) {
  const path = join(disk, `rows-${free}`)
  leave(free)
  let first
  try {
    first = lmdb(path, options)
  } catch (error) {
    return { free, opening: refusal(error) }
  }
  const result = { free, written: 0 }
  try {
    const { table, put } = await tableOf(first)
    while (result.failed === undefined) {
      const [outcome] = await put(result.written)
      if (outcome.kind === 'applied') result.written++
      else result.failed = refusal(outcome.cause)
    }
    result.read = await rowsOf(table)
  } catch (error) {
    return { free, ensuring: refusal(error) }
  } finally {
    await first.close()
  }
  const again = await opened(path) // the disk is still full
  result.readAgain = await rowsOf(again.table)
  rmSync(fill)
  const [outcome] = await again.put(9999)
  result.later = [outcome.kind, await rowsOf(again.table)]
  await again.store.close()
  return result
}

/** A lock file that was made longer and not written, as LMDB itself leaves it. */
async function sparseLock() {
  const path = join(disk, 'sparse')
  const { store, put } = await opened(path)
  await put(1)
  await store.close()
  rmSync(join(path, 'lock.mdb'))
  writeFileSync(join(path, 'lock.mdb'), '')
  truncateSync(join(path, 'lock.mdb'), 8272)
  leave(0)
  let opening
  try {
    await lmdb(path, options).close()
  } catch (error) {
    opening = refusal(error)
  }
  rmSync(fill)
  const again = await opened(path)
  const rows = await rowsOf(again.table)
  await again.store.close()
  return { opening, rows }
}

for (const free of [0, 4, 8, 12, 16, 20, 24, 32, 40, 44, 48, 52, 64, 128].map((each) => each * kB)) {
  console.log(JSON.stringify(await attempt(free)))
  rmSync(fill, { force: true })
  rmSync(join(disk, `rows-${free}`), { recursive: true })
}
console.log(JSON.stringify(await sparseLock()))
