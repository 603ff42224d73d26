import { MemoryLevel } from 'memory-level'
import type { Engine } from '../engine.js'

const value = Buffer.alloc(40, 1)

/** Keys and values are bytes; reads give promises, as its users get them. */
export function memoryLevel(): Engine<Buffer> {
  const db = new MemoryLevel<Buffer, Buffer>({ keyEncoding: 'buffer', valueEncoding: 'buffer', storeEncoding: 'buffer' })
  let waiting: { type: 'put'; key: Buffer; value: Buffer }[] = []
  return {
    writes: false,
    isAsync: true,
    keyOf: (rowkey) => Buffer.from(rowkey, 'latin1'),
    set: (key) => waiting.push({ type: 'put', key, value }),
    get: (key) => db.get(key),
    scan: (key, count) => db.values({ gte: key, limit: count }).all(),
    reverse: (key, count) => db.values({ lte: key, limit: count, reverse: true }).all(),
    async settle() {
      for (let at = 0; at < waiting.length; at += 10_000) await db.batch(waiting.slice(at, at + 10_000))
      waiting = []
    },
  }
}
