import {
  bool,
  bucket,
  bytes,
  date,
  decimal,
  desc,
  dictionary,
  fixedBytes,
  float32,
  float64,
  kuduHash,
  hashPrefix,
  int16,
  int32,
  int64,
  int8,
  nullable,
  paddedText,
  reversed,
  separatedText,
  text,
  timestamp,
  uint16,
  uint32,
  uint64,
  uint8,
  ulid,
  uuid,
  type ColumnType,
  type Salt,
} from '#codec'
import { derived } from '#codec/internal'
import { defineTable, schemaFromJSON, type TableSchema } from '#model'
import { describe, expect, test } from 'vitest'
import { problemsOf } from './problems-of.js'
import { everyType } from '../../../../test/written-before/schemas.js'

const table = (k: ColumnType, salt: Salt | Salt[] = []): TableSchema =>
  defineTable('golden', { columns: { k, n: int32() }, key: ['k', 'n'], salt: salt as never })

// Cursors and checkpoints carry these: a value that changes makes every one of its tables invalid.
describe('fingerprints never change', () => {
  test.each<[string, string, ColumnType]>([
    ['ee9454ce633be498', 'text', text()],
    ['88ac9246d6503d74', 'text with a name in the store', text({ name: 'k2' })],
    ['d7e7de656f9e416e', 'bytes', bytes()],
    ['4c3aa65908914573', 'fixedBytes', fixedBytes(4)],
    ['ecd3cd6fd50f350e', 'bool', bool()],
    ['ff7eb2eadbab0ff2', 'uuid', uuid()],
    ['85f4b3ac9ad8dad0', 'ulid', ulid()],
    ['9e3778ea20a3de58', 'int8', int8()],
    ['2926e75f99a924e8', 'int16', int16()],
    ['f766a8e86804171a', 'int32', int32()],
    ['fcd56cfa40d6d86a', 'int64', int64()],
    ['fcd56cfa40d6d86a', 'int64 as numbers', int64({ as: 'number' })],
    ['fcd56cfa40d6d86a', 'int64 with a default', int64({ default: 5n })],
    ['aaf4b94d19014bf8', 'uint8', uint8()],
    ['82ee8193db879c74', 'uint16', uint16()],
    ['2f91af1ec63ce75f', 'uint32', uint32()],
    ['8a9326088d88a380', 'uint64', uint64()],
    ['cc98aad3f4e46fa2', 'float32', float32()],
    ['10861b6273767742', 'float64', float64()],
    ['6f6fb123db2e89d3', 'milliseconds', timestamp('ms')],
    ['fcec4a2e929ee8b0', 'microseconds', timestamp('us')],
    ['4be700a6b0296948', 'nanoseconds', timestamp('ns')],
    ['5ff34c089aa83e75', 'date', date()],
    ['8d91aa6a50ec891b', 'paddedText', paddedText(6, { pad: '_' })],
    ['1dd64de42f4981d3', 'separatedText', separatedText('|')],
    ['32c5cfa80938f4e9', 'dictionary', dictionary({ b: 'y', a: 'x' })],
    ['32c5cfa80938f4e9', 'dictionary in another order', dictionary({ a: 'x', b: 'y' })],
    ['9c84eb850675f775', 'reversed text', reversed(text())],
    ['838dbedfa56e5e59', 'reversed int64', reversed(int64())],
    ['38d1ba7b44392f92', 'desc', desc(text())],
    ['99f99515a01e0577', 'nullable', nullable(text())],
    ['944cae05665ed1fa', 'nullable, desc, nulls last', nullable(desc(int32()), { nulls: 'last' })],
    // Since the version that tells their options apart.
    ['314b74b32f72edcc', 'decimal', decimal(9, 2)],
    ['0281d8ee935378f9', 'uuid in order of time', uuid({ order: 'time' })],
  ])('%s: key of %s', (fingerprint, _, type) => expect(table(type).fingerprints.key).toBe(fingerprint))

  test.each<[string, string, Salt | Salt[]]>([
    ['593f2f07dfc0391f', 'bucket', bucket({ of: 'k', count: 16 })],
    ['177e9b0f047269c0', 'bucket with a seed', bucket({ of: ['n', 'k'], count: 300, seed: 7 })],
    ['978f54d305cbcba5', 'modulo', bucket({ of: 'n', modulo: 5 })],
    ['2422aaf54a2ba129', 'hashPrefix', hashPrefix({ of: 'k', digits: 2 })],
    ['a60b06a9de1a6bfd', 'hashPartition', kuduHash({ of: 'k', count: 7, seed: 42 })],
    ['f8be6a90e6f3cc52', 'two levels', [bucket({ of: 'k', count: 4 }), bucket({ of: 'n', modulo: 3 })]],
  ])('%s: layout with %s', (fingerprint, _, salt) => expect(table(text(), salt).fingerprints.layout).toBe(fingerprint))

  test('of a table with every type of the first version', () => {
    expect(schemaFromJSON(JSON.parse(everyType) as object).fingerprints).toEqual({ key: '9e1e1576c782aa73', layout: '6ceea9bf9ba1b075' })
  })
})

describe('an option that is added to a type or a salt', () => {
  // As a later version of the codec may have them: nobody above it has to be told.
  const collated = derived(text(), { collation: 'de' } as object)
  const rounds = derived(bucket({ of: 'k', count: 16 }), { rounds: 2 } as object)

  test('is in the fingerprint and in the JSON', () => {
    expect(table(collated).fingerprints.key).not.toBe(table(text()).fingerprints.key)
    expect(table(derived(text(), { collation: 'fr' } as object)).fingerprints.key).not.toBe(table(collated).fingerprints.key)
    expect(table(reversed(collated)).fingerprints.key).not.toBe(table(reversed(text())).fingerprints.key)
    expect(table(text(), rounds).fingerprints.layout).not.toBe(table(text(), bucket({ of: 'k', count: 16 })).fingerprints.layout)
    expect(table(collated).toJSON().columns[0]?.type).toEqual({ kind: 'text', desc: false, nullable: false, collation: 'de' })
    expect(table(text(), rounds).toJSON().salt).toEqual([{ kind: 'hash', of: ['k'], count: 16, seed: 0, rounds: 2 }])
  })

  test('is refused by a version that does not know it', () => {
    const read = (schema: TableSchema): readonly string[] =>
      problemsOf(() => schemaFromJSON(JSON.parse(JSON.stringify(schema)) as object)).map(({ message }) => message)
    expect(read(table(collated))).toEqual([
      'the JSON is not what toJSON() of a schema returns: columns[0].type.collation is unknown to this version. If a newer version wrote it, use that version.',
    ])
    expect(read(table(text(), rounds)).join()).toContain('salt[0].rounds is unknown to this version')
  })
})
