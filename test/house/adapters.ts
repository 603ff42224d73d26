import { sourcesOf } from './sources.js'

/** Adapters of servers have the same files; those that work in the process have what they need of them. */
export const servers = ['adapters/redis', 'adapters/dynamodb', 'adapters/cassandra'] as const
/** The files of every adapter. */
export const everywhere: readonly string[] = [
  'adapter.ts',
  'capabilities.ts',
  'catalogs.ts',
  'index.ts',
  'purge.ts',
  'scan.ts',
  'table.ts',
  'write.ts',
]

/** Files that not all adapters of servers have, and why. Folders below `src` hold what belongs to one store. */
export const extraFiles: Readonly<Record<string, string>> = {
  'adapters/dynamodb: answers.ts': 'answers are JSON of any shape; the other clients have a folder of their own, with the same file',
  'adapters/dynamodb: expression.ts': 'conditions and updates are text, with limits of the service',
  'adapters/dynamodb: filter.ts': 'conditions as an expression; Cassandra would need ALLOW FILTERING for that',
  'adapters/dynamodb: judged.ts':
    'changes that are computed from an item; in Redis every update is one, in Cassandra they are a part of conditional writes',
  'adapters/dynamodb: marks.ts': 'conditions over more columns than one expression holds',
  'adapters/dynamodb: native-table.ts': 'tables of the service, which are created and described; Redis has none',
  'adapters/dynamodb: number-text.ts': 'numbers are text on the wire, with 38 digits',
  'adapters/dynamodb: rows.ts': 'rows as items; Redis stores records, which the record package reads and writes',
  'adapters/dynamodb: send.ts': 'one request for each change; Redis sends scripts, Cassandra statements',
  'adapters/dynamodb: transaction.ts': 'atomic batches are requests of their own',
  'adapters/dynamodb: values.ts': 'values as attributes; Redis stores records',
  'adapters/redis: filter.ts': 'conditions as arguments of the script of a page',
  'adapters/cassandra: context.ts': 'what all tables of one keyspace share',
  'adapters/cassandra: expiry.ts': 'an expiry becomes a time to live of cells',
  'adapters/cassandra: native-table.ts': 'tables of the server, which are created and described; Redis has none',
  'adapters/cassandra: rows.ts': 'rows as typed columns; Redis stores records',
  'adapters/cassandra: values.ts': 'values as typed columns; Redis stores records',
}

export const filesOf = (adapter: string): readonly string[] =>
  sourcesOf(adapter)
    .map((path) => path.slice(`${adapter}/src/`.length))
    .filter((file) => !file.includes('/'))

/** Files that some adapters of servers have and others lack, as `adapter: file`; each is listed where it is. */
export function unequalFiles(
  files: Readonly<Record<string, readonly string[]>>,
  extra: Readonly<Record<string, string>>,
): readonly string[] {
  const all = Object.values(files)
  return Object.entries(files).flatMap(
    ([adapter, own]) =>
    own.filter((file) => !(`${adapter}: ${file}` in extra) && !all.every((others) => others.includes(file))).map((file) => `${adapter}: ${file}`), // prettier-ignore
  )
}
