import type { TableSchema } from '@rowkey/model'
import type { Rule } from '../contract/finding.js'
import { saltWeakness, showNames, typeFacts } from '@rowkey/codec/internal'

/** Instants of whole seconds are multiples of 1,000, so a modulo that shares a factor with it leaves buckets empty. */
export const moduloSeconds: Rule<TableSchema, 'modulo-seconds'> = ({ name, salt, columns }) =>
  salt.flatMap((level) => {
    const inputs = level.of.flatMap((input) => columns.filter((column) => column.name === input))
    const weakness = saltWeakness(
      level,
      inputs.map(({ type }) => typeFacts(type).storage),
    )
    if (weakness === undefined) return []
    const [column, ...others] = level.of
    return [
      {
        code: 'modulo-seconds',
        severity: 'warning',
        ...(column !== undefined && others.length === 0 ? { column } : {}),
        message: `The salt of '${name}' by ${showNames(level.of, "'")}: ${weakness.why}.`,
        fix: weakness.fix,
      },
    ]
  })
