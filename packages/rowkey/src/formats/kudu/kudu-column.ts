// Tested by packages/rowkey/test/formats/kudu/vectors.test.ts.
import { bytes, date, decimal, int16, int32, int64, int8, text, timestamp, type TypeData, type Value } from '#codec'
import { codecError, columnCodec, type Encoding, kuduLast, show, showName } from '#codec/internal'
import type { KuduType } from './kudu-type.js'

/** One key column of a Kudu table. */
export interface KuduColumn {
  readonly name: string
  toValue(given: unknown): Value
  fromValue(value: Value): unknown
  /** Its encoding if another column follows. */
  readonly inner: Encoding
  /** Its encoding if it is the last column. */
  readonly last: Encoding
}

/** Kudu's bytes are those of the core's types, but for text and bytes at the end, which are raw. */
export function kuduColumn(name: string, type: KuduType): KuduColumn {
  const core = coreTypeOf(type)
  const { values, ascending } = columnCodec(name, core)
  const last = kuduLast(core) ?? ascending
  const bare: KuduColumn = { name, toValue: values.toValue, fromValue: values.fromValue, inner: ascending, last }
  return type.kind === 'VARCHAR' ? limited(bare, atMost(type.length ?? 0)) : type.kind === 'DATE' ? limited(bare, yearsOfKudu) : bare
}

function coreTypeOf({ kind, precision = 0, scale = 0 }: KuduType): TypeData {
  switch (kind) {
    case 'INT8':
      return int8()
    case 'INT16':
      return int16()
    case 'INT32':
      return int32()
    case 'INT64':
      return int64()
    case 'UNIXTIME_MICROS':
      return timestamp('us')
    case 'DATE':
      return date()
    case 'DECIMAL':
      return decimal(precision, scale)
    case 'STRING':
    case 'VARCHAR':
      return text()
    case 'BINARY':
      return bytes()
  }
}

/** What Kudu refuses or cuts, although the bytes could hold it. */
interface Limit {
  fits(value: Value): boolean
  /** Ends the sentence "Give …" of a refusal. */
  readonly wants: string
}

const atMost = (length: number): Limit => ({
  fits: (value) => (value as string).length <= length,
  wants: `text of at most ${length} UTF-16 units, because Kudu's clients truncate longer text`,
})

const [firstDay, lastDay] = [-719_162, 2_932_896]
const yearsOfKudu: Limit = {
  fits: (value) => (value as number) >= firstDay && (value as number) <= lastDay,
  wants: 'a day from 0001-01-01 to 9999-12-31',
}

function limited(column: KuduColumn, { fits, wants }: Limit): KuduColumn {
  const { name, toValue } = column
  const checked = (encoding: Encoding): Encoding => ({
    ...encoding,
    read(reader) {
      const value = encoding.read(reader)
      return fits(value) ? value : reader.fail(`the column holds ${wants}`)
    },
  })
  return {
    ...column,
    toValue(given) {
      const value = toValue(given)
      if (fits(value)) return value
      throw codecError('INVALID_VALUE', `column '${showName(name)}' cannot hold ${show(given)}. Give ${wants}.`, {
        column: showName(name),
        value: show(given),
      })
    },
    inner: checked(column.inner),
    last: checked(column.last),
  }
}
