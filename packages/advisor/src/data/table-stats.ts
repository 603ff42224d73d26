import { RowkeyError, toHex, type Value } from 'rowkey/codec'
import { computedValues, show, typeFacts, utf8Length, values } from 'rowkey/internal'
import { schemaOf, type Model } from 'rowkey'
import { anyObject, refused } from '../forms.js'
import { checkFields, fieldsOf } from '../known-fields.js'
import { ColumnCounter, type ColumnStats } from './column-counter.js'
import { Drawing } from './drawing.js'

/** What is known of a sample, apart from its rows. */
export interface SampleOptions {
  /** Rows of the whole table. */
  readonly total?: number
  /**
   * In which order the rows are. `written`: as they were written, so a value that rises counts up. `other`: sorted or drawn by chance, so whether
   * values rise says nothing, and types and names decide. If it is absent, rows that are almost all in the order of their keys, up or down, are `other`, because an export looks like that.
   * Otherwise values that rise count up, except random ids.
   */
  readonly order?: 'written' | 'other'
}

/** What a sample of rows says of a table. It is JSON, so it can be computed where the data is and judged elsewhere. */
export interface TableStats {
  readonly table: string
  /** `fingerprints.layout` of the schema: the statistics are of its keys and buckets. */
  readonly layout: string
  /** Rows in the sample. */
  readonly rows: number
  /** Rows of the table, if it is known; it is at least `rows`. */
  readonly total?: number
  /** In which order the rows were; absent if that is unknown. */
  readonly order?: 'written' | 'other'
  /** Rows whose key an earlier row has too: a put of one replaces the other. */
  readonly duplicates: number
  /** Bytes of rowkeys. */
  readonly keyBytes: { readonly mean: number; readonly max: number }
  /** Bytes of a row on average, key and values, as text and numbers take them without names. */
  readonly rowBytes: number
  /** Buckets of the salt. `expected`: how many would be used if rows were spread by chance; `top`: the share of the fullest one. */
  readonly buckets: { readonly used: number; readonly of: number; readonly expected: number; readonly top: number }
  /** By the name of the key column. */
  readonly columns: Readonly<Record<string, ColumnStats>>
  /** The rowkeys of at most 2,000 rows, drawn by chance and in their order, in hexadecimal. With them {@link statsAfter} judges a changed table. */
  readonly drawn?: string
}

const sampleOptions = fieldsOf<SampleOptions>({ total: true, order: true })

/**
 * The statistics of sample rows. Best are rows in the order in which they were written, with that claim: only they tell whether a column counts up.
 * Values are those of the application, as for `put()`, with all key columns; value columns may be missing. Takes memory for the different values of the
 * sample's keys. The result contains the keys of up to 2,000 rows, so treat it like the rows themselves.
 *
 * @throws RowkeyError `INVALID_OPTION` for a total that is no number from 0, another order, an option that does not exist, or what is no row
 * @throws RowkeyError `INVALID_VALUE` for a value that its column cannot hold, or a key column that is missing
 * @example
 * ```ts
 * const stats = sampleStats(Readings, rows, { order: 'written' }) // of ids 0, 8, 16, …
 * stats.buckets.used         //=> 2
 * stats.columns['id'].rising //=> 1
 * ```
 */
