import { readSync } from 'node:fs'

/** Which free pages of a data file are counted: from `from` up to `to`, without `to`. */
export interface FreePages {
  readonly descriptor: number
  readonly pageSize: number
  /** How many pages the file has. The tree is in these. */
  readonly there: number
  /** The root page of the tree of free pages. */
  readonly root: bigint
  readonly from: number
  readonly to: number
}

// A page: a header, then the offsets of its nodes. A node: size or page number, flags, length of the key, key, value.
const headerBytes = 24
const at = { flags: 18, lower: 20 }
const isBranch = 1
const isLeaf = 2
const nodeBytes = 8
/** Flag of a value on separate pages. The node has the number of the first. */
const isElsewhere = 1
const noPage = 0xffff_ffff_ffff_ffffn

/** How many pages in a range LMDB has listed as free; undefined if the list cannot be read. */
export function countFree(pages: FreePages): number | undefined {
  return pages.root === noPage ? 0 : countBelow(pages, Number(pages.root), new Set())
}

function countBelow(pages: FreePages, number: number, seen: Set<number>): number | undefined {
  const { descriptor, pageSize, there } = pages
  const page = seen.has(number) || number >= there ? undefined : readAt(descriptor, number * pageSize, pageSize)
  if (page === undefined) return undefined
  seen.add(number)
  const flags = page.readUInt16LE(at.flags)
  if ((flags & (isBranch | isLeaf)) === 0) return undefined
  let count = 0
  for (const node of nodesOf(page)) {
    const list = (flags & isBranch) === 0 ? listOf(pages, page, node) : undefined
    const part = (flags & isBranch) === 0 ? list && countIn(pages, list) : countBelow(pages, childOf(page, node), seen)
    if (part === undefined) return undefined
    count += part
  }
  return count
}

/** The offsets of nodes. Those of a damaged page may be outside of it. */
function nodesOf(page: Buffer): readonly number[] {
  const count = page.readUInt16LE(at.lower) >> 1
  const places: number[] = []
  for (let i = 0; i < count && headerBytes + 2 * i + 2 <= page.length; i++) {
    const node = page.readUInt16LE(headerBytes + 2 * i) + headerBytes
    if (node + nodeBytes <= page.length) places.push(node)
  }
  return places
}

const childOf = (page: Buffer, node: number): number => page.readUIntLE(node, 6)

/** The list that a node of a leaf contains. */
function listOf({ descriptor, pageSize, there }: FreePages, page: Buffer, node: number): Buffer | undefined {
  const length = page.readUInt32LE(node)
  const value = node + nodeBytes + page.readUInt16LE(node + 6)
  if ((page.readUInt16LE(node + 4) & isElsewhere) === 0) return page.subarray(value, value + length)
  const number = value + 8 > page.length ? there : Number(page.readBigUInt64LE(value))
  if (number >= there || length > there * pageSize) return undefined
  return readAt(descriptor, number * pageSize + headerBytes, length)
}

/** A list is its length, then page numbers. A negative number is a count: so many consecutive pages begin at the next number. */
function countIn({ from, to }: FreePages, list: Buffer): number {
  const end = list.length >= 8 ? Math.min(list.length >> 3, Number(list.readBigInt64LE(0)) + 1) : 0
  let count = 0
  let run = 1
  for (let i = 1; i < end; i++) {
    const entry = Number(list.readBigInt64LE(8 * i))
    if (entry < 0) run = -entry
    else if (entry > 0) {
      count += Math.max(0, Math.min(to, entry + run) - Math.max(from, entry))
      run = 1
    }
  }
  return count
}

/** Bytes of a file; undefined if the file is shorter. */
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
