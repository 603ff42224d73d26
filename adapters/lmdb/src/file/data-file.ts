import { closeSync, fstatSync, openSync } from 'node:fs'
import { countFree, readAt } from './free-pages.js'

/** Where a page has the mark of LMDB and the version of its format, little-endian. */
const markAt = 24
const mark = 0xbeef_c0de
const version = 2
const at = { pageSize: 48, freeRoot: 88, lastPage: 144, transaction: 152 }
const metaBytes = 160
const smallestPage = 512

/** One of the two first pages: a state of the file. */
interface Meta {
  readonly pageSize: number
  /** Of the tree of free pages. */
  readonly freeRoot: bigint
  readonly pages: number
  readonly transaction: bigint
}

/**
 * What keeps LMDB from opening a data file, which it does not always find itself: it reads the file as memory, and the process ends
 * where there is none. undefined: nothing, also of one that is still empty.
 */
export function whyUnusable(file: string): 'foreign' | 'cut off' | undefined {
  const descriptor = openSync(file, 'r')
  try {
    if (fstatSync(descriptor).size === 0) return undefined // another process is making it: it writes its two first pages at once
    for (;;) {
      const meta = newestMeta(descriptor)
      if (meta === undefined) return 'foreign'
      if (isWhole(descriptor, meta)) return undefined
      // Unless it was written meanwhile.
      if (newestMeta(descriptor)?.transaction === meta.transaction) return 'cut off'
    }
  } finally {
    closeSync(descriptor)
  }
}

function newestMeta(descriptor: number): Meta | undefined {
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

/** Pages at the end that are free need not have been written. */
function isWhole(descriptor: number, { pageSize, freeRoot, pages }: Meta): boolean {
  const there = Math.floor(fstatSync(descriptor).size / pageSize)
  return there >= pages || countFree({ descriptor, pageSize, there, root: freeRoot, from: there, to: pages }) === pages - there
}
