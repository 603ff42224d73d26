import { expect, test } from 'vitest'
import { seeded } from '../../../../test/kit/seeded.js'

const numbers = (fixed?: number): number[] => {
  const random = seeded(fixed)
  return Array.from({ length: 5 }, () => random.below(1000))
}

test('random numbers are the same in every run, and can be others', () => {
  expect(numbers()).toEqual(numbers())
  expect(numbers(5)).not.toEqual(numbers(6))
  if (process.env['ROWKEY_SEED'] === undefined) expect(numbers()).toEqual(numbers(1))
})
