import { RowkeyError } from '#codec'
import { expect, test } from 'vitest'
import { atIndex, withoutIndex } from '../../src/store/write/at-index.js'

const error = new RowkeyError('INVALID_VALUE', "column 'n' cannot hold 300.", { column: 'n' })

test('the index of a list is told, and taken off again', () => {
  const placed = atIndex(12, error) as RowkeyError
  expect(placed).toMatchObject({
    message: "INVALID_VALUE: at index 12 of the list: column 'n' cannot hold 300.",
    details: { column: 'n', index: 12 },
  })
  expect(withoutIndex(placed)).toBe("column 'n' cannot hold 300.")
})

test('nothing else is taken off', () => {
  expect(withoutIndex(error)).toBe("column 'n' cannot hold 300.")
  const quoting = new RowkeyError('X', 'it says "at index 3 of the list: "', { index: 3 })
  expect(withoutIndex(quoting)).toBe('it says "at index 3 of the list: "')
  const foreign = new Error('x')
  expect(atIndex(1, foreign)).toBe(foreign)
})
