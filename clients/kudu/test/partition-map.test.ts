import { expect, test } from 'vitest'
import { partsOf, PartitionMap, type LocatedTablet, type Part } from '../src/tablets/partition-map.js'

const bytes = (text: string): Uint8Array => Buffer.from(text)
const text = (key: Uint8Array): string => Buffer.from(key).toString()
const tablet = (start: string, end: string): LocatedTablet => ({
  id: `${start}-${end}`,
  start: bytes(start),
  end: bytes(end),
  buckets: [],
  replicas: [],
  leader: undefined,
})
const page = (key: string, isLast: boolean, ...tablets: readonly LocatedTablet[]): Part[] => partsOf(tablets, bytes(key), isLast, 0, 1)
const shown = (parts: readonly Part[]): string[] => parts.map(({ start, end, tablet: its }) => its?.id ?? `gap ${text(start)}-${text(end)}`)
const at = (map: PartitionMap, key: string): string | undefined => {
  const part = map.at(bytes(key))
  return part === undefined ? undefined : shown([part])[0]
}

test('an answer tells of the gaps between its tablets, before them if the key is there, and after the last ones', () => {
  expect(shown(page('a', true, tablet('b', 'd'), tablet('d', 'f'), tablet('k', 'm')))).toEqual([
    'gap -b',
    'b-d',
    'd-f',
    'gap f-k',
    'k-m',
    'gap m-',
  ])
  expect(shown(page('c', true, tablet('b', 'd'), tablet('d', '')))).toEqual(['b-d', 'd-'])
  expect(shown(page('g', false, tablet('d', 'f'), tablet('k', 'm')))).toEqual(['d-f', 'gap f-k', 'k-m'])
  expect(shown(page('g', true))).toEqual(['gap -'])
})

test('a key has the part that starts at it or before it and ends after it', () => {
  const map = new PartitionMap()
  expect(at(map, '')).toBeUndefined()
  map.put(page('a', false, tablet('', 'b'), tablet('b', 'd')))
  map.put(page('k', true, tablet('k', '')))
  expect(['', 'a', 'b', 'c', 'd', 'k', 'z'].map((key) => at(map, key))).toEqual(['-b', '-b', 'b-d', 'b-d', undefined, 'k-', 'k-'])
})

test('new parts take the place of all that they touch, and nothing else', () => {
  const map = new PartitionMap()
  map.put(page('', true, tablet('b', 'd'), tablet('d', 'f'), tablet('k', 'm')))
  map.put(page('e', false, tablet('e', 'g')))
  expect(['a', 'c', 'd', 'e', 'f', 'g', 'k', 'z'].map((key) => at(map, key))).toEqual([
    'gap -b',
    'b-d',
    undefined,
    'e-g',
    'e-g',
    undefined,
    'k-m',
    'gap m-',
  ])
  map.put(page('a', true))
  expect(['', 'c', 'z'].map((key) => at(map, key))).toEqual(['gap -', 'gap -', 'gap -'])
  map.put(page('', true, tablet('', 'k'), tablet('k', '')))
  map.delete(bytes('j'))
  expect(['', 'k'].map((key) => at(map, key))).toEqual([undefined, 'k-'])
  map.delete(bytes('a'))
  expect(at(map, 'k')).toBe('k-')
})

test('random pages: each key has what the last page with it said', () => {
  let seed = 47
  const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below
  const name = (number: number): string => String.fromCharCode(97 + number)
  const map = new PartitionMap()
  const expected = new Map<string, string | undefined>()
  for (let round = 0; round < 2_000; round++) {
    const start = random(24)
    const cuts = [...new Set(Array.from({ length: 1 + random(4) }, () => start + 1 + random(25 - start)))].sort((a, b) => a - b)
    const tablets = cuts.map((cut, index) => tablet(name(index === 0 ? start : (cuts[index - 1] as number)), cut === 25 ? '' : name(cut)))
    const parts = page(name(start), false, ...tablets)
    map.put(parts)
    for (let key = start; key < (cuts.at(-1) as number); key++) {
      const index = cuts.findIndex((cut) => key < cut)
      expected.set(name(key), tablets[index]?.id)
    }
    for (const [key, value] of expected) {
      const found = at(map, key)
      if (found !== undefined) expect(found, `${key} after ${round} rounds`).toBe(value)
    }
  }
})
