import { randomFillSync } from 'node:crypto'

const markBytes = 8
const pool = Buffer.alloc(512 * markBytes)
let at = pool.length

/** A value that no row has had as its mark. The client copies it into the request. */
export function newMark(): Uint8Array {
  if (at === pool.length) {
    randomFillSync(pool)
    at = 0
  }
  return new Uint8Array(pool.subarray(at, (at += markBytes)))
}
