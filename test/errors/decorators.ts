import { desc, float64, int32, int64, json, nullable, text, timestamp, uint32, uint8, type ColumnType } from 'rowkey/codec'
import { Column, defineTable, KeyColumn, PartitionKey, schemaOf, Table, type Model } from 'rowkey'
import { expect } from 'vitest'
import type { Provocation, Remedies, Remedy } from './provocation.js'
import { gives } from './remedies.js'

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
@Table('renamed')
class Renamed extends Parent {
  @KeyColumn(2, text()) b = ''
}
@Table('called')
class Called {
  @KeyColumn(1, text()) a!: string
  @Column(text()) b!: string
}
@Table('removed')
class Removed extends Parent {}

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
@Table('numbered')
class Numbered {
  @PartitionKey(1, text()) b!: string
  @KeyColumn(2, text()) a!: string
  @KeyColumn(3, text()) c!: string
}

const Any = Column(text()) as unknown as (...args: unknown[]) => never
@Table('no_fields')
class NoFields {
  @KeyColumn(1, text()) a!: string
  @Any method(): void {
    // a method is no column
  }
}

/** A class of its own at each call, because the schema of a class is remembered. */
const fieldTypes = (type: ColumnType = timestamp('ms')): unknown => {
  @Table('field_types')
  class FieldTypes {
    @KeyColumn(1, type) at!: unknown
  }
  return FieldTypes
}

@Table('needs_arguments')
class NeedsArguments {
  @KeyColumn(1, text()) a: string
  constructor(row: { a: string }) {
    this.a = row.a
  }
}
@Table('needs_none')
class NeedsNone {
  @KeyColumn(1, text()) a: string
  constructor(row: { a?: string } = {}) {
    this.a = row.a ?? ''
  }
}

