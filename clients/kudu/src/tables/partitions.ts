// Tested by tables.test.ts.
import { MalformedAnswer } from '../malformed-answer.js'
import type {
  ColumnIdentifierPB,
  CreateTableRequestPB,
  HashBucketSchemaPB,
  PartitionSchemaPB,
  RangeWithHashSchemaPB,
} from '../proto/messages.js'
import { Refusal } from '../refusal.js'
import type { HashLevel, TableDefinition } from '../requests.js'
import { decodeRange, encodeRanges } from '../rows/bounds.js'
import type { KuduTable, TableColumn, TableHashLevel } from '../table.js'

export const hashSchemaOf = (levels: readonly HashLevel[]): readonly HashBucketSchemaPB[] =>
  levels.map(({ columns, buckets, seed = 0 }) => ({ columns: columns.map((name) => ({ name })), numBuckets: buckets, seed }))

type Partitions = Pick<CreateTableRequestPB, 'partitionSchema' | 'splitRowsRangeBounds'>

/** How a new table is cut. @throws Refusal */
export function partitionsOf({ columns, hash = [], range = [], ranges = [], splits = [] }: TableDefinition): Partitions {
  const isCustom = ranges.some((each) => each.hash !== undefined)
  // An absent schema of ranges would be ranges over the whole key.
  const schema = { hashSchema: hashSchemaOf(hash), rangeSchema: { columns: range.map((name) => ({ name })) } }
  if (!isCustom) {
    const rows = ranges.length + splits.length === 0 ? undefined : encodeRanges(columns, range, ranges, splits)
    return { partitionSchema: { ...schema, customHashSchemaRanges: [] }, splitRowsRangeBounds: rows }
  }
  if (splits.length > 0) throw new Refusal('splits', 'are given with ranges that have hash levels of their own. Give all ranges instead')
  const customHashSchemaRanges = ranges.map((each, index): RangeWithHashSchemaPB => {
    const levels = each.hash ?? hash
    if (levels.length !== hash.length) {
      throw new Refusal(`ranges[${index}].hash`, `has ${levels.length} levels. The table has ${hash.length}, and all ranges need as many`)
    }
    return { rangeBounds: encodeRanges(columns, range, [each]), hashSchema: hashSchemaOf(levels) }
  })
  return { partitionSchema: { ...schema, customHashSchemaRanges } }
}

/** How a table is cut, as a master tells it. @throws MalformedAnswer */
export function partitioningOf(
  columns: readonly TableColumn[],
  schema: PartitionSchemaPB,
): Pick<KuduTable, 'hash' | 'range' | 'customRanges'> {
  const positions = new Map(columns.map(({ id }, position) => [id, position]))
  const positionOf = ({ id }: ColumnIdentifierPB): number => {
    const position = id === undefined ? undefined : positions.get(id)
    if (position === undefined) throw new MalformedAnswer(`it has a partition over the column ${id}, which does not exist`)
    return position
  }
  const levelOf = ({ columns: ids, numBuckets, seed = 0 }: HashBucketSchemaPB): TableHashLevel => {
    if (numBuckets < 1) throw new MalformedAnswer(`it has ${numBuckets} buckets`)
    return { columns: ids.map(positionOf), buckets: numBuckets, seed }
  }
  // Absent: over the whole key.
  const range =
    schema.rangeSchema === undefined
      ? columns.flatMap(({ isKey }, position) => (isKey ? [position] : []))
      : schema.rangeSchema.columns.map(positionOf)
  return {
    hash: schema.hashSchema.map(levelOf),
    range,
    customRanges: schema.customHashSchemaRanges.map(({ rangeBounds = {}, hashSchema }) => ({
      ...decodeRange(columns, range, rangeBounds),
      hash: hashSchema.map(levelOf),
    })),
  }
}
