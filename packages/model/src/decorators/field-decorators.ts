import { isColumnType, type ColumnType, type Trait } from '@rowkey/codec'
import { versionColumn } from '../own-columns.js'
import type { StandardSchema } from '../standard-schema.js'
import type { AnyFieldDecorator, FieldDecorator, MayBeAbsent } from './decorator-types.js'
import { recordField, type FieldRecord } from './record.js'

/**
 * A partition column. Partition and key columns share one numbering from 1, partition columns first, so that the order of properties never
 * matters. Every scan binds partition columns with `=` or `in`.
 *
 * @example
 * ```ts
 * @Table('orders')
 * class Order {
 *   @PartitionKey(1, text()) buyer!: string
 *   @KeyColumn(2, uuid()) id!: string
 * }
 * schemaOf(Order).partitionLength //=> 1
 * ```
 */
export function PartitionKey<V, T extends Trait>(ordinal: number, type: ColumnType<V, T>): FieldDecorator<V, MayBeAbsent<T>> {
  return decorate(inKey('partition', ordinal, type))
}

/**
 * A key column at its place in the key. The field must be declared as the type of the column's values.
 *
 * @example
 * ```ts
 * @Table('events')
 * class Event { @KeyColumn(1, desc(timestamp('ms'))) at!: Date }
 * schemaOf(Event).columns[0]?.type.desc //=> true
 * ```
 */
export function KeyColumn<V, T extends Trait>(ordinal: number, type: ColumnType<V, T>): FieldDecorator<V, MayBeAbsent<T>> {
  return decorate(inKey('key', ordinal, type))
}

/**
 * A value column. The field must be declared as the type of the column's values.
 *
 * @example
 * ```ts
 * @Table('events')
 * class Event {
 *   @KeyColumn(1, text()) id!: string
 *   @Column(nullable(text())) note!: string | null
 * }
 * schemaOf(Event).columns[1]?.role //=> 'value'
 * ```
 */
export function Column<V, T extends Trait>(type: ColumnType<V, T>): FieldDecorator<V, MayBeAbsent<T>> {
  return decorate({ role: 'value', type })
}

/**
 * The version of a row: one more column, a ULID that every write replaces and reads return. `ifVersion` and `modify` need it. Leave it out
 * of rows to write (a value there is ignored), and of patches and predicates. All programs that write to the table must declare it.
 *
 * @example
 * ```ts
 * @Table('stocks')
 * class Stock {
 *   @KeyColumn(1, text()) sku!: string
 *   @Version() readonly rev!: string
 * }
 * schemaOf(Stock).columns[1]?.physical //=> 'rk_version'
 * ```
 */
export function Version(): FieldDecorator<string, null | undefined> {
  return decorate({ role: 'version', type: versionColumn('version').type })
}

type Decorated = Pick<FieldRecord, 'role' | 'ordinal' | 'type'>

/** A missing number is reported as such, not as two wrong arguments. */
function inKey(role: 'partition' | 'key', ordinal: unknown, type: ColumnType): Decorated {
  if (type === undefined && isColumnType(ordinal)) return { role, type: ordinal }
  return { role, ordinal: ordinal as number, type }
}

function decorate(field: Decorated): FieldDecorator<never> {
  return (target: unknown, nameOrContext: unknown, descriptor?: unknown) =>
    recordField(target, nameOrContext, descriptor, (record, on) => record.fields.push({ ...on, ...field }))
}

/**
 * What the values of a column must pass before they are written: Standard Schemas (zod, valibot, arktype …), and decorators of
 * class-validator, which work here in both decorator modes and need the mapper's option `classValidator`. They only check: values that they
 * transform are not used. Standard Schemas do not see nulls; class-validator does, as always.
 *
 * @example
 * ```ts
 * @Table('users')
 * class User {
 *   @KeyColumn(1, text()) id!: string
 *   @Check(z.email()) @Column(text()) mail!: string
 *   @Check(Length(2, 40), IsAlpha()) @Column(text()) name!: string
 * }
 * ```
 */
export function Check(...checks: readonly (StandardSchema | PropertyDecorator)[]): AnyFieldDecorator {
  return (target: unknown, nameOrContext: unknown, descriptor?: unknown) =>
    recordField(target, nameOrContext, descriptor, (record, on) => record.checks.push({ ...on, checks }))
}
