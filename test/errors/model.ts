import { bucket, desc, json, nullable, text, timestamp, uint32 } from '@rowkey/codec'
import { Column, defineTable, KeyColumn, PartitionKey, renameTable, schemaFromJSON, schemaOf, Table, type Model } from '@rowkey/model'
import type { Provocation } from './provocation.js'

/** Untyped, as JavaScript calls it. */
const define = (name: string, definition: object) => () =>
  (defineTable as unknown as (name: string, definition: object) => unknown)(name, definition)
const columns = { a: text(), b: text() }

const withType = (type: object): object => ({
  format: 1,
  name: 'abc',
  writes: 'conditional',
  salt: [],
  columns: [{ name: 'a', physical: 'a', role: 'key', type }],
})

class NoTable {}

@Table('second_name')
@Table('first_name')
class Twice {
  @KeyColumn(1, text()) a!: string
}

class Parent {
  @KeyColumn(1, text()) a!: string
}
@Table('redefined')
class Redefined extends Parent {
  @KeyColumn(1, text()) override a = ''
}

@Table('numbers')
class Numbers {
  @KeyColumn(0, text()) a!: string
  @KeyColumn(1, text()) b!: string
  @KeyColumn(1, text()) c!: string
  @KeyColumn(4, text()) d!: string
}
@Table('partition_late')
class PartitionLate {
  @KeyColumn(1, text()) a!: string
  @PartitionKey(2, text()) b!: string
}

const Any = Column(text()) as unknown as (...args: unknown[]) => never
@Table('no_fields')
class NoFields {
  @KeyColumn(1, text()) a!: string
  @Any method(): void {
    // a method is no column
  }
}

@Table('field_types')
class FieldTypes {
  @KeyColumn(1, timestamp('ms')) at!: Date
}

@Table('needs_arguments')
class NeedsArguments {
  @KeyColumn(1, text()) a: string
  constructor(row: { a: string }) {
    this.a = row.a
  }
}

/** As a compiler that emits the declared types of fields would have it. */
function withDeclaredType(declared: unknown, run: () => unknown): unknown {
  const metadata = Reflect as { getMetadata?: unknown }
  const before = metadata.getMetadata
  metadata.getMetadata = (_: string, __: object, field: string) => (field === 'a' ? undefined : declared)
  try {
    return run()
  } finally {
    if (before === undefined) delete metadata.getMetadata
    else metadata.getMetadata = before
  }
}

const Bare = Column as unknown as (...args: unknown[]) => (...args: unknown[]) => never
const Numberless = KeyColumn as unknown as (...args: unknown[]) => (...args: unknown[]) => never
@Table('forgotten')
class Forgotten {
  @Numberless(text()) a!: string
  @Bare() b!: string
}

/** A class with one column that has no type, as legacy compilers decorate it. */
function withoutType(column: unknown = Column()): new () => object {
  class Untyped {}
  ;(KeyColumn(1, text()) as unknown as Legacy)(Untyped.prototype, 'a')
  ;(column as Legacy)(Untyped.prototype, 'b')
  Table('without_type')(Untyped)
  return Untyped
}
type Legacy = (target: object, name: string) => void

const of = (model: unknown) => () => schemaOf(model as Model)

