import {
  bytes,
  decimal,
  float64,
  int32,
  int64,
  json,
  nullable,
  rowLayout,
  text,
  timestamp,
  toHex,
  type ColumnType,
  type Value,
} from '#codec'
import { byteOptions, growthOf, holdsValuesOf, typeText, values } from '#codec/internal'
import { shortened } from '@rowkey/servers/scale'
import { memory } from '#memory'
import { defineTable, type TableSchema } from '#model'
import { ensureTable, openTable } from '#store/engine'
import fc from 'fast-check'
import { isDeepStrictEqual } from 'node:util'
import { isRowkeyError } from 'rowkey'
import { expect, test } from 'vitest'
import { seed } from '../../../../test/kit/property.js'
import { anySalts, asStored, typePair, valuesAround } from './type-pairs.js'

const runs = shortened(1500)

/** What a type does with a value as rows hold it: its bytes in a key, undefined where it does not take it. */
function bytesOf(type: ColumnType, value: Value): string | undefined {
  const stored = asStored(type)
  try {
    values(stored, 'k').toValue(value)
    return toHex(
      rowLayout([{ name: 'k', type: stored }], 0, [])
        .column(0)
        .encode(value),
    )
  } catch {
    return undefined
  }
}

function isOther(a: ColumnType, b: ColumnType): boolean {
  return [...valuesAround(a), ...valuesAround(b)].some((value) => bytesOf(a, value) !== bytesOf(b, value))
}

/** The differences that a model meets on the table of another; undefined where it is accepted. */
async function differences(table: TableSchema, model: TableSchema): Promise<readonly string[] | undefined> {
  const adapter = memory()
  await ensureTable(adapter, table)
  try {
    await openTable(adapter, model)
    return undefined
  } catch (error) {
    if (isRowkeyError(error, 'SCHEMA_MISMATCH')) return error.details.differences
    throw error
  }
}

const inKey = (k: ColumnType): TableSchema => defineTable('compared', { columns: { k, n: int32() }, key: ['n', 'k'] })
const asValue = (v: ColumnType): TableSchema => defineTable('compared', { columns: { n: int32(), v }, key: ['n'] })

const shown = /the model has (.*), the table (.*)$/s

test('TABLE-2: two types that encode a value differently, or of which only one takes it, are never the same', async () => {
  let [other, same, newer] = [0, 0, 0]
  await fc.assert(
    fc.asyncProperty(typePair, async ([a, b]) => {
      const isSame = JSON.stringify(byteOptions(a)) === JSON.stringify(byteOptions(b))
      if (!isOther(a, b)) {
        if (!isSame) return // types that differ in more than these values show
        same++
        expect(inKey(a).fingerprints).toEqual(inKey(b).fingerprints)
        expect(await differences(inKey(a), inKey(b))).toBe(undefined)
        expect(await differences(asValue(a), asValue(b))).toBe(undefined)
        return
      }
      other++
      expect(inKey(a).fingerprints.key).not.toBe(inKey(b).fingerprints.key)
      expect(typeText(a)).not.toBe(typeText(b))
      // A table that holds more than a model is one of a newer model: then every value of the older one has a place in it.
      const grown = growthOf(a, b)
      const isNewerKey = grown !== undefined && grown.changed === undefined
      const isNewerValue = holdsValuesOf(a, b)
      newer += Number(isNewerValue)
      for (const [found, isNewer] of [
        [await differences(inKey(a), inKey(b)), isNewerKey],
        [await differences(asValue(a), asValue(b)), isNewerValue],
      ] as const) {
        if (isNewer) {
          expect(found).toBe(undefined)
          continue
        }
        expect(found).toHaveLength(1)
        const [, model, table] = shown.exec(found?.[0] ?? '') ?? []
        expect(model).not.toBe(undefined)
        expect(model).not.toBe(table)
      }
    }),
    { numRuns: runs, seed },
  )
  // Else nothing was shown.
  expect(other).toBeGreaterThan(runs / 4)
  expect(newer).toBeGreaterThan(runs / 400)
  expect(same).toBeGreaterThan(runs / 40)
})

const salted = (salt: TableSchema['salt']): TableSchema | undefined => {
  try {
    const columns = { k: int32(), n: int64(), t: text() }
    return defineTable('compared', { columns, key: ['k', 'n', 't'], salt: [...salt] as never })
  } catch (error) {
    if (isRowkeyError(error, 'INVALID_SCHEMA')) return undefined // two levels of one column
    throw error
  }
}

