import { decimal, fixedBytes, text, type ColumnType } from 'rowkey/codec'
import { defineTable, schemaFromJSON } from 'rowkey'
import { expect } from 'vitest'
import type { Provocation, Remedies, Remedy } from './provocation.js'

// Schemas that were stored as JSON.

const withType = (type: object): object => ({
  format: 1,
  name: 'abc',
  writes: 'conditional',
  salt: [],
  columns: [{ name: 'a', physical: 'a', role: 'key', type }],
})

/** What `toJSON()` of such a schema returns can be read, also after it was stored as text. */
const reads =
  (type: ColumnType = text()): Remedy =>
  () => {
    const schema = defineTable('abc', { columns: { a: type }, key: ['a'] } as never)
    expect(schemaFromJSON(JSON.parse(JSON.stringify(schema.toJSON())) as object)).toHaveProperty('fingerprints', schema.fingerprints)
  }
const unchanged = (type?: ColumnType): Remedies => ({ 'Store the output of toJSON() unchanged': reads(type) })

export const jsonErrors: readonly Provocation[] = [
  ['JSON of another format', () => schemaFromJSON({ format: 2, name: 'abc' }), 'another version of rowkey'],
  ['JSON that is not a schema', () => schemaFromJSON(withType({ kind: 'txt' })), 'another version of rowkey'],
  [
    'JSON with a field that is missing',
    () => schemaFromJSON(withType({ kind: 'decimal', desc: false, nullable: false, precision: 9 })),
    unchanged(decimal(9, 2)),
  ],
  [
    'JSON with a field that is unknown',
    () => schemaFromJSON({ ...withType({ kind: 'text', desc: false, nullable: false }), views: [] }),
    'another version of rowkey',
  ],
  ['JSON with another value', () => schemaFromJSON(withType({ kind: 'text', desc: 'yes', nullable: false })), unchanged()],
  [
    'JSON with an invalid type',
    () => schemaFromJSON(withType({ kind: 'fixedBytes', desc: false, nullable: false, width: 0 })),
    unchanged(fixedBytes(1)),
  ],
  ['what is not JSON', () => schemaFromJSON({ ...withType({ kind: 'text' }), stores: { kudu: new Date(0) } }), unchanged()],
  ['JSON that cannot be read', () => schemaFromJSON({ get format(): never { throw new Error('a getter fails') } }), unchanged()], // prettier-ignore
  ['no JSON', () => schemaFromJSON(undefined as never), { "Pass the parsed output of a schema's toJSON()": reads() }],
]