export const modelErrors: readonly Provocation[] = [
  [
    'names that not every store accepts',
    define('a b', { columns: { 'a b': text(), rk_version: text(), '7': text(), constructor: text() }, key: ['a b'] }),
  ],
  ['two columns of one name', define('abc', { columns: { a: text({ name: 'x' }), b: text({ name: 'x' }) }, key: ['a'] })],
  ['something that is not a column type', define('abc', { columns: { a: 'text' }, key: ['a'] })],
  ['something that is not an object of columns', define('abc', { columns: [text()], key: [] })],
  [
    'too many columns',
    define('abc', { columns: Object.fromEntries(Array.from({ length: 251 }, (_, i) => [`c${i}`, text()])), key: ['c0'] }),
  ],
  ['a key without columns', define('abc', { columns, key: [] })],
  ['a key of unknown and repeated columns', define('abc', { columns, key: ['a', 'a', 'c'] })],
  ['JSON in the key', define('abc', { columns: { a: json() }, key: ['a'] })],
  [
    'salts that do not fit',
    define('abc', {
      columns: { ...columns, n: nullable(uint32()) },
      key: ['a', 'n'],
      salt: [bucket({ of: 'n', count: 4 }), bucket({ of: 'b', count: 4 }), 'x'],
    }),
  ],
  [
    'salts that share a column',
    define('abc', { columns, key: ['a', 'b'], salt: [bucket({ of: 'a', count: 4 }), bucket({ of: ['a', 'b'], count: 8 })] }),
  ],
  ['unknown and invalid options', define('abc', { columns, key: ['a'], writes: 'fast', colums: {}, stores: { kudu: new Date(0) } })],
  [
    'an invalid expiry, version and checks',
    define('abc', { columns, key: ['a'], ttl: '1 day', version: 'b', writes: 'plain', check: 'x', checks: { c: 5 } }),
  ],
  ['JSON of another format', () => schemaFromJSON({ format: 2, name: 'abc' })],
  ['JSON that is not a schema', () => schemaFromJSON(withType({ kind: 'txt' }))],
  ['JSON with a field that is missing', () => schemaFromJSON(withType({ kind: 'decimal', desc: false, nullable: false, precision: 9 }))],
  ['JSON with a field that is unknown', () => schemaFromJSON({ ...withType({ kind: 'text', desc: false, nullable: false }), indexes: [] })],
  ['JSON with another value', () => schemaFromJSON(withType({ kind: 'text', desc: 'yes', nullable: false }))],
  ['JSON with an invalid type', () => schemaFromJSON(withType({ kind: 'fixedBytes', desc: false, nullable: false, width: 0 }))],
  ['what is not JSON', () => schemaFromJSON({ ...withType({ kind: 'text' }), stores: { kudu: new Date(0) } })],
  ['JSON that cannot be read', () => schemaFromJSON({ get format(): never { throw new Error('a getter fails') } })], // prettier-ignore
  ['no JSON', () => schemaFromJSON(undefined as never)],
  ['a schema that is too long', define('abc', { columns: { ...columns, c: text({ default: 'x'.repeat(17_000_000) }) }, key: ['a'] })],
  ['a prefix that makes an invalid name', () => renameTable(defineTable('abc', { columns, key: ['a'] }), 'dev abc')],
  ['a model that is undefined', of(undefined)],
  ['a class without @Table', of(NoTable)],
  ['a class with @Table twice', of(Twice)],
  ['a column declared again', of(Redefined)],
  ['numbers of key columns', of(Numbers)],
  ['a partition column after the key', of(PartitionLate)],
  ['a method as a column', of(NoFields)],
  ['a key column without number, a column without type', of(Forgotten)],
  ['a class without a name', of(class {})],
  ['a decorator without metadata', () => Bare(text())(undefined, { kind: 'field', name: 'a', metadata: undefined })],
  ['a prefix before a name', () => renameTable(defineTable('abc', { columns, key: ['a'] }), '9 abc')],
  ['a table without definition', define('abc', undefined as never)],
  ['a class whose constructor needs arguments', of(NeedsArguments)],
  ['a field of another type than its column', () => withDeclaredType(String, of(FieldTypes))],
  ['a column without type, and no reflect-metadata', of(withoutType())],
  ['a column without type, and a compiler that emits none', () => withDeclaredType(undefined, of(withoutType()))],
  ...[Number, Object, Array, Buffer, RegExp, {}].map((declared): Provocation => [
    `a column without type, and a field of ${typeof declared === 'function' ? declared.name : 'an enum'}`,
    () => withDeclaredType(declared, of(withoutType())),
  ]),
  ['a column without type that is wrapped twice', () => withDeclaredType(String, of(withoutType(Column(desc(desc())))))],
  ['desc() without a type elsewhere', define('abc', { columns: { a: desc() }, key: ['a'] })],
]