const rows: readonly (readonly Value[])[] = Array.from({ length: 40 }, (_, i) => [i * 7919 - 40_000, BigInt(i) * 104_729n, `t${i}`])

test('TABLE-2: two salts that put a row elsewhere are never the same', async () => {
  let other = 0
  await fc.assert(
    fc.asyncProperty(anySalts, anySalts, async (one, two) => {
      const [a, b] = [salted(one), salted(two)]
      if (a === undefined || b === undefined) return
      if (rows.every((row) => toHex(a.layout.rowkey(row)) === toHex(b.layout.rowkey(row)))) return
      other++
      expect(a.fingerprints.layout).not.toBe(b.fingerprints.layout)
      expect(a.fingerprints.key).toBe(b.fingerprints.key)
      const found = await differences(a, b)
      expect(found).toHaveLength(1)
      const [, model, table] = /^salt: the model has (.*), the table (.*); rows/.exec(found?.[0] ?? '') ?? []
      expect(model).not.toBe(table)
    }),
    { numRuns: runs, seed },
  )
  expect(other).toBeGreaterThan(runs / 4)
})

/** The same beginning and end, and something between them. */
const around = (middle: string, length: number): string => `${'x'.repeat(length)}${middle}${'y'.repeat(length)}`
const texts = fc
  .tuple(fc.constantFrom('', 'A', 'B', '\0', '\u2028', '"', "'"), fc.constantFrom(0, 10, 24, 48, 60, 400))
  .map(([middle, length]) => around(middle, length))

/** Two columns with a default each. */
const twoDefaults = <T>(value: fc.Arbitrary<T>, make: (value: T) => ColumnType): fc.Arbitrary<readonly [ColumnType, ColumnType]> =>
  fc.tuple(value.map(make), value.map(make))

const defaultPair = fc.oneof(
  twoDefaults(texts, (value) => text({ default: value })),
  twoDefaults(texts, (value) => bytes({ default: new TextEncoder().encode(value) })),
  twoDefaults(texts, (value) => json({ default: { list: [1, value] } })),
  twoDefaults(fc.constantFrom(0, -0, NaN, 1, Infinity), (value) => float64({ default: value })),
  twoDefaults(fc.constantFrom(0n, 1n, 2n ** 62n, 2n ** 62n + 1n), (value) => int64({ default: value })),
  twoDefaults(fc.constantFrom(0, 1), (value) => timestamp('ms', { default: new Date(value) })),
  twoDefaults(
    fc.bigInt({ min: 10n ** 37n, max: 10n ** 37n + 1n }).map((digits) => String(digits)),
    (value) => decimal(38, 0, { default: value }),
  ),
)

const filledBy = ({ default: initial }: ColumnType): unknown => (initial?.kind === 'constant' ? initial.value : undefined)

test('TABLE-2: two defaults that rows would be read with are never the same, wherever they differ', async () => {
  let [other, same] = [0, 0]
  await fc.assert(
    fc.asyncProperty(defaultPair, async ([a, b]) => {
      const found = await differences(asValue(a), asValue(b))
      if (isDeepStrictEqual(filledBy(a), filledBy(b))) {
        same++
        expect(found).toBe(undefined)
        return
      }
      other++
      expect(found).toHaveLength(1)
      const [, model, table] = /the model has the default (.*), rows of the table without it mean (.*)$/s.exec(found?.[0] ?? '') ?? []
      expect(model).not.toBe(table)
      expect((found?.[0] ?? '').length).toBeLessThan(400)
      // What may be null is read as null.
      expect(await differences(asValue(nullable(a)), asValue(nullable(b)))).toBe(undefined)
    }),
    { numRuns: runs, seed },
  )
  expect(other).toBeGreaterThan(runs / 4)
  expect(same).toBeGreaterThan(runs / 40)
})

test('TABLE-2: how values look, and names of properties, are no part of a table', async () => {
  expect(await differences(inKey(int64()), inKey(int64({ as: 'number' })))).toBe(undefined)
  expect(await differences(asValue(int64()), asValue(int64({ as: 'number' })))).toBe(undefined)
  expect(await differences(inKey(timestamp('ms')), inKey(timestamp('ms', { as: 'bigint' })))).toBe(undefined)
})
