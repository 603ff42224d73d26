import { show } from '@rowkey/codec'
import type { Model } from './infer/infer.js'
import type { TableSchema } from './schema.js'
import { isTableSchema } from './brand.js'
import { compileTable } from './compile-table.js'
import { readClass } from './decorators/read-class.js'
import type { Constructor } from './decorators/record.js'
import { Problems } from './problems.js'

/** By class, so that every part of a program gets the same schema object; a class that is collected takes it along. */
const compiled = new WeakMap<Constructor, TableSchema>()

/**
 * The schema of a model: a schema as it is, a decorated class compiled once.
 *
 * @throws RowkeyError `INVALID_SCHEMA` with all problems of the class; `NO_TABLE` if it is no decorated class.
 * @example
 * ```ts
 * schemaOf(LogEvent) === schemaOf(LogEvent) //=> true
 * schemaOf(Events) === Events               //=> true
 * ```
 */
export function schemaOf(model: Model): TableSchema {
  if (isTableSchema(model)) return model
  const problems = new Problems()
  if (typeof model !== 'function') {
    problems.add(
      'NO_TABLE',
      undefined,
      `the model is ${show(model)}, neither a decorated class nor a schema of defineTable. ` +
        'If it is undefined, modules may import each other in a circle.',
    )
    throw problems.error(show(model))
  }
  const known = compiled.get(model)
  if (known !== undefined) return known
  const schema = compileTable(readClass(model, problems), problems)
  compiled.set(model, schema)
  return schema
}
