import type { TableSchema } from '@rowkey/model'
import type { Warning } from '../contract/native.js'
import { saltWeakness, showNames, typeFacts } from '@rowkey/codec/internal'

/** What is likely to be a mistake in the design of a table, whatever store it is in. */
export function designWarnings({ name, salt, columns }: TableSchema): readonly Warning[] {
  return salt.flatMap((level) => {
    const storage = level.of.flatMap((input) =>
      columns.filter((column) => column.name === input).map(({ type }) => typeFacts(type).storage),
    )
    const weakness = saltWeakness(level, storage)
    if (weakness === undefined) return []
    return [{ code: 'modulo-seconds', message: `The salt of '${name}' by ${showNames(level.of, "'")}: ${weakness}.` }]
  })
}
