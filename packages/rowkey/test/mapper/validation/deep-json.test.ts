import { int32, json, nullable, text, type Json } from '#codec'
import { values } from '#codec/internal'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { defineTable, schemaFromJSON, type StandardSchema } from '#model'
import { type } from 'arktype'
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { isTooDeep } from '../../../src/mapper/rows/deep-json.js'
import { property } from '../../../../../test/kit/property.js'
import { onUsedStack } from '../../../../../test/setup/call-stack.js'
import { codeOf, refusalOf } from '../../../../../test/kit/refusal.js'
import { hostileText } from '../../../../../test/kit/hostile-json.js'

const listsOf = (levels: number): Json => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as Json
const objectsOf = (levels: number): Json => JSON.parse(`${'{"o":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`) as Json

type Tree = readonly Tree[]
const zodTree: z.ZodType = z.lazy(() => z.array(zodTree))
const valibotTree: v.GenericSchema<Tree> = v.array(v.lazy(() => valibotTree))
const { tree } = type.module({ tree: 'tree[]' }) as unknown as { readonly tree: StandardSchema }
const libraries: Readonly<Record<string, StandardSchema>> = { zod: zodTree, valibot: valibotTree, arktype: tree }
const anything: StandardSchema = { '~standard': { version: 1, vendor: 'test', validate: () => ({}) } }

async function open(options: object) {
  const Trees = defineTable('trees', { columns: { id: text(), n: int32({ default: 1 }), tree: nullable(json()) }, key: ['id'], ...options })
  const db = createMapper(memory())
  await db.ensureTables([Trees])
  return db.repository(Trees)
}

describe('ROW-6: JSON that is checked', () => {
  test.each(Object.entries(libraries))('ROW-6: is refused by its depth before %s sees it', async (_, schema) => {
    const trees = await open({ checks: { tree: schema } })
    await trees.put({ id: 'a', tree: listsOf(100) })
    for (const levels of [101, 500, 1000]) {
      const { code, details } = await refusalOf(() => trees.put({ id: 'a', tree: listsOf(levels) }))
      expect([code, (details['issues'] as { path: unknown }[]).map(({ path }) => path)]).toEqual(['VALIDATION_FAILED', [['tree']]])
      expect(await codeOf(() => trees.update({ id: 'a' }, { tree: listsOf(levels) }))).toBe('VALIDATION_FAILED')
      expect(await codeOf(() => trees.upsert({ id: 'a', tree: listsOf(levels) }))).toBe('VALIDATION_FAILED')
    }
    expect((await trees.get({ id: 'a' }))?.tree).toEqual(listsOf(100))
  })

  test('ROW-6: in a row with a check, also where the check looks at other columns only', async () => {
    const trees = await open({ check: anything })
    expect(await codeOf(() => trees.put({ id: 'a', tree: listsOf(101) }))).toBe('VALIDATION_FAILED')
    await trees.put({ id: 'a', tree: objectsOf(100) })
  })

  test('ROW-6: without a check it may have 1,000 levels, also next to columns with checks', async () => {
    for (const options of [{}, { checks: { n: anything } }]) {
      const trees = await open(options)
      await trees.put({ id: 'a', tree: objectsOf(1000) })
      await trees.update({ id: 'a' }, { tree: listsOf(1000) })
      expect((await trees.get({ id: 'a' }))?.tree).toEqual(listsOf(1000))
      expect(await codeOf(() => trees.put({ id: 'a', tree: listsOf(1001) }))).toBe('INVALID_VALUE')
    }
  })

  const levelsOf = (data: unknown): number =>
    typeof data !== 'object' || data === null ? 0 : 1 + Math.max(0, ...Object.values(data).map(levelsOf))
  const around = fc.tuple(hostileText, fc.integer({ min: 90, max: 105 }), fc.constantFrom('[', '{"[":', '{"\\"}":', '{"]\\\\":'))
  property('ROW-6: its levels are those of its lists and objects, whatever its texts contain', around, ([inner, levels, open]) => {
    const small = JSON.parse(inner) as unknown
    const sent = `${open.repeat(levels)}${inner}${(open === '[' ? ']' : '}').repeat(levels)}`
    expect(isTooDeep(JSON.stringify(JSON.parse(sent)))).toBe(levels + levelsOf(small) > 100)
    expect(isTooDeep(sent)).toBe(levels + levelsOf(small) > 100)
  })
})

describe('however little of the call stack is left', () => {
  test('1,000 levels of JSON are taken', () => {
    const column = values(json(), 'tree')
    for (const data of [listsOf(1000), objectsOf(1000)]) {
      expect(onUsedStack(() => column.toValue(data))).toBe(JSON.stringify(data))
      expect(onUsedStack(() => column.leastBytes(data, 1e6))).toBeGreaterThan(1999)
    }
  })

  test('more, and what is no JSON, are refused with their code', () => {
    const column = values(json(), 'tree')
    const faulty = JSON.parse(`${'{"o":'.repeat(999)}["\\ud800"]${'}'.repeat(999)}`) as unknown
    for (const data of [listsOf(1001), objectsOf(20_000), faulty]) {
      expect(() => onUsedStack(() => column.toValue(data))).toThrow('INVALID_VALUE')
    }
  })

  test('the JSON of a schema is read or refused', () => {
    const { toJSON } = defineTable('t', { columns: { a: text() }, key: ['a'] })
    const schema = toJSON()
    const stores = { other: objectsOf(999) }
    expect(onUsedStack(() => schemaFromJSON({ ...schema, stores })).stores).toEqual(stores)
    const [column] = schema.columns
    let inner: unknown = column?.type
    for (let i = 0; i < 990; i++) inner = { kind: 'reversed', desc: false, nullable: false, inner }
    expect(() => onUsedStack(() => schemaFromJSON({ ...schema, columns: [{ ...column, type: inner }] }))).toThrow(
      /INVALID_SCHEMA(?![^]*call stack)/,
    )
  })
})
