import type { Value as KuduValue } from '@rowkey/kudu-client'
import type { Row, TableSchema, Value } from 'rowkey/adapter'
import { bucketColumn, keyColumns } from './keys.js'
import { saltingOf } from './salting/salting.js'
import { nameIn, type KuduOptions } from './options.js'

/** Where a row is for other clients. */
export interface KuduAddress {
  readonly table: string
  /** The primary key: a value for each column. */
  readonly key: Readonly<Record<string, KuduValue>>
}

export function locate(options: KuduOptions, schema: TableSchema, key: Row): KuduAddress {
  const bucket = saltingOf(schema) === 'column' ? [[bucketColumn, schema.layout.bucketOf(key)] as const] : []
  const columns = keyColumns(schema).map(({ name, write }, i) => [name, write(key[i] as Value)] as const)
  return { table: nameIn(options, schema.name), key: Object.fromEntries([...bucket, ...columns]) } // own properties, also for a column called __proto__
}
