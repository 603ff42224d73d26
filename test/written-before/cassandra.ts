import type { Client } from 'cassandra-driver'

/** Tables of a keyspace: the statements that make them, and their rows cell by cell. */
export interface CassandraKeyspace {
  /** `KEYSPACE` stands for its name. */
  readonly statements: readonly string[]
  readonly tables: readonly CassandraTable[]
}

interface CassandraTable {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: string; readonly isKey: boolean }[]
  readonly rows: readonly CassandraRow[]
}

interface CassandraRow {
  /** In hex, by column; null where there is none. */
  readonly cells: readonly (string | null)[]
  /** Microseconds; absent in a row without cells after the key. */
  readonly timestamp?: string
  /** Seconds to live. */
  readonly ttl?: number
}

const bytesOf = (type: string, column: string): string => (type === 'blob' ? `"${column}"` : `${type}AsBlob("${column}")`)
const valueOf = (type: string, hex: string): string => (type === 'blob' ? hex : `blobAs${type[0]?.toUpperCase()}${type.slice(1)}(${hex})`)

/** @param statements that made its tables, as the adapter executed them */
export async function dump(client: Client, keyspace: string, statements: readonly string[]): Promise<CassandraKeyspace> {
  const { rows: found } = await client.execute('SELECT * FROM system_schema.columns WHERE keyspace_name = ?', [keyspace])
  const tables = [...new Set(found.map((row) => String(row['table_name'])))].sort()
  return {
    statements: statements.map((each) => each.replaceAll(`"${keyspace}"`, 'KEYSPACE')),
    tables: await Promise.all(
      tables.map(async (name) => {
        const columns = found
          .filter((row) => row['table_name'] === name)
          .map((row) => ({
            name: String(row['column_name']),
            type: String(row['type']),
            isKey: row['kind'] !== 'regular' && row['kind'] !== 'static',
            isStatic: row['kind'] === 'static',
          }))
          .filter(({ isStatic }) => !isStatic) // never set
          .map(({ isStatic: _, ...column }) => column)
        const cells = columns.map(({ name, type }, i) => `${bytesOf(type, name)} AS c${i}`)
        const regular = columns.filter(({ isKey }) => !isKey)
        const life = regular.flatMap(({ name }, i) => [`WRITETIME("${name}") AS w${i}`, `TTL("${name}") AS t${i}`])
        const { rows } = await client.execute(`SELECT ${[...cells, ...life].join(', ')} FROM "${keyspace}"."${name}"`, [], {
          fetchSize: 1000,
          readTimeout: 120_000,
        })
        const isLock = (row: Readonly<Record<string, unknown>>): boolean => String(row['c1']) === '#lock'
        return { name, columns, rows: rows.filter((row) => !isLock(row)).map((row) => rowOf(row, columns.length, regular.length)) }
      }),
    ),
  }
}

function rowOf(row: Readonly<Record<string, unknown>>, columns: number, regular: number): CassandraRow {
  const cells = Array.from({ length: columns }, (_, i) => {
    const bytes = row[`c${i}`] as Buffer | null
    return bytes === null ? null : `0x${bytes.toString('hex')}`
  })
  const all = (letter: string): readonly string[] =>
    Array.from({ length: regular }, (_, i) => row[`${letter}${i}`]).filter((each) => each !== null).map(String) // prettier-ignore
  const [timestamp] = all('w')
  const [ttl] = all('t')
  if (new Set(all('w')).size > 1) throw new Error('cells of one row are of several writes')
  return { cells, ...(timestamp === undefined ? {} : { timestamp }), ...(ttl === undefined ? {} : { ttl: Number(ttl) }) }
}

export async function restore(client: Client, keyspace: string, { statements, tables }: CassandraKeyspace): Promise<void> {
  for (const statement of statements) await client.execute(statement.replaceAll('KEYSPACE', `"${keyspace}"`), [], { readTimeout: 120_000 })
  for (const { name, columns, rows } of tables) {
    for (const { cells, timestamp, ttl } of rows) {
      const given = columns.flatMap(({ name, type }, i) => {
        const hex = cells[i]
        return hex === null || hex === undefined ? [] : [{ name: `"${name}"`, value: valueOf(type, hex) }]
      })
      const using = [...(timestamp === undefined ? [] : [`TIMESTAMP ${timestamp}`]), ...(ttl === undefined ? [] : [`TTL ${ttl}`])]
      await client.execute(
        `INSERT INTO "${keyspace}"."${name}" (${given.map((each) => each.name).join(', ')}) VALUES (${given.map(({ value }) => value).join(', ')})` +
          (using.length === 0 ? '' : ` USING ${using.join(' AND ')}`),
      )
    }
  }
}
