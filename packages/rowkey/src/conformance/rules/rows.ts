// Tested by wrong.test.ts.
import type { Row } from '#store/adapter'
import {
  bool,
  bytes,
  date,
  decimal,
  fixedBytes,
  float32,
  float64,
  int16,
  int32,
  int64,
  int8,
  json,
  nullable,
  text,
  timestamp,
  uint16,
  uint32,
  uint64,
  uint8,
  ulid,
  uuid,
} from '#codec'
import { defineTable } from '#model'
import { same } from '../check.js'
import { bucketSlice, rowsOf, strong } from '../suite/reading.js'
import { rule, type Rule } from '../suite/rule.js'
import { Numbers } from '../suite/tables.js'

const Everything = defineTable('everything', {
  columns: {
    k: int32(),
    text: nullable(text()),
    bytes: nullable(bytes()),
    fixedBytes: nullable(fixedBytes(2)),
    bool: nullable(bool()),
    int8: nullable(int8()),
    int16: nullable(int16()),
    int32: nullable(int32()),
    int64: nullable(int64()),
    uint8: nullable(uint8()),
    uint16: nullable(uint16()),
    uint32: nullable(uint32()),
    uint64: nullable(uint64()),
    float32: nullable(float32()),
    float64: nullable(float64()),
    decimal: nullable(decimal(38, 2)),
    uuid: nullable(uuid()),
    ulid: nullable(ulid()),
    ms: nullable(timestamp('ms')),
    us: nullable(timestamp('us')),
    ns: nullable(timestamp('ns')),
    date: nullable(date()),
    json: nullable(json()),
  },
  key: ['k'],
  writes: 'plain',
})

const high = 2n ** 63n - 1n
const samples: Readonly<Record<string, readonly unknown[]>> = {
  text: ['', 'a\0b', '\u{1f600}\uff5e\ud7ff', 'x'.repeat(5000)],
  bytes: [new Uint8Array(), new Uint8Array([0, 255, 0]), new Uint8Array(5000).fill(7)],
  fixedBytes: [new Uint8Array([0, 0]), new Uint8Array([255, 255])],
  bool: [false, true],
  int8: [-128, 0, 127],
  int16: [-32_768, 32_767],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [-high - 1n, -(2n ** 53n) - 1n, 0n, 2n ** 53n + 1n, high],
  uint8: [0, 255],
  uint16: [0, 65_535],
  uint32: [0, 2 ** 32 - 1],
  uint64: [0n, 2n ** 53n + 1n, 2n ** 64n - 1n],
  float32: [1.5, -Infinity, NaN],
  float64: [0.1, 5e-324, 1.7976931348623157e308, -Infinity, Infinity, NaN, 2 ** 53],
  decimal: ['-9.99', '0.00', '123456789012345678901234567890123456.78'],
  uuid: ['00000000-0000-0000-0000-0000000000ff', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ulid: ['01ARZ3NDEKTSV4RRFFQ69G5FAV'],
  ms: [new Date(-8.64e15), new Date(0), new Date(1_700_000_000_001), new Date(8.64e15)],
  us: [-high - 1n, 1n, high],
  ns: [-high - 1n, 1_700_000_000_000_000_001n, high],
  date: [new Date(-86_400_000), new Date('2024-02-29')],
  json: [{ a: [1, { b: '' }, null], c: 'ü' }, [], '', 0, false],
}

export const rows: readonly Rule[] = [
  rule('ROW-1: gets, scans and full scans return the values of every column type as they were written', async (world) => {
    const table = await world.repository(Everything)
    const opened = await world.open(Everything)
    const max = Math.max(...Object.values(samples).map(({ length }) => length))
    const nothing = Object.fromEntries(Object.keys(samples).map((name) => [name, null]))
    const wanted: { readonly k: number }[] = [{ k: -1, ...nothing }]
    for (let k = 0; k < max; k++) {
      const values = Object.entries(samples).map(([name, list]) => [name, list[k] ?? null] as const)
      wanted.push({ k, ...Object.fromEntries(values) })
    }
    for (const row of wanted) await table.put(row)
    same(await table.getMany(wanted.map(({ k }) => ({ k }))), wanted, 'rows of getMany()')
    same(await table.scan({ k: { gte: -1 } }).toArray(), wanted, 'rows of a scan')
    const scanned = await rowsOf(opened.store.scan(bucketSlice(0), strong))
    const byKey = (all: readonly Row[]): readonly Row[] => all.toSorted((a, b) => Number(a[0]) - Number(b[0]))
    same(byKey(await rowsOf(opened.store.fullScan(undefined, strong))), byKey(scanned), 'rows of fullScan(), in any order')
  }),

  rule('ROW-1: empty text, empty bytes and null are three different values; −0 and NaN are kept', async (world) => {
    const { schema, store, put } = await world.open(
      defineTable('apart', {
        columns: { k: int32(), b: nullable(bytes()), f: nullable(float64()), t: nullable(text()) },
        key: ['k'],
        writes: 'plain',
      }),
    )
    const given: readonly Row[] = [
      [1, new Uint8Array(), -0, ''],
      [2, null, NaN, null],
      [3, new Uint8Array([0]), 0, '\0'],
    ]
    await put(...given)
    const keys = given.map((row) => row.slice(0, schema.keyLength))
    same(await store.get(keys, strong), given, 'rows of get()')
    same(await rowsOf(store.scan(bucketSlice(0), strong)), given, 'rows of scan()')
  }),

  rule(
    'ROW-2: a returned page does not change with later writes, and a written row does not change with the arrays of the caller',
    async (world) => {
      const { store, put, remove } = await world.open(Numbers)
      const given = [1, 2, 3].map((n) => [n, `v${n}`])
      await put(...given)
      const [page] = [await store.scan(bucketSlice(0), strong).next(10)]
      const copy = structuredCopy(page?.rows ?? [])
      await put([1, 'other'])
      await remove([2])
      same(page?.rows, copy, 'the rows of a page after a put and a delete')
      same(await store.get([[3]], strong), [[3, 'v3']], 'another row')
    },
  ),
]

const structuredCopy = (list: readonly Row[]): readonly Row[] => list.map((row) => [...row])
