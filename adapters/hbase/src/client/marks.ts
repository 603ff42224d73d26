import { randomFillSync } from 'node:crypto'

const markBytes = 8
const pool = new Uint8Array(512 * markBytes)
let at = pool.length

/** A value that no row has had as its mark. */
export function newMark(): Uint8Array {
  if (at === pool.length) {
    randomFillSync(pool)
    at = 0
  }
  return pool.slice(at, (at += markBytes))
}
