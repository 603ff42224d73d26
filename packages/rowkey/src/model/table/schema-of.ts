// Tested by class-decorators.test.ts.
import { show } from '#codec/internal'
import type { ModelClass } from '../infer/class-types.js'
import type { Model } from '../infer/infer.js'
import { isTableSchema, type TableSchema } from '../schema.js'
import { compileTable } from './compile-table.js'
import type { Definition } from '../definition/definition.js'
import { fieldsBeside } from '../decorators/instance.js'
import { readClass } from '../decorators/read-class.js'
import { ownRecord, type Constructor } from '../decorators/record.js'
import { Problems } from '../problems.js'

/** By class, so that every part of a program gets the same schema object. It is garbage-collected with its class. */
const compiled = new WeakMap<Constructor, Compiled>()

interface Compiled {
  readonly schema: TableSchema
  readonly otherFields: ReadonlySet<string>
}

/**
 * The schema of a model: a schema as it is, a decorated class compiled once. Compiling also constructs the class once, to check that reads
 * can do so.
 *
 * @throws RowkeyError `INVALID_SCHEMA` with all problems of the class; `NOT_A_TABLE` if it is not a decorated class.
 * @example
 * ```ts
 * schemaOf(LogEvent) === schemaOf(LogEvent) //=> true
 * schemaOf(Events) === Events               //=> true
 * ```
 */
export function schemaOf(model: Model): TableSchema {
  return isTableSchema(model) ? model : compile(model).schema
}

/**
 * Fields of the instances of a class that are not columns: own properties of `new Class()` and accessors of its prototypes. Empty for a
 * schema.
 *
 * @throws RowkeyError as {@link schemaOf}
 * @example
 * ```ts
 * @Table('events')
 * class Event {
 *   @KeyColumn(1, text()) id!: string
 *   seen = false
 *   get title() { return `event ${this.id}` }
 * }
 * otherFields(Event) //=> Set(2) { 'seen', 'title' }
 * ```
 */
export function otherFields(model: Model): ReadonlySet<string> {
  return isTableSchema(model) ? new Set() : compile(model).otherFields
}

/**
 * Whether it is an instance of any decorated class with a table: a row, as a read returned it.
 *
 * @example
 * ```ts
 * isRowInstance(new LogEvent())      //=> true
 * isRowInstance({ host: 'web-1' })   //=> false
 * ```
 */
export function isRowInstance(given: object): boolean {
  const { constructor: made } = given as { readonly constructor: unknown }
  return typeof made === 'function' && (ownRecord(made as Constructor)?.tables.length ?? 0) > 0
}

function compile(model: Constructor): Compiled {
  const problems = new Problems()
  if (typeof model !== 'function') {
    problems.add({
      code: 'NOT_A_TABLE',
      message:
        `the model is ${show(model)}. Pass a decorated class or a schema that defineTable() returned. ` +
        'If it is undefined, two modules may import each other.',
    })
    throw problems.error(undefined)
  }
  const known = compiled.get(model)
  if (known !== undefined) return known
  const definition = readClass(model, problems)
  const otherFields = fieldsBeside(namesOf(definition), model, problems)
  const made = Object.freeze({ schema: compileTable(definition, problems, model as ModelClass), otherFields })
  compiled.set(model, made)
  return made
}

function namesOf({ columns, version }: Definition): ReadonlySet<string> {
  return new Set([...columns.map(([name]) => name), ...(version === undefined ? [] : [version])])
}
