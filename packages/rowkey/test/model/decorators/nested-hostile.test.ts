import { json, nullable, text } from '#codec'
import { createMapper, isRowkeyError } from '#mapper'
import { memory } from '#memory'
import { Column, KeyColumn, Table, Version } from '#model'
import { scaled } from '@rowkey/servers/scale'
import * as classValidator from 'class-validator'
import { IsInt, IsOptional, IsString, Length, Max, Min, validate, ValidateNested } from 'class-validator'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { refusalOf } from '../../../../../test/kit/refusal.js'
import { issuesOf, on } from '../../../../../test/kit/checked.js'
import { withTypes } from '../../../../../test/kit/design-types.js'
import { hostile, hostileText, parsed, type Hostile } from '../../../../../test/kit/hostile-json.js'

// Nested data from outside is data, whatever its properties are called and however deep it is.

class Address {
  name!: string
  n?: number
  inner?: Address
}
on(Address, 'name', IsString(), Length(2, 5))
on(Address, 'n', IsOptional(), IsInt(), Min(1), Max(9))
on(Address, 'inner', IsOptional(), ValidateNested())

@Table('people')
class Person {
  @KeyColumn(1, text()) id!: string
  @Column(nullable(json<unknown>())) address!: unknown
  @Column(nullable(text())) note!: string | null
  @Version() readonly rev!: string
}
on(Person, 'address', IsOptional(), ValidateNested())

const types = [
  [Person.prototype, 'address', Address],
  [Address.prototype, 'inner', Address],
] as const

const id = 'a'
async function open() {
  return withTypes(types, async () => {
    const db = createMapper(memory(), { classValidator })
    await db.ensureTables([Person])
    const people = db.repository(Person)
    const empty = { id, address: null, note: null }
    await people.put(empty)
    /** Every way to write an address. */
    const ways: Readonly<Record<string, (address: unknown) => Promise<unknown>>> = {
      put: (address) => people.put({ id, address, note: null }),
      insert: (address) => people.insert({ id: 'new', address, note: null }),
      putMany: (address) => people.putMany([empty, { id, address, note: null }]),
      load: (address) => people.putMany([{ id, address, note: null }]),
      upsert: (address) => people.upsert({ id, address }),
      update: (address) => people.update({ id }, { address }),
      'update if': (address) => people.update({ id }, { address }, { if: { note: null } }),
      modify: (address) => people.modify({ id }, () => ({ address })),
      'db.write': (address) => db.write([people.ops.put({ id, address, note: null })], { atomic: true }),
    }
    const stored = async (): Promise<unknown> => (await people.get({ id }))?.address
    const clear = async (): Promise<void> => {
      await people.delete({ id: 'new' })
      await people.put(empty)
    }
    return { ways, stored, clear }
  })
}

/** As a library that makes instances would read it, written independently; undefined if an object says itself what its class is. */
function instanceOf(data: unknown): { readonly value: unknown } | undefined {
  if (typeof data !== 'object' || data === null) return { value: data }
  if (Array.isArray(data)) {
    const items = data.map(instanceOf)
    return items.includes(undefined) ? undefined : { value: items.map((item) => item?.value) }
  }
  if (Object.hasOwn(data, 'constructor')) return undefined
  const address = new Address()
  for (const [name, value] of Object.entries(data)) {
    const inner = name === 'inner' ? instanceOf(value) : { value: value as unknown }
    if (inner === undefined) return undefined
    Object.defineProperty(address, name, { ...inner, enumerable: true, writable: true, configurable: true })
  }
  return { value: address }
}

function pathsOf(errors: readonly classValidator.ValidationError[], above = ''): string[] {
  return errors.flatMap(({ property, constraints = {}, children = [] }) => {
    const path = (property as string | undefined) === undefined ? above : above === '' ? property : `${above}.${property}`
    const own = Object.keys(constraints).map(() => path)
    const all = [...own, ...pathsOf(children, path)]
    return all.length > 0 ? all : [path]
  })
}

const nested = (levels: number, leaf: unknown = { name: 'Ulm' }): unknown => {
  let data = leaf
  for (let i = 1; i < levels; i++) data = { name: 'Ulm', inner: data }
  return data
}
const lists = (levels: number): unknown => {
  let data: unknown = { name: 'Ulm' }
  for (let i = 1; i < levels; i++) data = [data]
  return data
}

