import { compareKeys, fromHex, toHex, type KeyLayout } from '#codec'
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'

/** Values of the columns c0, c1 as text, and the key that Java wrote. */
export interface Vector {
  readonly values: readonly [c0: string, c1?: string]
  readonly hex: string
  readonly rank?: number
  readonly floorMod?: number
}

const file = JSON.parse(readFileSync(new URL('./vectors/idioms.json', import.meta.url), 'utf8')) as {
  readonly groups: readonly { readonly id: string; readonly vectors: readonly Vector[] }[]
}

export const groups = file.groups

export function vectorsOf(id: string): readonly Vector[] {
  const found = groups.find((group) => group.id === id)?.vectors ?? []
  expect(found.length).toBeGreaterThan(0)
  return found
}

export const first = ({ values }: Vector): string => values[0]
export const second = ({ values }: Vector): string => values[1] ?? ''

/** Raw text of an idiom as our text and bytes columns write it: escaped and ended. */
export const ended = (raw: string): string => raw.replaceAll(/../g, (byte) => (byte === '00' ? '0001' : byte)) + '0000'

/** The hex of a key, which decodes to what it was made of. */
export function written<Key extends object>(layout: KeyLayout<Key>, key: Key): string {
  const bytes = layout.encode(key)
  expect(layout.decode(bytes)).toEqual(key)
  return toHex(bytes)
}

/** The keys, one per vector, stand in the order that the idiom's bytes stand in. */
export function expectRanks(vectors: readonly Vector[], keys: readonly string[]): void {
  expect(keys).toHaveLength(vectors.length)
  keys.forEach((a, i) => {
    keys.forEach((b, j) => {
      const ranks = (vectors[i]?.rank as number) - (vectors[j]?.rank as number)
      expect(Math.sign(compareKeys(fromHex(a), fromHex(b)))).toBe(Math.sign(ranks))
    })
  })
}
