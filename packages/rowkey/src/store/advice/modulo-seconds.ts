import type { SchemaColumn, TableSchema } from '#model'
import type { Reasoned, Rule } from '../contract/finding.js'
import { saltWeakness, showNames, typeFacts, type Storage } from '#codec/internal'

/** A level of a salt that leaves buckets empty. */
export interface WeakSalt {
  /** Its place in the salt. */
  readonly at: number
  /** Its columns. */
  readonly inputs: readonly SchemaColumn[]
  /** How many buckets it uses. */
  readonly used: number
  /** How many buckets it should have. */
  readonly instead: number
}

/**
 * The levels of a salt that leave buckets empty, because instants of whole seconds are multiples of 1,000 and a modulo shares a factor with it.
 *
 * @param storageOf what the values of a column count; by default what its type says
 */
export const weakSalts = (
  { name, salt, columns }: TableSchema,
  storageOf: (column: SchemaColumn) => Storage = ({ type }) => typeFacts(type).storage,
): readonly Reasoned<WeakSalt, 'modulo-seconds'>[] =>
  salt.flatMap((level, at) => {
    const inputs = level.of.flatMap((input) => columns.filter((column) => column.name === input))
    const weakness = saltWeakness(level, inputs.map(storageOf))
    if (weakness === undefined) return []
    const [column, ...others] = level.of
    return [
      {
        facts: { at, inputs, used: weakness.used, instead: weakness.instead },
        finding: {
          code: 'modulo-seconds',
          severity: 'warning',
          ...(column !== undefined && others.length === 0 ? { column } : {}),
          message: `The salt of '${name}' by ${showNames(level.of, "'")}: ${weakness.why}.`,
          fix: weakness.fix,
        },
      },
    ]
  })

/** As far as types say what instants count. */
export const moduloSeconds: Rule<TableSchema, 'modulo-seconds'> = (schema) => weakSalts(schema).map(({ finding }) => finding)