/** As a compiler that emits the declared types of fields would have it. */
export function withDeclaredType<T>(declared: unknown, run: () => T): T {
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
@Table('remembered')
class Remembered {
  @KeyColumn(1, text()) a!: string
  @Column(text()) b!: string
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
/** The names of the columns of a class. */
const columnsOf = (model: unknown, ...names: readonly string[]): Remedy => gives(() => of(model)().columns.map(({ name }) => name), names)

/** With each of these types, the field may be declared like this. */
const typed =
  (declared: unknown, ...types: readonly ColumnType[]): Remedy =>
  () => {
    for (const type of types) {
      const column = withDeclaredType(declared, of(withoutType(Column(type)))).columns.find(({ name }) => name === 'b')
      expect(column?.type).toEqual(type)
    }
    expect(types.length).toBeGreaterThan(0)
  }
/** If the field is declared like this, its type is known. */
const declaredAs = (declared: unknown): Remedy => gives(() => withDeclaredType(declared, of(withoutType())).columns.length, 2)

/** By what a field without a type of its own is declared as, where nothing else can be known. */
const untyped: readonly (readonly [declared: unknown, remedies: Remedies])[] = [
  [
    Number,
    {
      "int32(), uint32(), float64() and int64({ as: 'number' }) hold in different bytes. Choose one": typed(
        Number,
        int32(),
        uint32(),
        float64(),
        int64({ as: 'number' }),
      ),
    },
  ],
  [Object, { 'Write nullable(text()), text<T>() or json<T>()': typed(Object, nullable(text()), text<'x'>(), json<object>()) }],
  [Array, { 'Write json<T[]>()': typed(Array, json<string[]>()) }],
  [Buffer, { 'Declare it as Uint8Array': declaredAs(Uint8Array) }],
  [RegExp, { 'Write json<T>(), or another type': typed(RegExp, json<object>()) }],
  [
    {},
    {
      'Write text<T>() for texts, or a type of numbers such as uint8()': gives(
        () => [typed(String, text<'x'>()), typed(Number, uint8())].map((follow) => follow('', undefined as never)).length,
        2,
      ),
    },
  ],
]

const table: Remedies = { "Put @Table('name') on it. A subclass does not inherit the table of its parent": columnsOf(Removed, 'a') }

export const decoratorErrors: readonly Provocation[] = [
  [
    'a model that is undefined',
    of(undefined),
    {
      'Pass a decorated class or a schema that defineTable() returned. If it is undefined, two modules may import each other': gives(
        () => [of(Removed)(), of(defineTable('abc', { columns: { a: text() }, key: ['a'] }))()].length,
        2,
      ),
    },
  ],
  ['a class without @Table', of(NoTable), table],
  ['a class with @Table twice', of(Twice), { 'Keep one': columnsOf(Removed, 'a') }],
  [
    'a column declared again',
    of(Redefined),
    { 'Rename or remove one': gives(() => [of(Renamed)(), of(Removed)()].map(({ keyLength }) => keyLength), [2, 1]) },
  ],
  [
    'numbers of key columns',
    of(Numbers),
    {
      'Number the partition and key columns 1, 2, 3 and so on': columnsOf(Numbered, 'b', 'a', 'c'),
      'Give each its own number: it is the place in the key': columnsOf(Numbered, 'b', 'a', 'c'),
      'Number the partition and key columns without gaps, from 1': columnsOf(Numbered, 'b', 'a', 'c'),
    },
  ],
  ['a partition column after the key', of(PartitionLate), { 'Number the partition columns first': columnsOf(Numbered, 'b', 'a', 'c') }],
  ['a method as a column', of(NoFields), { 'Decorate public instance fields': columnsOf(Remembered, 'a', 'b') }],
  [
    'a key column without number, a column without type',
    of(Forgotten),
    {
      'Give it one, as in @Column(text())': columnsOf(Remembered, 'a', 'b'),
      'Number the partition and key columns 1, 2, 3 and so on': columnsOf(Numbered, 'b', 'a', 'c'),
    },
  ],
  ['a class without a name', of(class {}), table],
  [
    'a decorator without metadata',
    () => Bare(text())(undefined, { kind: 'field', name: 'a', metadata: undefined }),
    'a setting of the compiler',
  ],
  [
    'a decorator without parentheses',
    () => {
      const Uncalled = Column as unknown as (target: object, name: string) => void
      Uncalled(Parent.prototype, 'a')
    },
    { 'Write @Column(text())': () => expect(schemaOf(Called).columns).toHaveLength(2) },
  ],
  [
    'a class whose constructor needs arguments',
    of(NeedsArguments),
    {
      'Reads construct a model without arguments and then assign its columns, so its constructor must work without arguments': columnsOf(
        NeedsNone,
        'a',
      ),
    },
  ],
  [
    'a field of another type than its column',
    () => withDeclaredType(String, of(fieldTypes())),
    {
      'Declare it as Date': gives(() => withDeclaredType(Date, of(fieldTypes())).keyLength, 1),
      'change the column type': gives(() => withDeclaredType(String, of(fieldTypes(text()))).keyLength, 1),
    },
  ],
  [
    'a column without type, and no reflect-metadata',
    of(withoutType()),
    {
      "Put import 'reflect-metadata' before the first import of a model and set emitDecoratorMetadata": declaredAs(String),
      'give the column its type, as in @Column(text())': gives(() => of(withoutType(Column(text())))().columns.length, 2),
    },
  ],
  [
    'a column without type, and a compiler that emits none',
    () => withDeclaredType(undefined, of(withoutType())),
    {
      'Set emitDecoratorMetadata, compile with tsc, SWC or Bun (esbuild, tsx and Vitest cannot emit it), and import reflect-metadata before the first model':
        declaredAs(String),
      'give the column its type, as in @Column(text())': typed(undefined, text()),
    },
  ],
  ...untyped.map(([declared, remedies]): Provocation => [
    `a column without type, and a field of ${typeof declared === 'function' ? declared.name : 'an enum'}`,
    () => withDeclaredType(declared, of(withoutType())),
    remedies,
  ]),
  [
    'a column without type that is wrapped twice',
    () => withDeclaredType(String, of(withoutType(Column(desc(desc()))))),
    { 'Leave one desc() out': gives(() => withDeclaredType(String, of(withoutType(Column(desc())))).columns[1]?.type.desc, true) },
  ],
  [
    'desc() without a type elsewhere',
    () => defineTable('abc', { columns: { a: desc() }, key: ['a'] } as never),
    { 'Give a column type such as text() or int64()': gives(() => defineTable('abc', { columns: { a: desc(text()) }, key: ['a'] })) },
  ],
]
