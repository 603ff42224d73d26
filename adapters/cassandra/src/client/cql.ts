// Tested by ddl.test.ts.
import type { TableSchema } from 'rowkey/adapter'

/** A name in CQL, exactly as it is. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The table that contains all catalogs. */
export const catalogTable = 'rk_catalog'
/** The first column of a partition key that begins with the bucket, which is 0 in a table without salt. */
export const bucketColumn = 'rk_bucket'
/** A column that is never set, so the condition that it is null always holds. It is static, unless a partition has one row. */
export const guardColumn = 'rk_guard'

/** What statements say of a key column. */
interface NamedKey {
  readonly name: string
  readonly order: 'ASC' | 'DESC'
}

/** What a statement says of a range of rows: how many clustering columns have one value, and which ends the next one has, in key order. */
export interface RangeShape {
  readonly fixed: number
  readonly from: { readonly inclusive: boolean } | undefined
  readonly to: { readonly inclusive: boolean } | undefined
}

/** The primary key of a table: the bucket if it has one, then the key columns of the model by position. */
export interface PrimaryKey<Key extends NamedKey = NamedKey> {
  readonly hasBucket: boolean
  readonly columns: readonly Key[]
}

/** The names of its partition key. */
export const partitionNames = ({ hasBucket, columns }: PrimaryKey, { partitionLength }: TableSchema): readonly string[] => [
  ...(hasBucket ? [bucketColumn] : []),
  ...columns.slice(0, partitionLength).map(({ name }) => name),
]

/** Statements of one table. The text of each shape is cached, also because the driver looks up a known string faster. */
export class Statements {
  private readonly table: string
  private readonly partition: readonly string[]
  private readonly key: readonly string[]
  private readonly keys: readonly NamedKey[]
  private readonly partitionLength: number
  private readonly texts = new Map<string, string>()
  private readonly whole: string
  private readonly values: readonly string[]
  private readonly token: string

  constructor(keyspace: string, schema: TableSchema, key: PrimaryKey) {
    const { name, partitionLength, columns, keyLength } = schema
    const partition = partitionNames(key, schema)
    this.table = `${quoted(keyspace)}.${quoted(name)}`
    this.keys = key.columns
    this.partitionLength = partitionLength
    this.partition = partition.map(quoted)
    this.key = [...partition, ...key.columns.slice(partitionLength).map((column) => column.name)]
    this.token = `token(${this.partition.join(', ')})`
    this.values = columns.slice(keyLength).map(({ physical }) => physical)
    this.whole = equals(this.key.map(quoted))
  }

  /** The row of a key. */
  get(columns: string): string {
    return this.remembered(columns, () => `SELECT ${columns} FROM ${this.table} WHERE ${this.whole}`)
  }

  /** The rows of some keys of one partition. Parameters: its key, a list of the other key columns as tuples. */
  getSome(columns: string): string {
    return this.remembered(`some ${columns}`, () => {
      const rest = this.keys.slice(this.partitionLength).map(({ name }) => quoted(name))
      return `SELECT ${columns} FROM ${this.table} WHERE ${equals(this.partition)} AND (${rest.join(', ')}) IN ?`
    })
  }

  /**
   * The rows of a range of one partition; its last parameters are those of the filter, and the number of rows. `ofToken`: of the partitions of one
   * token, which is the first parameter instead of those of the partition.
   */
  scan(columns: string, { fixed, from, to }: RangeShape, reverse: boolean, ofToken: boolean, filter = ''): string {
    const shape = `${fixed} ${String(from?.inclusive)} ${String(to?.inclusive)} ${reverse} ${ofToken} ${columns}${filter}`
    return this.remembered(shape, () => {
      const clustering = this.keys.slice(this.partitionLength)
      const where = ofToken ? `${this.token} = ?` : equals(this.partition)
      const values = clustering.slice(0, fixed).map(({ name }) => ` AND ${quoted(name)} = ?`)
      const next = clustering[fixed]
      const ends = next === undefined ? '' : [from && operator(next, '>', from.inclusive), to && operator(next, '<', to.inclusive)].filter(Boolean).map((end) => ` AND ${end as string}`).join('') // prettier-ignore
      // With a filter the order is always named: a server refuses that if the partition is not bound, as in a table that was created again.
      const order = reverse || filter !== '' ? this.ordered(reverse) : ''
      const text = `SELECT ${columns} FROM ${this.table} WHERE ${where}${values.join('')}${ends}${filter}${order} LIMIT ?`
      return ofToken || filter !== '' ? `${text} ALLOW FILTERING` : text
    })
  }

