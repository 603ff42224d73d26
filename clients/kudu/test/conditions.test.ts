import { expect, test } from 'vitest'
import { seeded } from '../../../test/kit/seeded.js'
import { refusing } from '../src/refusal.js'
import type { Predicate, Value } from '../src/requests.js'
import { conditionsOf, predicatesOf, type Condition } from '../src/rows/conditions.js'
import { orderedOf } from '../src/rows/keys.js'
import { layoutOf, type CellColumn } from '../src/rows/layout.js'
import type { KuduTable, TableColumn } from '../src/table.js'
import { holdsFor, randomPredicate } from './random-predicates.js'
import { allTypes, randomValue } from './random-values.js'
import { tableOf } from './tables.js'

const predicates = (of: KuduTable, where: readonly Predicate[] | undefined): unknown => {
  const conditions = conditionsOf(of, where)
  return conditions === undefined ? undefined : predicatesOf(conditions)
}

const names = ['i', 's', 'b', 'f', 'd', 'l', 'v']
const types = ['INT8', 'STRING', 'BOOL', 'DOUBLE', 'DATE', 'INT64', 'BINARY']
const table = tableOf({ types, names, keyColumns: 2, nullable: [2, 3, 6] })

/** Predicates as text, with cells in hex. */
const shown = (where: readonly Predicate[]): unknown =>
  JSON.parse(JSON.stringify(predicates(table, where) ?? 'no row', (_, value: unknown) => hexOf(value))) as unknown

const hexOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer'
    ? Buffer.from((value as unknown as { data: number[] }).data).toString('hex')
    : value

test.each<[string, readonly Predicate[], unknown]>([
  ['equality', [{ column: 'i', equals: -2 }], [{ column: 'i', equality: { value: 'fe' } }]],
  ['text', [{ column: 's', equals: 'é' }], [{ column: 's', equality: { value: 'c3a9' } }]],
  ['a list is sorted, each value once', [{ column: 'i', in: [3, -1, 3] }], [{ column: 'i', inList: { values: ['ff', '03'] } }]],
  ['a list of one', [{ column: 'l', in: [1, 1n] }], [{ column: 'l', equality: { value: '0100000000000000' } }]],
  ['an empty list', [{ column: 'i', in: [] }], 'no row'],
  ['both booleans', [{ column: 'b', in: [true, false] }], [{ column: 'b', isNotNull: {} }]],
  ['a range', [{ column: 'i', from: -1, to: 3 }], [{ column: 'i', range: { lower: 'ff', upper: '03' } }]],
  ['from alone', [{ column: 's', from: 'b' }], [{ column: 's', range: { lower: '62' } }]],
  ['to alone', [{ column: 's', to: 'b' }], [{ column: 's', range: { upper: '62' } }]],
  ['from the smallest', [{ column: 'i', from: -128 }], [{ column: 'i', isNotNull: {} }]],
  ['from the smallest text', [{ column: 's', from: '', to: 'a' }], [{ column: 's', range: { upper: '61' } }]],
  ['from the largest', [{ column: 'i', from: 127 }], [{ column: 'i', equality: { value: '7f' } }]],
  ['to the smallest', [{ column: 'd', to: -719_162 }], 'no row'],
  ['a range of one number', [{ column: 'i', from: 3, to: 4 }], [{ column: 'i', equality: { value: '03' } }]],
  ['a range of one text', [{ column: 's', from: 'a', to: 'a\0' }], [{ column: 's', equality: { value: '61' } }]],
  ['a range of one float', [{ column: 'f', from: 0, to: Number.MIN_VALUE }], [{ column: 'f', equality: { value: '0'.repeat(16) } }]],
  ['an empty range', [{ column: 'i', from: 3, to: 3 }], 'no row'],
  ['a range that goes back', [{ column: 'i', from: 4, to: 3 }], 'no row'],
  ['true and up', [{ column: 'b', from: true }], [{ column: 'b', equality: { value: '01' } }]],
  ['less than true', [{ column: 'b', to: true }], [{ column: 'b', equality: { value: '00' } }]],
  ['less than false', [{ column: 'b', to: false }], 'no row'],
  ['null', [{ column: 'b', isNull: true }], [{ column: 'b', isNull: {} }]],
  ['null where nothing can be', [{ column: 'i', isNull: true }], 'no row'],
  ['not null', [{ column: 'v', isNull: false }], [{ column: 'v', isNotNull: {} }]],
  ['−0 is 0', [{ column: 'f', equals: -0 }], [{ column: 'f', equality: { value: '0'.repeat(16) } }]],
  ['bytes', [{ column: 'v', from: Buffer.of(0, 255) }], [{ column: 'v', range: { lower: '00ff' } }]],
  [
    'two columns',
    [
      { column: 'i', equals: 1 },
      { column: 's', equals: '' },
    ],
    [
      { column: 'i', equality: { value: '01' } },
      { column: 's', equality: { value: '' } },
    ],
  ],
  [
    'predicates on one column are one',
    [
      { column: 'i', from: -5 },
      { column: 'i', isNull: false },
      { column: 'i', in: [-9, 2, 7] },
      { column: 'i', to: 7 },
    ],
    [{ column: 'i', equality: { value: '02' } }],
  ],
  [
    'null and a value',
    [
      { column: 'b', isNull: true },
      { column: 'b', equals: true },
    ],
    'no row',
  ],
])('%s', (_, where, expected) => {
  expect(shown(where)).toEqual(expected)
})

