import { bucket, int32, nullable, text } from '#codec'
import { copyTable, createMapper, type Mapper, type MapperOptions } from '#mapper'
import { memory } from '#memory'
import { defineTable, renameTable, schemaFromJSON, type TableSchema } from '#model'
import { visible } from '#codec/internal'
import { checkCatalog } from '../../src/store/table/catalog.js'
import { catalogOfJSON, catalogToJSON, newCatalog, parseObject } from '#store/adapter'
import { scaled } from '@rowkey/servers/scale'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seed } from '../../../../test/kit/property.js'
import { codeOf, differs } from '../../../../test/kit/refusal.js'

// Whatever a table or a column is called: what is written about it is read back.

const first = fc.constantFrom(...'AZaz09_')
const others = fc.constantFrom(...'AZaz09_.:-')
/** What the texts that are tested here have between names. */
const marks = fc.constantFrom(
  '.',
  '..',
  '.0123456789abcdef.',
  `.${'a'.repeat(64)}`,
  '.1.2.',
  ':catalog',
  '.00',
  '1.0.',
  '.AgAA',
  '-',
  ':',
  '__proto__',
)
const nameOf = (max: number): fc.Arbitrary<string> =>
  fc
    .tuple(first, fc.array(fc.oneof(others, marks), { maxLength: 40, size: 'max' }), fc.boolean())
    .map(([head, rest, isLong]) => (isLong ? `${head}${rest.join('')}`.padEnd(max, 'x.') : `${head}${rest.join('')}`).slice(0, max))
const special = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  'then',
  '0',
  'orders-v2',
  'shop.orders',
  'ns:orders',
  'o'.repeat(65),
  `a${'x'.repeat(190)}`,
)

const names = fc.record({
  table: fc.oneof(special, nameOf(190)),
  other: fc.oneof(special, nameOf(190)),
  prefix: fc.oneof(fc.constant(''), nameOf(55)),
  columns: fc.uniqueArray(
    fc.oneof(
      special.map((name) => name.slice(0, 128)),
      nameOf(128),
    ),
    { minLength: 3, maxLength: 3 },
  ),
  properties: fc.uniqueArray(
    fc
      .string({ unit: 'binary', maxLength: 12 })
      .filter((name) => !/^\d+$/.test(name) && visible(name) === name && !(name in {}) && name !== 'prototype'),
    { minLength: 3, maxLength: 3 },
  ),
  secret: fc.boolean(),
})
type Names = typeof names extends fc.Arbitrary<infer T> ? T : never

function modelOf(name: string, { columns, properties }: Names, buckets?: number): TableSchema {
  const [a = '', b = '', v = ''] = columns
  const [pa = '', pb = '', pv = ''] = properties
  return defineTable(name, {
    columns: { [pa]: text({ name: a }), [pb]: int32({ name: b }), [pv]: nullable(text({ name: v })) },
    key: [pa, pb],
    ...(buckets === undefined ? {} : { salt: bucket({ of: pb, count: buckets }) }),
  })
}

const optionsOf = ({ prefix, secret }: Names): MapperOptions => ({ prefix, ...(secret ? { cursorSecret: '0123456789abcdef' } : {}) })

const count = 1100 // more than a page of a copy

async function filled(model: TableSchema, given: Names): Promise<Mapper> {
  const db = createMapper(memory(), optionsOf(given))
  await db.ensureTables([model])
  const [a = '', b = ''] = given.properties
  await db.repository(model).putMany(Array.from({ length: count }, (_, n) => ({ [a]: 'x', [b]: n })))
  return db
}

/** The sentence about texts of one kind, tested with random names. */
function readBack(title: string, runs: number, holds: (given: Names) => unknown): void {
  test(title, { timeout: 180_000 + scaled(runs) * 500 }, () =>
    fc.assert(
      fc.asyncProperty(names, async (given) => {
        await holds(given)
      }),
      { numRuns: scaled(runs), seed },
    ),
  )
}

readBack('TABLE-6: the JSON of a schema, and the catalog of its table, are read back whatever its names are', 300, (given) => {
  for (const plain of [modelOf(given.table, given), modelOf(given.table, given, 4)]) {
    const model = renameTable(plain, given.prefix + plain.name)
    const copy = schemaFromJSON(JSON.parse(JSON.stringify(model)) as object)
    expect(JSON.stringify(copy)).toBe(JSON.stringify(model))
    expect(copy.fingerprints).toEqual(model.fingerprints)
    const stored = JSON.stringify(catalogToJSON(newCatalog(model)))
    const catalog = catalogOfJSON(parseObject(stored))
    expect(JSON.stringify(catalog && catalogToJSON(catalog))).toBe(stored)
    checkCatalog(model, catalog)
  }
})

readBack('PAGE-3: a cursor is read back whatever names its table and columns have', 60, async (given) => {
  const model = modelOf(given.table, given, 4)
  const table = (await filled(model, given)).repository(model)
  const [a = '', b = ''] = given.properties
  const where = { [a]: 'x', [b]: { gte: 100 } }
  const { cursor, rows } = await table.scan(where).page({ size: 5 })
  const next = await table.scan(where).page({ size: 5, cursor })
  expect([rows, next.rows].flat().map((row) => row[b])).toEqual(Array.from({ length: 10 }, (_, i) => 100 + i))
  const back = await table.scan(where).page({ size: 5, cursor: next.previous })
  expect(back.rows).toEqual(rows)
})

readBack('SCAN-8 SCAN-12: a checkpoint and a split are read back whatever names their table and columns have', 40, async (given) => {
  const model = modelOf(given.table, given, 4)
  const table = (await filled(model, given)).repository(model)
  const checkpoints: string[] = []
  let seen = 0
  const left: number[] = []
  for await (const { rows, checkpoint } of table.readAll({ parallel: 2 }).pages()) {
    checkpoints.push(checkpoint)
    left.push(count - (seen += rows.length))
  }
  for (const [i, checkpoint] of checkpoints.entries()) expect(await table.readAll({ checkpoint, parallel: 2 }).count()).toBe(left[i])
  const parts = await Promise.all((await table.parts(3)).map((split) => table.readAll({ checkpoint: split }).count()))
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(count)
})

readBack('COPY-5: a checkpoint of a copy is read back whatever names both tables have, and only by them', 40, async (given) => {
  const [from, to] = [modelOf(given.table, given), modelOf(given.other, given, 4)]
  const source = (await filled(from, given)).repository(from)
  const db = createMapper(memory(), optionsOf(given))
  await db.ensureTables([to])
  const target = db.repository(to)
  let saved = ''
  await copyTable(source, target, { verify: false, onProgress: ({ checkpoint }) => void (saved = checkpoint) })
  expect(saved.length).toBeGreaterThan(0)
  expect((await copyTable(source, target, { checkpoint: saved })).rows).toBe(count)
  const elsewhere = modelOf(`${given.other}_`, given, 4)
  await db.ensureTables([elsewhere])
  expect(await differs(() => copyTable(source, db.repository(elsewhere), { checkpoint: saved }))).toBe('table')
  const otherLayout = createMapper(memory())
  const salted = modelOf(given.other, given, 5)
  await otherLayout.ensureTables([salted])
  expect(await differs(() => copyTable(source, otherLayout.repository(salted), { checkpoint: saved }))).toBe('layout')
  for (const bad of [saved.slice(0, saved.lastIndexOf('.')), `${saved}.${'a'.repeat(63)}`, saved.replace(/^1/, '9'), `x${saved}`])
    expect(await codeOf(() => copyTable(source, target, { checkpoint: bad }))).toBe('CURSOR_INVALID')
})
