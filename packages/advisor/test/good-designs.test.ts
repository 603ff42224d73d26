import { expect, test } from 'vitest'
import { advise } from '../src/index.js'
import { goodDesigns } from './good-designs.js'

test('on 30 designs that are known to work there is no false alarm', () => {
  expect(goodDesigns.length).toBeGreaterThanOrEqual(30)
  const alarms = goodDesigns.flatMap(({ name, schema, options }) =>
    advise([schema], options)
      .findings.filter(({ severity }) => severity !== 'info')
      .map(({ code, evidence }) => `${name}: ${code}: ${evidence}`),
  )
  expect(alarms).toEqual([])
})
