// Tested by values.test.ts.
import type { Row, TypeData, Value } from '@rowkey/codec'
import type { SchemaColumn, TableSchema } from '@rowkey/model'
import { typeFacts, type Storage } from '@rowkey/codec/internal'

/** Texts of many forms. A column has the first one that it can hold. */
const texts: readonly string[] = ['web-1', 'web1', '018f3a5e-7d21-7c4a-9b12-3c4d5e6f7081', '01HXX5WZ8GABCDEFGHJKMNPQRS', 'w', '']

/** 2026-01-01T00:00:00Z. */
const instant = 1_767_225_600_000

/**
 * The key that examples show: the same in each run, and made only of the types of the columns.
 *
 * @throws Error for a type that can hold none of the examples
 */
export const exampleKey = ({ columns, keyLength }: TableSchema): Row => columns.slice(0, keyLength).map(exampleValue)

function exampleValue({ name, type }: SchemaColumn): Value {
  const facts = typeFacts(type)
  const found = candidates(type, facts.storage).find((value) => facts.accepts(value))
  if (found === undefined) throw new Error(`there is no example for column '${name}'`)
  return found
}

function candidates(type: TypeData, storage: Storage): readonly Value[] {
  switch (storage.class) {
    case 'boolean':
      return [true]
    case 'int':
      return [storage.counts === 'ms' ? instant : storage.counts === 'days' ? instant / 86_400_000 : 7]
    case 'bigint':
      return [storage.counts === undefined ? 7n : BigInt(instant) * (storage.counts === 'us' ? 1000n : 1_000_000n)]
    case 'float':
      return [1.5]
    case 'decimal':
      return ['1', '0'].map((whole) => (storage.scale === 0 ? whole : `${whole}.${'5'.padEnd(storage.scale, '0')}`))
    case 'bytes':
      return [new Uint8Array(Array.from({ length: storage.length ?? 4 }, (_, at) => at + 1))]
    case 'json':
      return []
    case 'text':
      return [...(type.codes ?? type.inner?.codes ?? []).map(([value]) => value), ...texts, 'w'.repeat(type.width ?? 1)]
  }
}