test('no predicates', () => {
  expect(predicates(table, undefined)).toEqual([])
  expect(predicates(table, [])).toEqual([])
})

const wrong = <T>(value: unknown): T => value as T

test.each<[string, unknown]>([
  ["where[0].column is 'x', which is no column. There are 'i', 's', 'b', 'f', 'd', 'l', 'v'", { column: 'x', equals: 1 }],
  ["where[0].column is undefined, which is no column. There are 'i', 's', 'b', 'f', 'd', 'l', 'v'", { equals: 1 }],
  ['where[0] is null. Give an object', null],
  ['where[0] has no condition. Give one of equals, in, from and to, isNull', { column: 'i' }],
  ['where[0] has several conditions. Give one of equals, in, from and to, isNull', { column: 'i', equals: 1, from: 2 }],
  ["where[0].'equal' does not exist. There are column, equals, in, from, to, isNull", { column: 'i', equal: 1 }],
  ['where[0].equals is a string. INT8 takes a number', { column: 'i', equals: '1' }],
  ['where[0].equals is null. INT8 takes a number', { column: 'i', equals: null }],
  ['where[0].in is a number. Give an array', { column: 'i', in: 1 }],
  ['where[0].in[1] is 300. INT8 takes whole numbers from -128 to 127', { column: 'i', in: [1, 300] }],
  ['where[0].from is 0.5. INT8 takes whole numbers from -128 to 127', { column: 'i', from: 0.5 }],
  ['where[0].to is NaN, which Kudu takes as equal to every number', { column: 'f', to: NaN }],
  ['where[0].isNull is a number. Give true or false', { column: 'b', isNull: 1 }],
])('%s', (problem, predicate) => {
  expect(() => refusing('scan', () => predicates(table, [wrong(predicate)]))).toThrow(`scan() was not sent: ${problem}.`)
})

test('where is a list', () => {
  expect(() => refusing('scan', () => predicates(table, wrong('i = 1')))).toThrow('where is a string. Give an array')
})

test.each(allTypes)('%s: one condition holds where all predicates do', (type) => {
  const random = seeded()
  const of = tableOf({ types: ['INT8', type], keyColumns: 1, nullable: [1] })
  const [, column] = of.columns as [TableColumn, TableColumn]
  const [, cells] = layoutOf(of.columns).columns as [CellColumn, CellColumn]
  for (let round = 0; round < 300; round++) {
    const where = Array.from({ length: 1 + random.below(3) }, () => randomPredicate(random, column))
    const conditions = conditionsOf(of, where)
    for (let each = 0; each < 20; each++) {
      const value = each === 0 ? null : randomValue(random, column)
      const expected = where.every((predicate) => holdsFor(predicate, value))
      const found = conditions !== undefined && isMet(cells, conditions.get(cells) as Condition, value)
      if (expected !== found) expect({ where, value, holds: found }).toEqual({ where, value, holds: expected })
    }
  }
})

function isMet(column: CellColumn, condition: Condition, value: Value | null): boolean {
  if (condition.type === 'isNull') return value === null
  if (value === null || condition.type === 'none') return false
  const ordered = orderedOf(column, value)
  switch (condition.type) {
    case 'isNotNull':
      return true
    case 'equality':
      return ordered.equals(condition.value)
    case 'inList':
      return condition.values.some((each) => each.equals(ordered))
    default: {
      const { lower, upper } = condition
      return (lower === undefined || Buffer.compare(lower, ordered) <= 0) && (upper === undefined || Buffer.compare(ordered, upper) < 0)
    }
  }
}
