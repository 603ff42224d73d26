import { json, text } from '#codec'
import { defineTable, schemaFromJSON, type TableSchema } from '#model'
import { shortened } from '@rowkey/servers/scale'
import fc from 'fast-check'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { seed } from '../../../../test/kit/property.js'
import { problemsOf } from './problems-of.js'
import { randomTable } from './random-schema.js'
import { everyType, expiring, laterTypes } from '../../../../test/written-before/schemas.js'

const messages = (given: unknown): readonly string[] =>
  problemsOf(() => schemaFromJSON(given as object)).map(({ code, message }) => `${code}: ${message}`)

describe('what was written before stays readable', () => {
  test.each([
    ['every type of the first version', everyType],
    ['types that came later', laterTypes],
    ['expiry and versions', expiring],
  ])('%s: to the letter', (_, written) => expect(JSON.stringify(schemaFromJSON(JSON.parse(written) as object))).toBe(written))
})

type Path = readonly (string | number)[]

/** The paths of everything in data. */
function pathsIn(data: unknown, path: Path = []): readonly Path[] {
  if (typeof data !== 'object' || data === null) return [path]
  const steps = Array.isArray(data) ? data.map((_, i) => i) : Object.keys(data)
  return [path, ...steps.flatMap((step) => pathsIn((data as Record<string | number, unknown>)[step], [...path, step]))]
}

const at = (data: unknown, path: Path): unknown => path.reduce((inside, step) => (inside as Record<string | number, unknown>)[step], data)

/** As a message names it. */
const placeOf = (path: Path): string =>
  path.reduce<string>((before, step) => (typeof step === 'number' ? `${before}[${step}]` : before === '' ? step : `${before}.${step}`), '')

const parsed = (schema: TableSchema): object => JSON.parse(JSON.stringify(schema)) as object
/** Without these it is the JSON of another schema. */
const optional = ['default', 'order', 'ttl']
const isHint = ([first]: Path): boolean => first === 'stores'

