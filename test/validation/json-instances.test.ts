import { json } from '@rowkey/codec'
import { values } from '@rowkey/codec/internal'
import { expect, test } from 'vitest'

// A ValidationPipe makes instances of nested data.

class Address {
  city: string | undefined = 'Rome'
  zip: number | undefined = undefined
  lines: (Address | string)[] = []
  get label(): string {
    return String(this.city)
  }
}
const textOf = (given: unknown): unknown => values(json(), 'a').toValue(given)

test('of an instance, its own enumerable properties are stored, without those that were not set', () => {
  const address = Object.assign(new Address(), { lines: [Object.assign(new Address(), { zip: 7 }), 'x'] })
  expect(textOf(address)).toBe('{"city":"Rome","lines":[{"city":"Rome","zip":7,"lines":[]},"x"]}')
  expect(textOf({ a: address })).toBe(JSON.stringify({ a: address }))
})

test('a property of a plain object that is undefined is refused: nobody declared it', () => {
  expect(() => textOf({ zip: undefined })).toThrow("column 'a' cannot hold an object: zip is undefined")
})

class Money {
  readonly #cents = 5
  toJSON(): number {
    return this.#cents
  }
}
test.each([
  ['Map', new Map([['a', 1]])],
  ['Set', new Set([1])],
  ['Date', new Date(0)],
  ['RegExp', /a/],
  ['Error', new Error('a')],
  ['a boxed text', Object('a') as object],
  ['bytes', new Uint8Array(2)],
  ['Promise', Promise.resolve(1)],
  ['WeakMap', new WeakMap()],
  ['a class of Map', new (class extends Map<string, number> {})([['a', 1]])],
  [
    'a class of a list',
    new (class extends Array<number> {
      own = 1
    })(),
  ],
  ['toJSON', new Money()],
  ['a method of its own', Object.assign(new Address(), { city: () => 'Rome' })],
  ['a hidden property', Object.defineProperty(new Address(), 'x', { value: 1, enumerable: false })],
  ['a symbol', Object.assign(new Address(), { [Symbol('x')]: 1 })],
  ['a wrong value inside', Object.assign(new Address(), { zip: NaN })],
])('what JSON would drop or change is refused: %s', (_, given) => {
  expect(() => textOf(given)).toThrow('INVALID_VALUE')
  expect(() => textOf({ inside: [given] })).toThrow('INVALID_VALUE')
})

test('the first property that does not fit is told, of instances too', () => {
  expect(() => textOf({ to: Object.assign(new Address(), { zip: NaN }) })).toThrow('to.zip is NaN')
})
