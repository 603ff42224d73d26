import {
  bool,
  bytes,
  date,
  decimal,
  desc,
  dictionary,
  digits,
  fixedBytes,
  fixedText,
  float32,
  float64,
  int16,
  int32,
  int64,
  int8,
  json,
  lastBytes,
  lastText,
  nullable,
  paddedText,
  reversed,
  separatedText,
  text,
  timestamp,
  uint16,
  uint32,
  uint64,
  uint8,
  ulid,
  uuid,
  type ColumnType,
} from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { defineTable } from '#model'
import { describe, expect, test } from 'vitest'
import { valueKindNames } from '../../../../test/kit/kind-names.js'

// Every value as it goes into a value column and comes out of it.
const samples: readonly [name: string, type: ColumnType, values: readonly unknown[]][] = [
  ['digits', digits(uint16(), { width: 5 }), [0, 7, 65_535]],
  ['text', text(), ['', 'a', '\0', '😀 astral \u{10FFFF}', 'é', ' a ', '\ufeff']],
  ['bytes', bytes(), [new Uint8Array(), new Uint8Array([0]), new Uint8Array([0, 255, 0])]],
  ['fixedBytes', fixedBytes(2), [new Uint8Array([0, 0]), new Uint8Array([255, 1])]],
  ['bool', bool(), [true, false]],
  ['uuid', uuid(), ['123e4567-e89b-42d3-a456-426614174000']],
  ['ulid', ulid(), ['01ARZ3NDEKTSV4RRFFQ69G5FAV']],
  ['int8', int8(), [-128, 0, 127]],
  ['int16', int16(), [-32768, 32767]],
  ['int32', int32(), [-(2 ** 31), 2 ** 31 - 1]],
  ['uint8', uint8(), [0, 255]],
  ['uint16', uint16(), [0, 65535]],
  ['uint32', uint32(), [0, 2 ** 32 - 1]],
  ['int64', int64(), [-(2n ** 63n), 2n ** 53n + 1n, 2n ** 63n - 1n]],
  ['int64 as number', int64({ as: 'number' }), [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]],
  ['uint64', uint64(), [0n, 2n ** 64n - 1n]],
  ['float32', float32(), [0, -0, NaN, Infinity, -Infinity, Math.fround(0.1), 2 ** -149]],
  ['float64', float64(), [0, -0, NaN, Infinity, -Infinity, 0.1, Number.MIN_VALUE, Number.MAX_VALUE]],
  ['decimal', decimal(38, 2), ['0.00', '-999999999999999999999999999999999999.99']],
  ['timestamp ms', timestamp('ms'), [new Date(0), new Date(-8.64e15), new Date(8.64e15)]],
  ['timestamp us', timestamp('us'), [-(2n ** 63n), 1_700_000_000_000_001n]],
  ['timestamp ns', timestamp('ns'), [1_700_000_000_000_000_001n]],
  ['date', date(), [new Date('2026-01-01'), new Date(-86_400_000)]],
  ['date as number', date({ as: 'number' }), [-1, 0]],
  ['json', json(), ['', 0, [], {}, { a: [1, { b: null }], '': '😀' }, 'null']],
  ['paddedText', paddedText(4, { pad: ' ' }), ['', 'ab']],
  ['separatedText', separatedText('_'), ['', 'a b']],
  ['split text', separatedText('_', { split: 'last' }), ['', 'a_b']],
  ['fixedText', fixedText(2), ['ab', 'é']],
  ['lastText', lastText(), ['a', '\0']],
  ['lastBytes', lastBytes(), [new Uint8Array([0])]],
  ['dictionary', dictionary({ taobao: 'tb', tmall: 'tm' }), ['taobao', 'tmall']],
  ['reversed', reversed(text()), ['', '😀']],
  ['desc', desc(float64()), [-0, NaN]],
]

test('every kind of column is among the samples', () => {
  expect(new Set(samples.map(([, { kind }]) => kind))).toEqual(valueKindNames)
})

describe.each(samples)('ROW-5: %s', (_, type, values) => {
  const Rows = defineTable('rows', { columns: { id: int32(), v: type, o: nullable(type) }, key: ['id'] })
  test.each(['insert', 'put', 'update', 'putMany', 'stream'] as const)('ROW-5: by %s', async (method) => {
    const db = createMapper(memory())
    await db.ensureTables([Rows])
    const rows = db.repository(Rows)
    for (const [id, v] of values.entries()) {
      const row = { id, v, o: v }
      if (method === 'insert') await rows.insert(row)
      else if (method === 'put') await rows.put(row)
      else if (method === 'putMany') await rows.putMany([row])
      else if (method === 'stream') await rows.putMany([row].values())
      else {
        await rows.insert({ id, v: values[0] })
        await rows.update({ id }, { v, o: v })
      }
      const wanted = { id, v, o: v }
      expect(await rows.get({ id })).toStrictEqual(wanted)
      expect(await rows.scan({ id }).toArray()).toStrictEqual([wanted])
    }
    await rows.put({ id: 99, v: values[0] })
    expect(await rows.get({ id: 99 })).toStrictEqual({ id: 99, v: values[0], o: null })
    await rows.update({ id: 0 }, { o: null })
    expect((await rows.get({ id: 0 }))?.o).toBeNull()
  })
})

test('ROW-5: minus zero is 0 in a key, and itself as a constant default', async () => {
  const Floats = defineTable('floats', { columns: { k: float64(), v: float64({ default: -0 }) }, key: ['k'] })
  const db = createMapper(memory())
  await db.ensureTables([Floats])
  const floats = db.repository(Floats)
  expect((await floats.insert({ k: -0 })).key).toStrictEqual({ k: 0 })
  expect(await floats.get({ k: -0 })).toStrictEqual({ k: 0, v: -0 })
  expect(await floats.get({ k: 0 })).toStrictEqual({ k: 0, v: -0 })
  expect(await floats.scan({ k: { gte: -0, lte: -0 } }).count()).toBe(1)
  expect(await floats.scan({ k: 0, v: 0 }).count()).toBe(1)
})