export function sampleStats(model: Model, rows: Iterable<object>, options: SampleOptions = {}): TableStats {
  const schema = schemaOf(model)
  anyObject(options, { of: 'the options of sampleStats()', path: [] })
  checkFields('sampleStats()', options, sampleOptions, 'option')
  if (typeof (rows as Partial<Iterable<object>> | null)?.[Symbol.iterator] !== 'function')
    throw refused('rows', rows, `the rows of a sample are ${show(rows)}. Give a list of rows, or what yields them one by one.`)
  const { total } = options
  if (total !== undefined && !(typeof total === 'number' && Number.isFinite(total) && total >= 0)) throw noTotal(total)
  const key = schema.columns.slice(0, schema.keyLength)
  const columns = schema.columns.map((column) => ({
    name: column.name,
    values: values(column.type, column.name, schema.name),
    isJSON: typeFacts(column.type).storage.class === 'json',
  }))
  const computed = computedValues(schema, (row, at) => columns[at]?.values.fromValue(row[at] as Value))
  const counters = key.map((column, at) => new ColumnCounter(column, schema.layout.column(at)))
  const keys = new Set<string>()
  const sorted = new SortedSoFar()
  const buckets = new Map<number, number>()
  const drawing = new Drawing()
  let count = 0
  let keySum = 0
  let keyMax = 0
  let valueSum = 0
  for (const row of rows) {
    count++
    if (typeof row !== 'object' || (row as unknown) === null)
      throw refused('rows', row, `row ${count} of the sample is ${show(row)}. Give an object with a value for each key column.`)
    const parsed = columns.map(({ name, values, isJSON }, at): Value => {
      const given = (row as Readonly<Record<string, unknown>>)[name]
      if (at >= schema.keyLength && given === undefined) return null
      if (at >= schema.keyLength && isJSON) return JSON.stringify(given)
      return given === undefined && computed?.has(at) === true ? null : values.toValue(given)
    })
    computed?.fill(parsed)
    counters.forEach((counter, at) => counter.add(parsed[at] as Value))
    const { bytes } = schema.layout.encodeKey(parsed)
    const hex = toHex(bytes)
    keys.add(hex)
    drawing.add(hex)
    sorted.add(hex)
    keySum += bytes.length
    keyMax = Math.max(keyMax, bytes.length)
    valueSum += parsed.slice(schema.keyLength).reduce<number>((sum, value) => sum + bytesOf(value), 0)
    const bucket = schema.layout.bucketOf(parsed)
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1)
  }
  const of = schema.layout.buckets
  const some = Math.max(1, count)
  const order = orderOf(options, sorted)
  return {
    table: schema.name,
    layout: schema.fingerprints.layout,
    rows: count,
    ...(total === undefined ? {} : { total: Math.max(total, count) }),
    ...(order === undefined ? {} : { order }),
    duplicates: count - keys.size,
    keyBytes: { mean: keySum / some, max: keyMax },
    rowBytes: (keySum + valueSum) / some,
    buckets: { used: buckets.size, of, expected: of * (1 - (1 - 1 / of) ** count), top: Math.max(0, ...buckets.values()) / some },
    columns: Object.fromEntries(key.map(({ name }, at) => [name, (counters[at] as ColumnCounter).stats()])),
    drawn: drawing.text(),
  }
}

const noTotal = (total: unknown): Error =>
  new RowkeyError('INVALID_OPTION', `the total of a sample is ${show(total)}. Give the number of rows of the table.`, {
    option: 'total',
    value: show(total),
  })

/** How much of a sample goes one way if it is sorted: the store may sort in another way than the codec, and rows be added during the export. */
const sortedPart = 0.9

/** Whether keys went up, or down, almost always. */
class SortedSoFar {
  private last: string | undefined
  private up = 0
  private down = 0

  add(hex: string): void {
    if (this.last !== undefined && hex > this.last) this.up++
    if (this.last !== undefined && hex < this.last) this.down++
    this.last = hex
  }

  get is(): boolean {
    return this.up !== this.down && Math.max(this.up, this.down) >= sortedPart * (this.up + this.down)
  }
}

/** What was said, or what the keys show. */
function orderOf({ order }: SampleOptions, sorted: SortedSoFar): SampleOptions['order'] {
  if (order === undefined) return sorted.is ? 'other' : undefined
  if (order === 'written' || order === 'other') return order
  const message = `the order of a sample is ${show(order)}. Give 'written' or 'other'.`
  throw new RowkeyError('INVALID_OPTION', message, { option: 'order', value: show(order) })
}

function bytesOf(value: Value): number {
  if (typeof value === 'string') return utf8Length(value)
  if (value instanceof Uint8Array) return value.length
  return value === null ? 0 : typeof value === 'boolean' ? 1 : 8
}
