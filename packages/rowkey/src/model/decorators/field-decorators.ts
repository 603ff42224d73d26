// Tested by without-parentheses.test.ts.
import { isColumnType, type ColumnType, type TypeWrapper } from '#codec'
import { isTypeWrapper } from '#codec/internal'
import { versionColumn } from '../definition/own-columns.js'
import type { StandardSchema } from '../definition/standard-schema.js'
import type { AnyFieldDecorator, ColumnDecorator, FieldDecorator, Uncalled } from './decorator-types.js'
import type { Place } from './fits-row-key.js'
import { refuseUncalledField } from './not-called.js'
import { recordField, type FieldRecord } from './record.js'

/**
 * A partition column. Partition and key columns share one numbering from 1, partition columns first, so that the order of properties never
 * matters. Every scan binds partition columns with `=` or `in`. Without a type as {@link Column}.
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
export function PartitionKey(
  field: unknown,
  context: PropertyKey | DecoratorContext,
): Uncalled<'write @PartitionKey(1, …), with parentheses'>
export function PartitionKey<const O extends number, C extends ColumnType | TypeWrapper<'null'> = never>(
  ordinal: O,
  type?: C,
): ColumnDecorator<C, PlaceOf<'partition', O>>
export function PartitionKey(...given: readonly unknown[]): unknown {
  refuseUncalledField('PartitionKey(1, text())', given)
  return decorate(inKey('partition', given))
}

/**
 * A key column at its place in the key. The field must be declared as the type of the column's values. Without a type as {@link Column};
 * `desc()` is then written without one too, as in `@KeyColumn(2, desc()) at!: Date`.
 *
 * @example
 * ```ts
 * @Table('events')
 * class Event { @KeyColumn(1, desc(timestamp('ms'))) at!: Date }
 * schemaOf(Event).columns[0]?.type.desc //=> true
 * ```
 */
export function KeyColumn(field: unknown, context: PropertyKey | DecoratorContext): Uncalled<'write @KeyColumn(1, …), with parentheses'>
export function KeyColumn<const O extends number, C extends ColumnType | TypeWrapper<'null'> = never>(
  ordinal: O,
  type?: C,
): ColumnDecorator<C, PlaceOf<'key', O>>
export function KeyColumn(...given: readonly unknown[]): unknown {
  refuseUncalledField('KeyColumn(1, text())', given)
  return decorate(inKey('key', given))
}

/**
 * A value column. The field must be declared as the type of the column's values.
 *
 * Without a type, the field decides: string is `text()`, Date `timestamp('ms')`, bigint `int64()`, boolean `bool()` and Uint8Array `bytes()`.
 * Anything else is refused. This needs legacy decorators, `reflect-metadata`, and a compiler with `emitDecoratorMetadata`: tsc, SWC or Bun.
 * esbuild, tsx and Vitest emit nothing; give the type there.
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
export function Column(field: unknown, context: PropertyKey | DecoratorContext): Uncalled<'write @Column(…), with parentheses'>
export function Column<C extends ColumnType | TypeWrapper<'null'> = never>(type?: C): ColumnDecorator<C, PlaceOf<'value'>>
export function Column(...given: readonly unknown[]): unknown {
  refuseUncalledField('Column(text())', given)
  return decorate(typed('value', given))
}

/**
 * The version of a row: one more column, a ULID that every write replaces and reads return. A condition (`if`) may name it. Leave it out
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
export function Version(): FieldDecorator<string, null | undefined, PlaceOf<'version', never, 'null'>>
export function Version(...given: readonly unknown[]): FieldDecorator<string, null | undefined, PlaceOf<'version', never, 'null'>> {
  refuseUncalledField('Version()', given)
  return decorate(typed('version', [versionColumn('version').type]))
}

interface PlaceOf<Role extends Place['role'], O = never, T = never> {
  readonly role: Role
  readonly ordinal: O
  readonly traits: T
}

type ColumnRecord = Pick<FieldRecord, 'role' | 'ordinal' | 'type' | 'hasType'>

/** Of the arguments after the number. A missing number is reported as such, not as two wrong arguments. */
function inKey(role: 'partition' | 'key', given: readonly unknown[]): ColumnRecord {
  const [first, ...rest] = given
  return isColumnType(first) || isTypeWrapper(first) ? typed(role, given) : { ...typed(role, rest), ordinal: first as number }
}

function typed(role: FieldRecord['role'], given: readonly unknown[]): ColumnRecord {
  return { role, type: given[0] as FieldRecord['type'], hasType: given.length > 0 }
}

/** Whether the field fits is up to the compiler; here it is only recorded. */
function decorate(column: ColumnRecord): (target: unknown, nameOrContext: unknown, descriptor?: unknown) => never {
  return (target, nameOrContext, descriptor) => {
    recordField(target, nameOrContext, descriptor, (record, on) => record.fields.push({ ...on, ...column }))
    return undefined as never
  }
}

/**
 * What the values of a column must pass before they are written: Standard Schemas (zod, valibot, arktype …), and decorators of
 * class-validator, which work here in both decorator modes. Legacy ones may also stand on the field itself. They need the mapper's option
 * `classValidator`. Checks only check: values that they transform are not used. Standard Schemas do not see nulls; class-validator does.
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
  refuseUncalledField('Check(IsEmail())', checks)
  return (target: unknown, nameOrContext: unknown, descriptor?: unknown) =>
    recordField(target, nameOrContext, descriptor, (record, on) => record.checks.push({ ...on, checks }))
}
