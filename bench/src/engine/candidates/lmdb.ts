import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import type { Engine } from '../engine.js'

const value = Buffer.alloc(40, 1)

/** Without syncing, in a folder that goes with the process. */
export function lmdbEngine(): Engine<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'rowkey-bench-'))
  process.on('exit', () => {
    rmSync(folder, { recursive: true, force: true })
  })
  const db = open<Buffer, Buffer>({ path: folder, keyEncoding: 'binary', encoding: 'binary', noSync: true, noMemInit: true })
  let waiting: Buffer[] = []
  return {
    writes: false,
    keyOf: (rowkey) => Buffer.from(rowkey, 'latin1'),
    set: (key) => waiting.push(key),
    get: (key) => db.get(key),
    scan: (key, count) => Array.from(db.getRange({ start: key, limit: count }), (entry) => entry.value),
    reverse: (key, count) => Array.from(db.getRange({ start: key, limit: count, reverse: true }), (entry) => entry.value),
    async settle() {
      db.transactionSync(() => {
        for (const key of waiting) db.putSync(key, value)
      })
      waiting = []
      await db.flushed
    },
  }
}
