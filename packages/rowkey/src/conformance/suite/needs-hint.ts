import type { TableSchema } from '#model'
import type { Adapter } from '#store/adapter'

/** Whether the store refuses a table for a hint that its model does not have. */
export const needsHint = ({ hints = {} }: Adapter, schema: TableSchema): boolean =>
  Object.values(hints).some(({ lacking }) => lacking?.(schema) !== undefined)
