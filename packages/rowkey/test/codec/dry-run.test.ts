import { desc, fromHex, keyLayout, nullable, text, toHex, type Value } from '#codec'
import { lmdb } from '@rowkey/lmdb'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { defineTable, schemaFromJSON } from '#model'
import { RecordFormat } from '#record'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { primaryKey } from '../../../../adapters/cassandra/src/keys.js'
import { valueTypeOf } from '../../../../adapters/cassandra/src/values.js'
import { valueCodec } from '../../../../adapters/dynamodb/src/values.js'
import { scratchFolder } from '../../../../test/kit/folder.js'
import { checksum } from './dry-run/checksum.js'
import { fastIpv4, ipv4 } from './dry-run/ipv4.js'

// A column type and a salt from outside the codec, each in one file that registers itself: nothing else knows them.

const folder = scratchFolder()
afterAll(folder.remove)

const Visits = defineTable('visits', {
  columns: { host: text(), from: ipv4(), seen: desc(ipv4()), via: nullable(ipv4()) },
  partition: ['host'],
  key: ['from', 'seen'],
  salt: checksum('from', 7),
})
const visit = (from: string, seen: string, via: string | null = null) => ({ host: 'web', from, seen, via })
const rows = [
  visit('10.0.0.2', '9.9.9.9'),
  visit('10.0.0.2', '1.1.1.1', '8.8.8.8'),
  visit('10.0.0.10', '0.0.0.0'),
  visit('192.0.2.1', '255.255.255.255'),
]

describe.each([
  ['without generated code of its own', ipv4],
  ['with generated code of its own', fastIpv4],
])('its bytes, %s: own encoding, descending and null by the codec, salt in front', (_, type) => {
  const layoutOf = (codegen: 'auto' | 'never') =>
    keyLayout(
      [
        ['from', type()],
        ['seen', desc(nullable(type()))],
      ],
      { salt: checksum('from', 7), codegen },
    )
  const key = { from: '10.0.0.2', seen: '0.0.0.255' }
  const row = [0x0a000002, 255]
  const hex = '050a00000201ffffff00'

  test.each(['interpreted', 'compiled'])('%s', (how) => {
    const made = vi.spyOn(globalThis, 'Function')
    const layout = layoutOf(how === 'compiled' ? 'auto' : 'never')
    if (how === 'compiled') for (let i = 0; i < 1100; i++) layout.encode(key)
    const sources = made.mock.calls.map((texts) => texts.join())
    made.mockRestore()
    // The code of the layout is the one that names the salt. Its text shows who writes the column.
    expect(
      sources.filter((text) => text.includes('s0.write')).map((text) => [text.includes('c0.write'), text.includes('parseIpv4')]),
    ).toEqual(how === 'interpreted' ? [] : [[type === ipv4, type === fastIpv4]])
    expect(toHex(layout.encode(key))).toBe(hex)
    expect(toHex(layout.encodeRow(row))).toBe(hex)
    expect(toHex(layout.encode({ ...key, seen: null }))).toBe('050a00000200')
    expect(layout.decode(fromHex(hex))).toEqual(key)
    expect(layout.decodeRow(fromHex(hex))).toEqual(row)
    expect(layout.rows.compareRows(row, [0x0a000002, 254])).toBe(-1)
    expect(() => layout.encode({ ...key, from: '10.0.0.256' })).toThrow(
      'column \'from\' cannot hold "10.0.0.256". Give an IPv4 address, four numbers from 0 to 255 with dots.',
    )
    expect(() => layout.decode(fromHex('060a00000201ffffff00'))).toThrow('the salt does not match these columns')
    expect(() => layout.decode(fromHex(hex.slice(0, -2)))).toThrow('MALFORMED_KEY')
  })
})

test('its schema goes to JSON and back', () => {
  const copy = schemaFromJSON(JSON.parse(JSON.stringify(Visits)) as object)
  expect(copy.fingerprints).toEqual(Visits.fingerprints)
  expect(copy.columns.map(({ type }) => type.kind)).toEqual(['text', 'ipv4', 'ipv4', 'ipv4'])
})

describe.each([
  ['memory', () => memory()],
  ['lmdb', () => lmdb(folder.path('visits'), { sync: false })],
])('in a table of %s', (_, open) => {
  test('writes, reads, ranges and residual conditions', async () => {
    const store = open()
    const db = createMapper(store)
    await db.ensureTables([Visits])
    const visits = db.repository(Visits)
    for (const row of rows) await visits.insert(row)
    expect(await visits.get({ host: 'web', from: '10.0.0.2', seen: '1.1.1.1' })).toEqual(rows[1])
    const near = await visits.scan({ host: 'web', from: { gte: '10.0.0.0', lt: '10.0.1.0' } }).toArray()
    expect(near).toEqual(rows.slice(0, 3))
    expect(await visits.scan({ host: 'web', via: '8.8.8.8' }).toArray()).toEqual([rows[1]])
    // A range of whole numbers without any: nothing to read.
    expect(visits.scan({ host: 'web', from: { gt: '10.0.0.2', lt: '10.0.0.3' } }).explain().kind).toBe('EMPTY')
    await expect(visits.scan({ host: 'web', from: { startsWith: '10.' } } as never).toArray()).rejects.toThrow(
      'startsWith needs a text column',
    )
    await store.close()
  })
})

