import { readFileSync } from 'node:fs'

/** A value as the vectors hold it: integers and decimals are text, bytes hex. */
export type Cell = { readonly t: 'int' | 'decimal' | 'string' | 'bytes'; readonly v: string } | null

export interface HashData {
  readonly columns: readonly number[]
  readonly buckets: number
  readonly seed: string
}

export interface Vector {
  readonly values: readonly Cell[]
  readonly hex?: string
  /** The reference refused. */
  readonly error?: string
  readonly rank?: number
  readonly buckets?: readonly number[]
}

export interface Group {
  readonly id: string
  readonly types: readonly string[]
  readonly options: {
    readonly seed?: string
    readonly hash?: readonly HashData[]
    readonly range?: readonly number[]
    readonly customRange?: { readonly lower: string; readonly upper: string; readonly hash: readonly HashData[] }
  }
  readonly byteOrder?: 'exact' | 'bytes'
  readonly vectors: readonly Vector[]
}

const file = JSON.parse(readFileSync(new URL('../vectors/kudu.json', import.meta.url), 'utf8')) as { readonly groups: readonly Group[] }

/** The groups whose id begins with `prefix`; there is at least one. */
export function groups(prefix: string): readonly Group[] {
  const found = file.groups.filter(({ id }) => id.startsWith(prefix))
  if (found.length === 0) throw new Error(`no vectors of ${prefix}`)
  return found
}
