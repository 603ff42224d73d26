import { closeSync, fstatSync, openSync } from 'node:fs'
import { countFree, readAt } from './free-pages.js'

/** LMDB's magic number. */
export const mark = 0xbeef_c0de
/** The offset in a page of the mark and the format version, little-endian. */
const markAt = 24
const version = 2
const at = { pageSize: 48, freeRoot: 88, lastPage: 144, transaction: 152 }
/** The offset in such a page of the number of the transaction that wrote it. */
export const transactionAt: number = at.transaction
const metaBytes = 160
const smallestPage = 512

/** One of the first two pages. Each describes a state of the file. */
export interface Meta {
  readonly pageSize: number
  /** The root of the tree of free pages. */
  readonly freeRoot: bigint
  readonly pages: number
  readonly transaction: bigint
}

/**
 * Why LMDB cannot open a data file; undefined if it can, or if the file is still empty. LMDB does not detect all of this: it maps the file
 * into memory, and the process crashes when it reads after the end of the file.
 */
export function whyUnusable(file: string): 'foreign' | 'cut off' | undefined {
  const descriptor = openSync(file, 'r')
  try {
    if (fstatSync(descriptor).size === 0) return undefined // another process is creating it, and writes its first two pages together
    for (;;) {
      const meta = newestMeta(descriptor)
      if (meta === undefined) return 'foreign'
      if (isWhole(descriptor, meta)) return undefined
      // Unless it was written in the meantime.
      if (newestMeta(descriptor)?.transaction === meta.transaction) return 'cut off'
    }
  } finally {
    closeSync(descriptor)
  }
}

/** The newer of the two; undefined if the file has none. */
export function newestMeta(descriptor: number): Meta | undefined {
  const first = readMeta(descriptor, 0)
  const second = first === undefined ? undefined : readMeta(descriptor, first.pageSize)
  if (first === undefined || second === undefined) return undefined
  return first.transaction > second.transaction ? first : second
}

function readMeta(descriptor: number, position: number): Meta | undefined {
  const page = readAt(descriptor, position, metaBytes)
  if (page?.readUInt32LE(markAt) !== mark || page.readUInt32LE(markAt + 4) !== version) return undefined
  const pageSize = page.readUInt32LE(at.pageSize)
  if (pageSize < smallestPage) return undefined
  return {
    pageSize,
    freeRoot: page.readBigUInt64LE(at.freeRoot),
    pages: Number(page.readBigUInt64LE(at.lastPage)) + 1,
    transaction: page.readBigUInt64LE(at.transaction),
  }
}

/** Free pages at the end may never have been written. */
function isWhole(descriptor: number, { pageSize, freeRoot, pages }: Meta): boolean {
  const there = Math.floor(fstatSync(descriptor).size / pageSize)
  return there >= pages || countFree({ descriptor, pageSize, there, root: freeRoot, from: there, to: pages }) === pages - there
}
