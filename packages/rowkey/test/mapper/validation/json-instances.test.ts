import { json } from '#codec'
import { values } from '#codec/internal'
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

class Hidden {
  readonly #city = 'Rome'
  get city(): string {
    return this.#city
  }
}
class Filter {
  declare q?: string
  matches(): boolean {
    return this.q === undefined
  }
}
test('an instance of which nothing was set is empty', () => {
  expect(textOf(new Filter())).toBe('{}')
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
  ['data in a prototype', Object.create({ city: 'Rome' }) as object],
  ['data in the prototype of a class', Object.assign(Object.create(new Address()) as object, { zip: 1 })],
  ['private fields behind accessors', new Hidden()],
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