  /**
   * All rows, partition by partition in the order of their tokens. `from`: only those with a token after one, or after that of a partition; `upTo`:
   * up to a token. Parameters: the token, or the key of the partition; the token.
   */
  all(columns: string, from: 'token' | 'partition' | undefined, upTo: boolean): string {
    const after = from === 'partition' ? `token(${this.partition.map(() => '?').join(', ')})` : '?'
    const ends = [...(from === undefined ? [] : [`${this.token} > ${after}`]), ...(upTo ? [`${this.token} <= ?`] : [])]
    return `SELECT ${columns} FROM ${this.table}${ends.length === 0 ? '' : ` WHERE ${ends.join(' AND ')}`}`
  }

  /** Parameters: key, columns, those that were added to the table, and the time to live if there is one. */
  insert(added: readonly string[], ttl: boolean, ifNotExists: boolean): string {
    const shape =
      added.length === 0 && !ifNotExists ? (ttl ? 'put ttl' : 'put') : `insert ${ttl} ${ifNotExists} ${added.map(quoted).join()}`
    return this.remembered(shape, () => {
      const names = [...this.key, ...this.values, ...added].map(quoted)
      const values = names.map(() => '?').join(', ')
      const text = `INSERT INTO ${this.table} (${names.join(', ')}) VALUES (${values})`
      return `${text}${ifNotExists ? ' IF NOT EXISTS' : ''}${ttl ? ' USING TTL ?' : ''}`
    })
  }

  /** Parameters: the time to live if there is one, columns, key, those of the condition. */
  update(columns: readonly string[], hasTtl: boolean, condition: string): string {
    return this.remembered(`update ${hasTtl} ${condition} ${columns.map(quoted).join()}`, () => {
      const set = columns.map((column) => `${quoted(column)} = ?`).join(', ')
      return `UPDATE ${this.table}${hasTtl ? ' USING TTL ?' : ''} SET ${set} WHERE ${this.whole}${condition}`
    })
  }

  /** Parameters: key, those of the condition. */
  delete(condition: string): string {
    return this.remembered(`delete ${condition}`, () => `DELETE FROM ${this.table} WHERE ${this.whole}${condition}`)
  }

  /** Deletes what was written until a moment, and nothing that was put since. Parameters: µs from 1970, key. */
  deleteWritten(): string {
    return `DELETE FROM ${this.table} USING TIMESTAMP ? WHERE ${this.whole}`
  }

  /**
   * Makes a batch of rows without conditions a conditional one. It changes nothing, because its value is left unset, and its condition always holds.
   * Parameters: unset, the key of the partition.
   */
  guard(): string {
    return this.remembered('guard', () => {
      const guard = quoted(guardColumn)
      return `UPDATE ${this.table} SET ${guard} = ? WHERE ${equals(this.partition)} IF ${guard} = null`
    })
  }

  private ordered(reverse: boolean): string {
    const named = this.keys
      .slice(this.partitionLength)
      .map(({ name, order }) => `${quoted(name)} ${(order === 'ASC') === reverse ? 'DESC' : 'ASC'}`)
    return named.length === 0 ? '' : ` ORDER BY ${named.join(', ')}`
  }

  private remembered(shape: string, make: () => string): string {
    let text = this.texts.get(shape)
    if (text === undefined) {
      if (this.texts.size >= maxTexts) this.texts.clear()
      this.texts.set(shape, (text = make()))
    }
    return text
  }
}

/** The driver keeps 500 prepared statements. */
const maxTexts = 256

const equals = (columns: readonly string[]): string => columns.map((column) => `${column} = ?`).join(' AND ')

/** A piece is in key order, and CQL compares values. In a descending column these are opposite. */
function operator({ name, order }: NamedKey, sign: '<' | '>', inclusive: boolean): string {
  const turned = order === 'ASC' ? sign : sign === '<' ? '>' : '<'
  return `${quoted(name)} ${turned}${inclusive ? '=' : ''} ?`
}
