// Tested by buckets.test.ts and catalogs.test.ts.
import type { Value as KuduValue } from '@rowkey/kudu-client'
import { compareKeys, isKuduHash, latin1String, typeFacts, type SchemaColumn, type TableSchema, type Value } from 'rowkey/adapter'
import { keyColumns, type KeyColumn } from '../keys.js'
import { lastDay, type KuduType } from '../values.js'

/** How the salt of a table is kept. */
export type Salting = 'none' | 'hash' | 'column'

/**
 * `hash`: by hash partitions of Kudu. That needs salts of its hash, and that it has for each hashed column the bytes which the salt hashes: it would
 * search another tablet than the one in which a row is, and find nothing. Otherwise the bucket is a column.
 */
export function saltingOf(schema: TableSchema): Salting {
  const { salt, layout } = schema
  if (salt.length === 0) return 'none'
  if (!salt.every(isKuduHash)) return 'column'
  const keys = keyColumns(schema)
  return layout.salts.every(({ columns }) => columns.every((position) => isHashedAlike(schema, keys, position))) ? 'hash' : 'column'
}

/** Whether the column has the same bytes in a rowkey and in a key of Kudu, for values at its ends and in between. */
function isHashedAlike({ columns, layout }: TableSchema, keys: readonly KeyColumn[], position: number): boolean {
  const { type } = columns[position] as SchemaColumn
  const key = keys[position] as KeyColumn
  if (key.form !== 'native') return false
  return probesOf(type).every((value) => {
    const bytes = keyBytes(key.kudu, key.write(value))
    return bytes !== undefined && compareKeys(layout.column(position).encode(value), bytes) === 0
  })
}

function probesOf(type: SchemaColumn['type']): readonly Value[] {
  const { storage } = typeFacts(type)
  switch (storage.class) {
    case 'int':
      return storage.counts === 'days' ? [-1, 0, lastDay] : [storage.min, 0, storage.max]
    case 'bigint':
      return [storage.min, 0n, storage.max]
    case 'decimal': {
      const zero = storage.scale === 0 ? '0' : `0.${'0'.repeat(storage.scale)}`
      const one = `${zero.slice(0, -1)}1`
      return [zero, one, `-${one}`]
    }
    case 'text':
      return storage.restricted ? [] : ['', 'a\0ü']
    case 'bytes':
      return typeFacts(type).openEnded ? [] : [new Uint8Array(storage.length ?? 2)]
    default:
      return []
  }
}

/** A value in the key of Kudu before other columns: integers with the sign bit turned, text as UTF-8 with zeros escaped and an end. */
function keyBytes({ type, precision = 0 }: KuduType, stored: KuduValue): Uint8Array | undefined {
  const integer = (bytes: number): Uint8Array => {
    const turned = BigInt.asUintN(bytes * 8, BigInt(stored as number | bigint) ^ (1n << BigInt(bytes * 8 - 1)))
    return Uint8Array.from(Buffer.from(turned.toString(16).padStart(bytes * 2, '0'), 'hex'))
  }
  switch (type) {
    case 'INT8':
      return integer(1)
    case 'INT16':
      return integer(2)
    case 'INT32':
    case 'DATE':
      return integer(4)
    case 'INT64':
    case 'UNIXTIME_MICROS':
      return integer(8)
    case 'DECIMAL':
      return integer(precision <= 9 ? 4 : precision <= 18 ? 8 : 16)
    case 'STRING':
      return Buffer.from(`${(stored as string).replaceAll('\0', '\0\u0001')}\0\0`)
    case 'BINARY':
      return Buffer.from(`${latin1String(stored as Uint8Array).replaceAll('\0', '\0\u0001')}\0\0`, 'latin1')
    default:
      return undefined
  }
}
