import { json, nullable } from '#codec'
import { values } from '#codec/internal'
import { expect, test } from 'vitest'

class Point {
  x = NaN
}
const circle: Record<string, unknown> = { a: 1 }
circle['self'] = circle
const deep = (levels: number): unknown => (levels === 0 ? undefined : [deep(levels - 1)])

const faults: readonly (readonly [given: unknown, fault: string | undefined])[] = [
  [{ d: undefined }, 'd is undefined'],
  [{ items: [{ at: 1 }, { at: new Date(0) }] }, 'items[1].at is an object of class Date'],
  [[1, [2, NaN]], '[1][1] is NaN'],
  [{ a: { b: { c: 10n } } }, 'a.b.c is 10n'],
  [{ a: new Uint8Array(2) }, 'a is an object of class Uint8Array'],
  [{ a: new Point() }, 'a.x is NaN'],
  [{ a: Object.create(new Point()) as object }, 'a is an object of class Point'],
  [{ a: new Map() }, 'a is an object of class Map'],
  [{ a: { toJSON: () => 1 } }, 'a is an object'],
  [{ a: [1, , 3] }, 'a is a list with holes or properties'],
  [{ a: '\ud800' }, 'a is "\\ud800"'],
  [{ ok: [true], f: () => 1 }, 'f is a function'],
  [{ 'a b': { '': undefined } }, 'a b. is undefined'],
  [{ 'a\n\u202eb': [undefined] }, String.raw`a\n\u202eb[0] is undefined`],
  [{ ['k'.repeat(5e6)]: undefined }, `${'k'.repeat(255)}… (5000000 characters) is undefined`],
  [deep(900), `${'[0]'.repeat(20)}… is undefined`],
  // Nothing in them is wrong by itself.
  [undefined, undefined],
  [new Date(0), undefined],
  [circle, undefined],
  [deep(1_500), undefined],
]

test.each(faults)('of data that JSON would change, the message says where: case %#', (given, fault) => {
  const toValue = () => values(nullable(json()), 'doc', 'docs').toValue(given)
  expect(toValue).toThrow(
    fault === undefined ? /cannot hold [^ ]*( object| list of 1)?\. Give plain JSON data/ : `: ${fault}. Give plain JSON data`,
  )
})

test('what is in it many times is looked at once', () => {
  let shared: unknown = ['a']
  for (let i = 0; i < 60; i++) shared = [shared, shared]
  expect(() => values(json(), 'doc').toValue({ shared, last: undefined })).toThrow(': last is undefined. Give')
})
