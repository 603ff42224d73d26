import { bool, bucket, int32, nullable, text } from '#codec'
import { defineTable } from '#model'
import { compileQuery } from '#store'
import { expect, test } from 'vitest'
import { alive } from '../../../../test/setup/garbage.js'
import { shapeOf } from '../../src/store/predicate/shape.js'

const table = () => defineTable('things', { columns: { a: text(), b: nullable(int32()), c: nullable(bool()) }, key: ['a'] })

test('R26: queries that differ in their values only share one compiled shape', () => {
  const Things = table()
  const shape = (where: object) => shapeOf(Things, where as Record<string, unknown>).shape
  expect(shape({ a: 'x', b: { gt: 1 } })).toBe(shape({ a: 'y', b: { gt: 2 } }))
  expect(shape({ a: { in: ['x'] } })).toBe(shape({ a: { in: ['x', 'y', 'z'] } }))
  const different = [
    { a: 'x' }, { a: { in: ['x'] } }, { a: { gt: 'x' } }, { a: { gte: 'x' } }, { a: { startsWith: 'x' } }, { a: { startsWith: '' } },
    { b: null }, { b: { isNull: false } }, { b: { gt: 1, lt: 2 } }, { a: 'x', b: 1 }, {},
  ] // prettier-ignore
  expect(new Set(different.map(shape)).size).toBe(different.length)
})

test('R26: a shape is not taken for another, whatever names and operands say', () => {
  const Things = table()
  compileQuery(Things, { a: 'x', b: { isNull: false } })
  expect(() => compileQuery(Things, { a: 'x', b: { isNull: 'no' } })).toThrow('isNull takes true or false')
  expect(() => compileQuery(Things, { a: 'x', b: { isNull: undefined } })).toThrow('isNull takes true or false')
  compileQuery(Things, { a: 'x' })
  expect(() => compileQuery(Things, { a: undefined })).toThrow('undefined')
  expect(() => compileQuery(Things, { '1:a=': 'x' })).toThrow('no such column')
  expect(() => compileQuery(Things, { 'a=1:b': 'x' })).toThrow('no such column')
  expect(() => compileQuery(Things, { a: { '': 'x' } })).toThrow('is not an operator')
  expect(compileQuery(Things, { a: { startsWith: '' }, b: null }, { unbounded: true }).predicate.bound).toEqual(new Set([1]))
  expect(() => compileQuery(Things, { a: { startsWith: '' } })).toThrow('FULL_SCAN_REFUSED')
  expect(() => compileQuery(Things, { a: { startsWith: 'x' } })).not.toThrow()
})

test('R26: shapes are bounded in number, and a refused one is not kept', () => {
  const many = defineTable('many', {
    columns: { a: text(), ...Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`v${i}`, nullable(int32())])) },
    key: ['a'],
  })
  const first = shapeOf(many, { a: 'x' }).shape
  const where = (bits: number): Record<string, unknown> => ({
    a: 'x',
    ...Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`v${i}`, bits & (1 << i) ? 1 : { gt: 1 }])),
  })
  for (let bits = 0; bits < 4096; bits++) shapeOf(many, where(bits))
  expect(shapeOf(many, { a: 'x' }).shape).not.toBe(first) // it was forgotten
  expect(shapeOf(many, where(4095)).shape).toBe(shapeOf(many, where(4095)).shape)
})

test('R26: a shape holds no values', async () => {
  const Things = table()
  const used = Array.from({ length: 20 }, () => {
    const operand = { in: [`x${Math.random()}`] }
    compileQuery(Things, { a: operand })
    return new WeakRef(operand)
  })
  expect(await alive(used)).toBe(0)
})

test('R23: the fan-out is that of all prefixes together, not of each', () => {
  const Salted = defineTable('salted', { columns: { a: text(), n: int32() }, key: ['a', 'n'], salt: bucket({ of: 'a', count: 64 }) })
  const where = { a: { in: ['p', 'q', 'r', 's', 't', 'u'] } }
  const { plan } = compileQuery(Salted, where)
  const buckets = plan.kind === 'scan' ? plan.streams.length : 0
  expect(buckets).toBeGreaterThan(2)
  expect(() => compileQuery(Salted, where, { maxFanOut: buckets })).not.toThrow()
  expect(() => compileQuery(Salted, where, { maxFanOut: buckets - 1 })).toThrow(`would read ${buckets} buckets, more than ${buckets - 1}`)
})