/** More like the class than other data is: most of it would otherwise be refused for its name alone. */
const likely = fc
  .tuple(
    fc.oneof(fc.constantFrom('null', '{"name":"Bonn","n":3}', '[{"name":"Bonn"}]'), hostileText),
    hostileText,
    fc.constantFrom('inner', 'n', 'x', 'constructor', '__proto__', 'toString', 'then'),
    fc.constantFrom('Ulm', '', 'x'.repeat(9)),
  )
  .map(([a, b, name, own]) => `{"name":${JSON.stringify(own)},"inner":${a},${JSON.stringify(name)}:${b}}`)

describe('ROW-6: hostile nested data', () => {
  test('ROW-6: is refused for the same reasons as by class-validator itself, or written as it is', async () => {
    const { ways, stored, clear } = await open()
    const counts = { written: 0, refused: 0 }
    const holds = async (sent: Hostile, way: string): Promise<void> => {
      const data = parsed(sent)
      await clear()
      let refusal: unknown
      await ways[way]?.(data).catch((error: unknown) => (refusal = error))
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
      expect(Object.keys(Object.prototype)).toEqual([])
      if (isRowkeyError(refusal, 'INVALID_VALUE')) return // no JSON that a column holds
      const instance = instanceOf(data)
      if (refusal === undefined) {
        counts.written++
        expect(await validate(Object.assign(new Person(), { id, address: instance?.value, note: null }))).toEqual([])
        if (way !== 'insert') expect(JSON.stringify(await stored())).toBe(JSON.stringify(data))
        return
      }
      counts.refused++
      if (!isRowkeyError(refusal, 'VALIDATION_FAILED')) throw refusal as Error
      const { issues } = refusal.details
      const paths = issues.map(({ path }) => path.join('.'))
      if ((issues[0]?.message ?? '').includes('levels deep')) return
      if (instance === undefined) expect(paths.every((path) => path.endsWith('constructor'))).toBe(true)
      else expect(paths).toEqual(pathsOf(await validate(Object.assign(new Person(), { id, address: instance.value, note: null }))))
    }
    await fc.assert(fc.asyncProperty(fc.oneof(hostile, { weight: 3, arbitrary: likely }), fc.constantFrom(...Object.keys(ways)), holds), {
      numRuns: scaled(1500),
      seed: Number(process.env['ROWKEY_SEED'] ?? 1),
    })
    expect(Math.min(counts.written, counts.refused)).toBeGreaterThan(scaled(100))
  })

  test.each(['null', '1', '"x"', '{}', '[]', '{"name":"Address","prototype":{}}', 'true'])(
    'ROW-6: cannot say itself what its class is: constructor %s',
    async (own) => {
      const { ways, stored } = await open()
      const address = JSON.parse(`{"name":"Ulm","constructor":${own}}`) as unknown
      for (const [way, write] of Object.entries(ways)) {
        expect(await issuesOf(() => write(address)), way).toEqual(['address.constructor'])
        expect(await issuesOf(() => write(nested(3, address))), way).toEqual(['address.inner.inner.constructor'])
        expect(await issuesOf(() => write([{ name: 'Ulm' }, address])), way).toEqual(['address.1.constructor'])
      }
      expect(await stored()).toBeNull()
    },
  )

  test.each([100, 101, 900, 1000])('ROW-6: of %i levels is written if checks can follow it, and refused before they do', async (levels) => {
    const { ways, clear } = await open()
    for (const [way, write] of Object.entries(ways)) {
      for (const data of [
        nested(levels),
        lists(levels),
        { name: 'Ulm', other: JSON.parse('['.repeat(levels - 1) + ']'.repeat(levels - 1)) as unknown },
      ]) {
        await clear()
        if (levels > 100) {
          const { code, details } = await refusalOf(() => write(data))
          expect([code, details['issues']], way).toEqual([
            'VALIDATION_FAILED',
            [{ path: ['address'], message: 'is more than 100 levels deep, which checks do not follow' }],
          ])
        } else if (way !== 'insert') await write(data)
      }
      expect(await issuesOf(() => write(nested(100, { name: '' }))), way).toEqual([`address${'.inner'.repeat(99)}.name`])
    }
  })
})
