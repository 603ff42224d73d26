import { expect, test } from 'vitest'
import { expectedHex } from './vectors.js'
import { workOfNode } from './work-of-node.js'

const bytes = workOfNode('auto')

test('Node: hot and cold give the bytes of the specification, from code that was made', () => {
  expect(expectedHex.length).toBeGreaterThan(100)
  expect(bytes.vectors.map(([cold]) => cold)).toEqual(expectedHex)
  expect(bytes.vectors.map(([, hot]) => hot)).toEqual(expectedHex)
  expect(bytes.vectors.map(([, , , again]) => again)).toEqual(expectedHex)
  expect(bytes.random.map((keys) => keys.length)).toEqual(Array.from(bytes.random, () => 1500))
  expect(bytes.code.made).toBeGreaterThanOrEqual(expectedHex.length + bytes.random.length) // at least once per layout
  expect(bytes.code.asked).toBe(bytes.code.made)
})

test('Node --disallow-code-generation-from-strings: the same from closures, after one attempt', () => {
  expect(workOfNode('auto', '--disallow-code-generation-from-strings')).toEqual({ ...bytes, code: { asked: 1, made: 0 } })
})

test("codegen 'never': the same from closures, without an attempt", () => {
  expect(workOfNode('never')).toEqual({ ...bytes, code: { asked: 0, made: 0 } })
})
