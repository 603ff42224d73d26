import type { ColumnType } from 'rowkey/codec'

/** Every kind of column type; one that is missing does not compile. */
const kinds: Readonly<Record<ColumnType['kind'], true>> = {
  bool: true,
  bytes: true,
  date: true,
  decimal: true,
  dictionary: true,
  digits: true,
  fixedBytes: true,
  fixedText: true,
  float32: true,
  float64: true,
  int16: true,
  int32: true,
  int64: true,
  int8: true,
  json: true,
  lastBytes: true,
  lastText: true,
  paddedText: true,
  period: true,
  reversed: true,
  separatedText: true,
  text: true,
  timestamp: true,
  uint16: true,
  uint32: true,
  uint64: true,
  uint8: true,
  ulid: true,
  uuid: true,
}

/** Lists of "every type" in tests are compared with these. */
export const kindNames: ReadonlySet<string> = new Set(Object.keys(kinds))

/** Those of value columns: a period is in the key. */
export const valueKindNames: ReadonlySet<string> = new Set(Object.keys(kinds).filter((kind) => kind !== 'period'))
