import type { SchemaColumn } from 'rowkey/internal'
import type { SchemaChange } from './finding.js'

/** The change that gives a column another type, with its direction and its nulls. */
export const retyped = ({ name, type }: SchemaColumn, kind: string, more: object): SchemaChange => ({
  types: {
    [name]: { kind, desc: type.desc, nullable: type.nullable, ...(type.nulls === undefined ? {} : { nulls: type.nulls }), ...more },
  },
})
