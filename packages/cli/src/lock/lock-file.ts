// Tested by lock.test.ts.
import type { SchemaJSON } from 'rowkey/internal'
import { schemaFromJSON, type TableSchema } from 'rowkey'
import { isRowkeyError, toHex } from 'rowkey/codec'
import { Failure } from '../failure.js'
import { decoderOf } from '../keys/decode-key.js'
import { exampleKey } from '../values/example.js'

/** The key layout of one table, as the lock file has it. */
export interface LockedTable {
  /** The fingerprint of key columns and salt. */
  readonly layout: string
  /** The fingerprint of the key columns alone. */
  readonly key: string
  readonly salt: SchemaJSON['salt']
  /** The key columns, as in the JSON of a schema. */
  readonly columns: SchemaJSON['columns']
  readonly example: { readonly key: unknown; readonly hex: string }
}

/** The content of `rowkey.lock.json`. */
export interface LockFile {
  readonly rowkey: 1
  readonly tables: Readonly<Record<string, LockedTable>>
}

/** The lock of some tables, in the order of their names, so that a change is a small difference. */
export function lockOf(schemas: readonly TableSchema[]): LockFile {
  const sorted = schemas.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return { rowkey: 1, tables: Object.fromEntries(sorted.map((schema) => [schema.name, lockedTable(schema)])) }
}

function lockedTable(schema: TableSchema): LockedTable {
  const { salt, columns } = schema.toJSON()
  const key = exampleKey(schema)
  return {
    ...schema.fingerprints,
    salt,
    columns: columns.slice(0, schema.keyLength),
    example: { key: JSON.parse(`{${decoderOf(schema).json(key)}}`) as unknown, hex: toHex(schema.layout.rowkey(key)) },
  }
}

/**
 * The tables that a lock file describes, as schemas of their keys alone.
 *
 * @throws Failure for a text that no `rowkey lock` has written
 */
export function readLock(text: string, path: string): ReadonlyMap<string, TableSchema> {
  const damaged = (why: string): Failure =>
    new Failure(`${path} is damaged: ${why}. Restore it from version control, or write it again with rowkey lock.`)
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch (error) {
    throw damaged(`it is no JSON (${(error as Error).message})`)
  }
  const { rowkey, tables } = (given ?? {}) as { readonly rowkey?: unknown; readonly tables?: unknown }
  if (rowkey !== 1) throw new Failure(`${path} is not a lock file of this version: "rowkey" is not 1.`)
  if (typeof tables !== 'object' || tables === null) throw damaged('it has no tables')
  const read = Object.entries(tables as Readonly<Record<string, Partial<LockedTable> | null>>).map(([name, table]) => {
    const schema = schemaOfKey(name, table, damaged)
    if (schema.fingerprints.layout !== table?.layout) throw damaged(`the fingerprint of '${name}' is not that of its columns`)
    return [name, schema] as const
  })
  return new Map(read)
}

function schemaOfKey(name: string, table: Partial<LockedTable> | null, damaged: (why: string) => Failure): TableSchema {
  try {
    return schemaFromJSON({ format: 1, name, writes: 'plain', salt: table?.salt, columns: table?.columns })
  } catch (error) {
    if (!isRowkeyError(error)) throw error
    throw damaged(`'${name}' cannot be read (${error.message})`)
  }
}