describe('as a value of the stores', () => {
  const address = 2 ** 31 + 5

  test('Redis and LMDB: a record of its storage class', () => {
    const catalog = { valueColumns: ['via'] }
    const format = new RecordFormat(Visits, catalog as never)
    const row: Value[] = ['web', 1, 2, address]
    const read = new Array<Value>(Visits.columns.length).fill(null)
    const record = format.encode(row)
    format.reader().read(record, read)
    expect(read[3]).toBe(address)
    // A list of four: the format, no expiry, no version, and an unsigned integer of 32 bits.
    expect(toHex(record)).toBe('9401c0c0ce80000005')
    const damaged = (hex: string) => () => format.reader().read(fromHex(hex), read)
    expect(damaged('9401c0c0cf0000000100000000')).toThrow("column 'via' holds 4294967296, outside 0 to 4294967295")
    expect(damaged('9401c0c0ff')).toThrow("column 'via' holds -1, outside 0 to 4294967295")
    expect(damaged('9401c0c0a131')).toThrow(
      "UNREADABLE_ROW: this model of 'visits' cannot hold a stored row: column 'via' has the token 0xa1",
    )
  })

  test('DynamoDB: a number, within its bounds', () => {
    const { toAttribute, toValue } = valueCodec({ type: ipv4() })
    expect(toAttribute(address)).toEqual({ N: '2147483653' })
    expect([{ N: '2147483653' }, { N: '4294967296' }, { S: '1' }].map((attribute) => toValue(attribute))).toEqual([
      address,
      undefined,
      undefined,
    ])
  })

  test('Cassandra: the narrowest integer that has all of them, as a key column too', () => {
    const { cql, read, write } = valueTypeOf({ type: ipv4() })
    expect([cql, write(address).toString('hex'), read(2147483653n), read(-1n)]).toEqual(['bigint', '0000000080000005', address, undefined])
    expect(primaryKey(Visits, true).columns.map(({ name, order }) => [name, order])).toEqual([
      ['host', 'ASC'],
      ['from', 'ASC'],
      ['seen', 'DESC'],
    ])
  })
})

describe('the recipes of CONTRIBUTING', () => {
  const recipe = (name: string): string => {
    const page = readFileSync(new URL('../../../../CONTRIBUTING.md', import.meta.url), 'utf8')
    const [, rest = ''] = page.split(`**${name}.**`)
    return rest.split(/\n\*\*|\nTests|Tests:/)[0] ?? ''
  }
  const sources = (name: string): readonly string[] => recipe(name).match(/^\d+\. `packages\/[^`]+`/gm) ?? []

  test.each([
    ['A column type', 5],
    ['A salt', 3],
  ])('%s names at most %i source files', (name, max) => {
    expect(sources(name).length).toBeGreaterThan(1)
    expect(sources(name).length).toBeLessThanOrEqual(max)
  })

  // Names that are nothing but kinds; `text`, `decimal` and the like are storage classes or types of stores as well.
  test.each(['int16', 'uint64', 'fixedBytes', 'paddedText', 'separatedText', 'dictionary', 'reversed', 'hashPrefix', 'modulo'])(
    'the kind %s is named where the recipes say, and by nobody who branches on it',
    (kind) => {
      const root = fileURLToPath(new URL('../../../../', import.meta.url))
      const named = ['packages', 'adapters']
        .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name, 'src')))
        // The advisor proposes types and salts by name, and an encoding of Kudu is called dictionary as well.
        .filter((source) => existsSync(join(root, source)) && !source.includes('advisor'))
        .flatMap((source) => readdirSync(join(root, source), { recursive: true, encoding: 'utf8' }).map((name) => join(source, name)))
        .filter(
          (path) =>
            path.endsWith('.ts') &&
            !path.includes('/conformance/') &&
            !path.endsWith('/hints/column-storage.ts') &&
            readFileSync(join(root, path), 'utf8').includes(`'${kind}'`),
        )
      expect(named.length).toBeGreaterThan(1)
      expect(named.filter((path) => !/^packages\/rowkey\/src\/codec\/(?:(?:columns|salts)\/|type\/column-type\.ts$)/.test(path))).toEqual(
        [],
      )
    },
  )
})