describe('strict at every level', () => {
  test('a field that is missing is refused wherever it is, and the message names it', () => {
    for (const written of [everyType, laterTypes, expiring]) {
      for (const path of pathsIn(JSON.parse(written))) {
        const [parent, step] = [path.slice(0, -1), path.at(-1)]
        if (typeof step !== 'string' || optional.includes(step) || isHint(path)) continue
        const given = JSON.parse(written) as object
        Reflect.deleteProperty(at(given, parent) as object, step)
        const found = messages(given).join('\n')
        expect(found, placeOf(path)).not.toBe('')
        // A constant of a type is seen when it is converted, so the constant is what is named, or its type.
        const places = path.map((_, i) => placeOf(path.slice(0, i + 1)))
        expect(
          places.some((place) => found.includes(`${place} `) || found.includes(`${place}. `)) || found.startsWith('INVALID'),
          found,
        ).toBe(true)
      }
    }
  })

  test.each([
    ['scale', laterTypes, ['columns', 0, 'type', 'scale']],
    ['precision', laterTypes, ['columns', 0, 'type', 'precision']],
    ['desc', everyType, ['columns', 2, 'type', 'desc']],
    ['nullable', everyType, ['columns', 3, 'type', 'nullable']],
    ['nulls', everyType, ['columns', 9, 'type', 'nulls']],
    ['as', everyType, ['columns', 2, 'type', 'as']],
    ['unit', everyType, ['columns', 2, 'type', 'unit']],
    ['codes', everyType, ['columns', 4, 'type', 'codes']],
    ['a field of the type inside', everyType, ['columns', 7, 'type', 'inner', 'as']],
    ['the value of a default', everyType, ['columns', 9, 'type', 'default', 'value']],
    ['the seed of a salt', laterTypes, ['salt', 0, 'seed']],
    ['writes', everyType, ['writes']],
  ])('%s is not filled in', (_, written, path) => {
    const given = JSON.parse(written) as object
    Reflect.deleteProperty(at(given, path.slice(0, -1)) as object, path.at(-1) as string)
    const [message] = messages(given)
    expect(message).toMatch(/^MALFORMED_JSON: the JSON is not what toJSON\(\) of a schema returns: /)
    expect(message).toContain(placeOf(path.slice(0, 3)))
  })

  test('a field that is unknown is refused wherever it is, with its place, and as what a newer version may have written', () => {
    for (const written of [everyType, laterTypes, expiring]) {
      for (const path of pathsIn(JSON.parse(written))) {
        const given = JSON.parse(written) as object
        const object = at(given, path)
        if (typeof object !== 'object' || object === null || Array.isArray(object) || isHint(path)) continue
        ;(object as Record<string, unknown>)['newer'] = 1
        const place = placeOf([...path, 'newer'])
        expect(messages(given)).toEqual([
          `MALFORMED_JSON: the JSON is not what toJSON() of a schema returns: ${place} is unknown to this version. If a newer version wrote it, use that version.`,
        ])
      }
    }
  })

  test('random schemas with anything changed: refused, or read as what they say', () => {
    const other = fc.constantFrom<unknown>(null, true, false, 0, 1, -1, 2.5, '', 'x', 'text', [], {}, ['a'], { a: 1 }, { bigint: '0x5' })
    const change = fc.record({ pick: fc.nat(), value: other, how: fc.constantFrom('set', 'delete', 'add', 'swap') })
    const runs = shortened(1500)
    let refused = 0
    fc.assert(
      fc.property(randomTable, change, ({ schema }, { pick, value, how }) => {
        const given = parsed(schema)
        const paths = pathsIn(given).filter(({ length }) => length > 0)
        const path = paths[pick % paths.length] as Path
        const object = at(given, path.slice(0, -1)) as Record<string | number, unknown>
        const step = path.at(-1) as string | number
        if (how === 'set') object[step] = value
        else if (how === 'delete' && !Array.isArray(object)) Reflect.deleteProperty(object, step)
        else if (how === 'add' && !Array.isArray(object)) object['more'] = value
        else if (Array.isArray(object)) object.reverse()
        try {
          expect(isDeepStrictEqual(parsed(schemaFromJSON(given)), JSON.parse(JSON.stringify(given)))).toBe(true)
        } catch (error) {
          expect(error).toMatchObject({ code: 'INVALID_SCHEMA' })
          refused++
        }
      }),
      { numRuns: runs, seed },
    )
    expect(refused).toBeGreaterThan(runs * 0.45)
  })

  test('lists that are shorter, longer or in another order', () => {
    const change = (edit: (json: { columns: object[]; salt: object[] }) => void): readonly string[] => {
      const given = JSON.parse(everyType) as { columns: object[]; salt: object[] }
      edit(given)
      return messages(given)
    }
    expect(change(({ columns }) => columns.reverse()).join()).toMatch(/^MALFORMED_JSON|^INVALID/)
    expect(change(({ columns }) => columns.push(columns.at(-1) as object)).join()).toContain('DUPLICATE_NAME')
    expect(change(({ salt }) => salt.push(...Array.from({ length: 40 }, () => salt[0] as object))).join()).toContain(
      'salt has 43 items, but the maximum is',
    )
    expect(change((json) => Object.assign(json, { columns: Array.from({ length: 300 }, () => json.columns[0]) })).join()).toContain(
      'columns has 300 items, but the maximum is 252',
    )
  })
})

