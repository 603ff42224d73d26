import type { SchemaColumn } from '#model'
import type { Value } from '#codec'
import { typeFacts } from '#codec/internal'

/** The form of the values of one column in a record, and which values are allowed. */
export interface Wire {
  readonly form: 'boolean' | 'int' | 'bigint' | 'float32' | 'float64' | 'text' | 'bytes'
  /** Inclusive, of `int`. */
  readonly min: number
  readonly max: number
  /** Inclusive, of `bigint`. */
  readonly minBigint: bigint
  readonly maxBigint: bigint
  /** Whether text or bytes of the right form are valid for this column; undefined if all are. */
  readonly accepts: ((value: Value) => boolean) | undefined
}

const base = { min: 0, max: 0, minBigint: 0n, maxBigint: 0n, accepts: undefined }

/** The wire form of a column. */
export function wireOf({ type }: Pick<SchemaColumn, 'type'>): Wire {
  const { storage, accepts } = typeFacts(type)
  switch (storage.class) {
    case 'boolean':
      return { ...base, form: 'boolean' }
    case 'int':
      return { ...base, form: 'int', min: storage.min, max: storage.max }
    case 'bigint':
      return { ...base, form: 'bigint', minBigint: storage.min, maxBigint: storage.max }
    case 'float':
      return { ...base, form: storage.bytes === 4 ? 'float32' : 'float64' }
    case 'bytes':
      return { ...base, form: 'bytes', accepts: storage.length === undefined ? undefined : accepts }
    case 'json':
      return { ...base, form: 'text' }
    case 'text':
      return { ...base, form: 'text', accepts: storage.restricted ? accepts : undefined }
    case 'decimal':
      return { ...base, form: 'text', accepts }
  }
}
