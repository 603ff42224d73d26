import { expect, test } from 'vitest'
import { advise } from '../src/index.js'
import { goodDesigns } from './good-designs.js'
import { goodUnderLoad } from './good-under-load.js'

test('on 40 designs that are known to work there is no false alarm', () => {
  const designs = [...goodDesigns, ...goodUnderLoad]
  expect(designs.length).toBeGreaterThanOrEqual(40)
  const alarms = designs.flatMap(({ name, schema, options }) =>
    advise([schema], options)
      .findings.filter(({ severity }) => severity !== 'info')
      .map(({ code, evidence }) => `${name}: ${code}: ${evidence}`),
  )
  expect(alarms).toEqual([])
})