describe('what is no data of its own', () => {
  test.each<[string, () => object]>([
    ['a getter that throws', () => ({ ...parsed(schema), get columns(): never { throw new Error('no') } })], // prettier-ignore
    ['a proxy that throws', () => new Proxy(parsed(schema), { ownKeys: () => { throw new Error('no') } })], // prettier-ignore
    ['a proxy that throws inside', () => ({ ...parsed(schema), columns: [new Proxy({}, { getPrototypeOf: () => { throw new Error('no') } })] })], // prettier-ignore
    ['a class', () => Object.assign(new (class Json {})(), parsed(schema))],
    ['a function', () => ({ ...parsed(schema), stores: { a: () => 1 } })],
    ['undefined', () => ({ ...parsed(schema), ttl: undefined })],
    ['a bigint', () => ({ ...parsed(schema), ttl: 5n })],
    ['a cycle', () => { const stores: Record<string, unknown> = {}; stores['stores'] = stores; return { ...parsed(schema), stores } }], // prettier-ignore
    ['a list', () => [parsed(schema)]],
    ['the schema itself', () => schema],
  ])('%s is MALFORMED_JSON', (_, make) => expect(messages(make()).join()).toMatch(/^MALFORMED_JSON: the JSON is /))

  test('a getter is read once: nothing that is looked at says something else later', () => {
    let reads = 0
    const given = parsed(schema)
    const { columns } = given as { columns: object[] }
    Object.defineProperty(given, 'columns', { enumerable: true, get: () => (reads++ === 0 ? columns : [{ name: 'evil' }]) })
    expect(JSON.stringify(schemaFromJSON(given))).toBe(JSON.stringify(schema))
    expect(reads).toBe(1)
  })
})

describe('limits come before the work', () => {
  /** 2^n leaves in n lists. */
  const shared = (levels: number): unknown => {
    let data: unknown = 1
    for (let i = 0; i < levels; i++) data = [data, data]
    return data
  }
  const tooLong = 'it is more than about 16777216 characters long'

  test('lists that hold each other', () => {
    expect(messages({ ...parsed(schema), stores: { kudu: shared(900) } }).join()).toContain(tooLong)
    expect(messages({ ...parsed(schema), columns: shared(900) }).join()).toContain(tooLong)
    expect(problemsOf(() => defineTable('evt', { ...definition, stores: { kudu: shared(900) } }))).toMatchObject([
      { code: 'INVALID_OPTION' },
    ])
  })

  test('one long text in many places', () => {
    const long = 'x'.repeat(1_000_000)
    expect(messages({ ...parsed(schema), stores: { kudu: Array.from({ length: 100_000 }, () => long) } }).join()).toContain(tooLong)
  })

  test('a number with millions of digits, and as many columns of a salt', () => {
    const given = JSON.parse(everyType) as { columns: { type: { default?: object } }[]; salt: object[] }
    Object.assign(given.columns[16]?.type.default ?? {}, { value: { bigint: '9'.repeat(4_000_000) } })
    expect(messages(given).join()).toContain('columns[16].type.default.value.bigint is ')
    const salted = JSON.parse(everyType) as { salt: object[] }
    Object.assign(salted.salt[0] ?? {}, { of: Array.from({ length: 100_000 }, (_, i) => `c${i}`) })
    expect(messages(salted).join()).toContain('salt[0].of has 100000 items')
  })

  test('what could not be read again cannot be defined', () => {
    const long = text({ default: 'x'.repeat(17_000_000) })
    expect(problemsOf(() => defineTable('evt', { ...definition, columns: { ...definition.columns, long } }))).toEqual([
      {
        code: 'INVALID_OPTION',
        message: 'its JSON is more than about 16777216 characters long. Shorten defaults, dictionaries or what is in stores.',
      },
    ])
    // Hints may be as deep as ever, which is a level more in the JSON of the schema.
    let deep: unknown = 1
    for (let i = 0; i < 999; i++) deep = { deep }
    const made = defineTable('evt', { ...definition, stores: deep as Record<string, unknown> })
    expect(schemaFromJSON(parsed(made)).stores).toEqual(deep)
  })
})

const definition = { columns: { k: text(), v: json({ default: { a: 1 } }) }, key: ['k'] as const }
const schema: TableSchema = defineTable('evt', { columns: { k: text(), v: json({ default: { a: 1 } }) }, key: ['k'] })
