// Tested by wrong.test.ts.
import { bytes, int32, nullable, text } from '#codec'
import { defineTable } from '#model'
import { check, refused, same } from '../check.js'
import { strong, upTo } from '../suite/reading.js'
import { rule, type Rule } from '../suite/rule.js'
import { Numbers, PlainThings } from '../suite/tables.js'

// Escapes, prefixes of each other, and the highest and lowest bytes.
const oddTexts = ['', '\0', '\0\0', '\u0001', 'a', 'a\0', 'a\0b', 'ab', 'ÿ', '\uff5e', '\u{1f600}', '\u{10ffff}']
const oddBytes = ['', '00', '0000', '0001', '01', 'fe', 'ff', 'ffff', 'ff00'].map(
  (hex) => new Uint8Array((hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))),
)

export const gets: readonly Rule[] = [
  rule('GET-1 GET-2: rows are returned in the order of the keys, undefined for a missing row, for any number of keys', async (world) => {
    const { store, put } = await world.open(Numbers)
    await put(...upTo(250).map((n) => [2 * n, `v${n}`]))
    const keys = upTo(500).map((i) => (i * 211) % 500)
    const found = await store.get(
      keys.map((n) => [n]),
      strong,
    )
    const wanted = keys.map((n) => (n % 2 === 0 ? [n, `v${n / 2}`] : undefined))
    same(found, wanted, 'rows of get()')
    same(await store.get([], strong), [], 'get() of no keys')
  }),

  rule('GET-1: keys that are prefixes of each other, with zero bytes, or highest bytes, are different rows', async (world) => {
    const Odd = defineTable('odd', {
      columns: { t: text(), b: bytes(), v: nullable(int32()) },
      key: ['t', 'b'],
      writes: 'plain',
    })
    const { store, put, remove } = await world.open(Odd)
    const keys = oddTexts.flatMap((t) => oddBytes.map((b) => [t, b]))
    await put(...keys.map((key, i) => [...key, i]))
    same(
      await store.get(keys, strong),
      keys.map((key, i) => [...key, i]),
      'rows of get()',
    )
    await remove(...keys.filter((_, i) => i % 2 === 0))
    same(
      await store.get(keys, strong),
      keys.map((key, i) => (i % 2 === 0 ? undefined : [...key, i])),
      'after every other was deleted',
    )
  }),

  rule('GET-1: keys that look the same are different rows: case, spaces, composed and decomposed letters', async (world) => {
    const Names = defineTable('names', { columns: { t: text(), v: nullable(int32()) }, key: ['t'], writes: 'plain' })
    const { store, put } = await world.open(Names)
    const names = ['a', 'A', 'a ', ' a', 'a  ', '\u00e9', 'e\u0301', '\u00df', 'ss', '1', '01', '1.0', 'null', 'undefined']
    await put(...names.map((name, i) => [name, i]))
    same(
      await store.get(
        names.map((name) => [name]),
        strong,
      ),
      names.map((name, i) => [name, i]),
      'rows of get()',
    )
  }),

  rule(
    'GET-2: a key that is requested twice is returned twice, as two objects; a missing one is undefined or ROW_NOT_FOUND',
    async (world) => {
      const table = await world.repository(Numbers)
      await table.put({ n: 1, v: 'x' })
      const [first, none, second] = await table.getMany([{ n: 1 }, { n: 2 }, { n: 1 }])
      same([first, none, second], [{ n: 1, v: 'x' }, undefined, { n: 1, v: 'x' }], 'rows of getMany()')
      check(first !== second, 'both answers are one object')
      await refused('getOrThrow() of an absent row', () => table.getOrThrow({ n: 2 }), 'ROW_NOT_FOUND')
    },
  ),

  rule('GET-3 ADAPTER-1: the requested columns and the key are filled, all others are null', async (world) => {
    const { store, put } = await world.open(PlainThings)
    await put(['web', 1, 'x', 'y', 7])
    const key = [['web', 1]]
    for (const [columns, row] of [
      [[], ['web', 1, null, null, null]],
      [[3], ['web', 1, null, 'y', null]],
      [
        [4, 2],
        ['web', 1, 'x', null, 7],
      ],
      [
        [2, 3, 4],
        ['web', 1, 'x', 'y', 7],
      ],
    ] as const) {
      same(await store.get(key, { ...strong, columns }), [row], `get() of the columns at ${columns.join(', ')}`)
    }
    same(await store.get(key, strong), [['web', 1, 'x', 'y', 7]], 'the whole row afterwards')
  }),
]
