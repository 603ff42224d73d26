import { readSync } from 'node:fs'

/** Bytes of a file; undefined if it ends before. */
export function readAt(descriptor: number, position: number, length: number): Buffer | undefined {
  const bytes = Buffer.alloc(length)
  let read = 0
  while (read < length) {
    const count = readSync(descriptor, bytes, read, length - read, position + read)
    if (count === 0) return undefined
    read += count
  }
  return bytes
}
