import { columnText, saltsText, typeFacts, type SchemaColumn, type Storage, type TableSchema } from 'rowkey/adapter'
import { maxKeyColumns } from '../capabilities.js'
import { hbaseHints } from '../options.js'
import { identifier } from './words.js'

/** A table as one would make it in Lindorm's SQL, and what that does not say. */
export interface Comparison {
  readonly createTable: string
  /** What the model says and the statement does not, or says differently: whole sentences. */
  readonly notes: readonly string[]
}

/**
 * `CREATE TABLE …` with the columns of a model. Nothing of it was run. From the vendor's documentation: the syntax and where DESC may stand
 * ("CREATE TABLE", 2026); hash32 ("Primary key hash discretization", 2025); types ("Basic data types", 2025, and "Compatibility of Lindorm SQL
 * with MySQL", 2026: of unsigned types only BIGINT, INSERT is an UPSERT); at most five key columns, and VARBINARY only as the last one ("Quotas
 * and limits", 2026); key columns are never empty ("Terms", 2024); CONSISTENCY, TTL and COMPRESSION ("Table change management", 2026);
 * VERSIONS ("Data versioning", 2026).
 */
export function comparisonOf(schema: TableSchema, table: string): Comparison {
  const { columns, keyLength, name } = schema
  const own = columns.filter(({ role }) => role !== 'expiry' && role !== 'version')
  const lines = own.map((column, i) => `  ${identifier(column.physical)} ${sqlTypeOf(column).type}${i < keyLength ? ' NOT NULL' : ''},`)
  const key = columns.slice(0, keyLength).map((column, i) => `${identifier(column.physical)}${column.type.desc && i > 0 ? ' DESC' : ''}`)
  const { options, notes: optionNotes } = tableOptions(schema)
  const createTable = [
    `CREATE TABLE ${table} (`,
    ...lines,
    `  PRIMARY KEY (${[...hashOf(schema), ...key].join(', ')})`,
    `) WITH (${options.map(([option, value]) => `${option}='${value}'`).join(', ')});`,
  ].join('\n')
  const typeNotes = own.flatMap((column) => {
    const { note } = sqlTypeOf(column)
    return note === undefined ? [] : [`${identifier(column.physical)}: ${note}.`]
  })
  const notes = [
    `It would be another table, with keys of Lindorm's own. rowkey reads the table '${name}' that ensureTables() makes, and not this one.`,
    ...keyNotes(schema),
    ...typeNotes,
    ...optionNotes,
  ]
  return { createTable, notes }
}

/** The hash by which Lindorm spreads rows, for any salt. */
function hashOf({ salt, columns }: TableSchema): readonly string[] {
  const inputs = [...new Set(salt.flatMap(({ of }) => of))]
  if (inputs.length === 0) return []
  const physical = inputs.flatMap((input) => columns.filter((column) => column.name === input).map((column) => identifier(column.physical)))
  return [`hash32(${physical.join(', ')})`]
}

function keyNotes(schema: TableSchema): readonly string[] {
  const { columns, keyLength, salt } = schema
  const notes: string[] = []
  if (salt.length > 0) {
    notes.push(
      `The salt of the model is ${saltsText(schema)}. hash32 is Lindorm's own, has no number of buckets, and adds four bytes to every cell, ` +
        'so its buckets are not those of the model. It cannot be changed later, and excludes bulk loads.',
    )
  }
  if (keyLength > maxKeyColumns)
    notes.push(`Lindorm refuses it: a table has at most ${maxKeyColumns} key columns, and this one has ${keyLength}.`)
  columns.slice(0, keyLength).forEach((column, i) => {
    const { type, physical } = column
    const facts = typeFacts(type)
    const shown = identifier(physical)
    if (type.desc && i === 0) notes.push(`${shown}: the first key column cannot be DESC, so it ascends.`)
    if (type.nullable) notes.push(`${shown}: key columns are never null in Lindorm. In the model it may be.`)
    if (sqlTypeOf(column).type === 'VARBINARY' && i < keyLength - 1)
      notes.push(`${shown}: Lindorm refuses it, because VARBINARY can only be the last key column.`)
    if (facts.keyBytes === 'idiom' || !facts.storedOrder)
      notes.push(`${shown}: the model orders it as ${columnText(column)}. Here it has the order of its type.`)
  })
  return notes
}

function tableOptions(schema: TableSchema): {
  readonly options: readonly (readonly [string, string | number])[]
  readonly notes: readonly string[]
} {
  const { versions, timeToLive, compression, ...others } = hbaseHints(schema)
  const seconds = timeToLive ?? (schema.ttl === undefined ? undefined : Math.ceil(schema.ttl / 1000))
  const isKnown = compression !== undefined && ['SNAPPY', 'ZSTD', 'LZ4'].includes(compression)
  const options = [
    ['CONSISTENCY', 'strong'] as const,
    ...(versions === undefined ? [] : [['VERSIONS', versions] as const]),
    ...(seconds === undefined ? [] : [['TTL', seconds] as const]),
    ...(isKnown ? [['COMPRESSION', compression] as const] : []),
  ]
  const left = [...(compression !== undefined && !isKnown ? ['compression'] : []), ...Object.keys(others)]
  const notes = ['CONSISTENCY is that of the table with its indexes; the default is eventual.']
  if (left.length > 0) notes.push(`Left out, because they are options of HBase: ${left.join(', ')}.`)
  if (schema.expiryIndex >= 0)
    notes.push(
      'Rows that expire each at a time of its own are not possible: TTL is in seconds after the last write of a cell, and the same for all.',
    )
  if (schema.writes === 'conditional') notes.push('Inserts that fail if the row exists are not possible: INSERT is an UPSERT.')
  return { options, notes }
}

const int64 = 2n ** 63n

function sqlTypeOf(column: Pick<SchemaColumn, 'type'>): { readonly type: string; readonly note?: string } {
  const { storage } = typeFacts(column.type)
  switch (storage.class) {
    case 'boolean':
      return { type: 'BOOLEAN' }
    case 'int':
      return integerType(storage)
    case 'bigint': {
      const type = storage.max < int64 ? 'BIGINT' : 'BIGINT UNSIGNED'
      return storage.counts === undefined ? { type } : { type, note: `a count of ${storage.counts} since 1970` }
    }
    case 'float':
      return { type: storage.bytes === 4 ? 'FLOAT' : 'DOUBLE' }
    case 'decimal':
      return storage.precision <= 38
        ? { type: `DECIMAL(${storage.precision},${storage.scale})` }
        : { type: 'VARCHAR', note: 'the digits as text, because a DECIMAL has at most 38' }
    case 'text':
      return { type: 'VARCHAR' }
    case 'json':
      return { type: 'VARCHAR', note: 'the text of JSON data' }
    case 'bytes':
      return { type: storage.length === undefined ? 'VARBINARY' : `BINARY(${storage.length})` }
  }
}

function integerType({ min, max, counts }: Extract<Storage, { class: 'int' }>): { readonly type: string; readonly note?: string } {
  if (counts === 'ms') return { type: 'TIMESTAMP' }
  if (counts === 'days') return { type: 'INTEGER', note: 'days since 1970, because the vendor advises against DATE' }
  const bits = [8, 16, 32].find((each) => min >= -(2 ** (each - 1)) && max < 2 ** (each - 1))
  return { type: bits === 8 ? 'TINYINT' : bits === 16 ? 'SMALLINT' : bits === 32 ? 'INTEGER' : 'BIGINT' }
}
