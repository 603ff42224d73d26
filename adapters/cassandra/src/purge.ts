// Tested by expiry.test.ts and conformance.test.ts.
import { inParallel, partitionOf, type Cancellation, type Row } from 'rowkey/adapter'
import { deleteRow } from './changes.js'
import { bigintOf } from './client/driver-values.js'
import { readError } from './errors.js'
import type { ExpiryCell } from './expiry.js'
import { int64 } from './client/native-bytes.js'
import { quoted } from './client/cql.js'
import { cellOf, faulty, mustBeApplied, type NativeRow } from './client/answers.js'
import { TableWalk } from './ranges/table-walk.js'
import type { RowReader } from './rows.js'
import { PageSize } from './scan.js'
import type { TableContext } from './context.js'
import type { types } from 'cassandra-driver'

interface Dead {
  readonly key: Row
  readonly cell: ExpiryCell
  /** Microseconds from 1970. */
  readonly written: bigint
}

const pageRows = 1000
/** Deletes that are sent concurrently. */
const width = 8

/** Reads the keys of the whole table and deletes expired rows, but no row that was put in their place since. @throws the reason of the cancellation, before it deletes more */
export async function purgeExpired(table: TableContext, now: number, limit: number, cancellation?: Cancellation): Promise<number> {
  const { schema } = table
  const reader = table.reader([schema.expiryIndex])
  const walk = new TableWalk({
    table,
    columns: `${reader.columns}, writetime(${quoted('rk_expires')}) AS written`,
    keyOf: reader.key.bind(reader),
    after: undefined,
    range: undefined,
    consistency: 'strong',
    cancellation,
  })
  const size = new PageSize(schema)
  let purged = 0
  while (purged < limit) {
    cancellation?.throwIfOver()
    const found = await walk.next(size.fits(pageRows))
    if (found === undefined) break
    size.learn([], found.fitting)
    const dead = deadOf(table, reader, found.rows, now)
    for (let at = 0; at < dead.length && purged < limit;) {
      const some = dead.slice(at, at + limit - purged)
      at += some.length
      const gone = await inParallel(some, width, async (each) => {
        cancellation?.throwIfOver() // those of one partition are deleted one after the other, which takes its time
        return remove(table, each).catch((error: unknown) => Promise.reject(readError(table.schema.name, error)))
      })
      purged += gone.filter(Boolean).length
    }
  }
  return purged
}

function deadOf({ schema, mode }: TableContext, reader: RowReader, natives: readonly NativeRow[], now: number): readonly Dead[] {
  // A conditional put may expire before the row that it replaced would have, and leaves remains of that row. A plain put leaves none.
  const isRemains = mode === 'native' && schema.writes === 'conditional'
  return natives.flatMap((native): readonly Dead[] => {
    const cell = reader.expiry(native)
    if (cell === null) return isRemains ? [{ key: reader.key(native), cell, written: 0n }] : []
    return cell > BigInt(now) ? [] : [{ key: reader.key(native), cell, written: writtenOf(schema.name, native) }]
  })
}

function writtenOf(table: string, native: NativeRow): bigint {
  const written = cellOf(table, native, 'written')
  try {
    return bigintOf(written)
  } catch {
    throw faulty(table, 'a time of a write that is none')
  }
}

async function remove(table: TableContext, { key, cell, written }: Dead): Promise<boolean> {
  const { schema, session, statements } = table
  if (schema.writes === 'plain') {
    await session.write([{ query: statements.deleteWritten(), params: [int64(written), ...table.keyBytes(key)] }], undefined)
    return true
  }
  const statement = deleteRow(table, key, { kind: 'seen', cell })
  const write = (): Promise<types.ResultSet> => session.write([statement], undefined)
  return mustBeApplied(schema.name, await session.turns.run(partitionOf({ schema, kind: 'delete', row: key }), write))
}
