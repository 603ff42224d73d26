import { uint32 } from '#codec'
import { defineTable } from '#model'
import { compileQuery } from '#store'
import { expect, test } from 'vitest'

const Numbers = defineTable('numbers', { columns: { n: uint32() }, key: ['n'] })

test.each([
  ['maxRanges', 0, 'from 1 to 100000'],
  ['maxRanges', 1.5, 'from 1 to 100000'],
  ['maxRanges', 100_001, 'from 1 to 100000'],
  ['maxFanOut', 0, 'from 1'],
  ['maxFanOut', NaN, 'from 1'],
] as const)('R10: a limit that is none is refused: %s %d', (option, value, range) => {
  expect(() => compileQuery(Numbers, { n: 1 }, { [option]: value })).toThrow(
    expect.objectContaining({
      code: 'INVALID_OPTION',
      details: { option, value: String(value) },
      message: expect.stringContaining(`${range}.`) as string,
    }),
  )
  expect(() => compileQuery(Numbers, { n: 1 }, { [option]: 1 })).not.toThrow()
})
