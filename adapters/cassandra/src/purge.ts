// Tested by expiry.test.ts and conformance.test.ts.
import { inParallel, partitionOf, type Cancellation, type Row } from '@rowkey/store/adapter'
import { deleteRow } from './changes.js'
import { bigintOf } from './client/driver-values.js'
import { readError } from './errors.js'
import type { ExpiryCell } from './expiry.js'
import { int64 } from './client/native-bytes.js'
import { quoted } from './client/cql.js'
import { cellOf, faulty, mustBeApplied, PageStates, type NativeRow } from './client/answers.js'
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
  let purged = 0
  const pageStates = new PageStates(table.schema.name)
  let pageState: string | undefined
  do {
    cancellation?.throwIfOver()
    const page = await deadRows(table, now, pageState)
    pageState = pageStates.after(page.answer)
    for (let at = 0; at < page.dead.length && purged < limit;) {
      const some = page.dead.slice(at, at + limit - purged)
      at += some.length
      const gone = await inParallel(some, width, async (dead) => {
        cancellation?.throwIfOver() // those of one partition are deleted one after the other, which takes its time
        return remove(table, dead).catch((error: unknown) => Promise.reject(readError(table.schema.name, error)))
      })
      purged += gone.filter(Boolean).length
    }
  } while (pageState !== undefined && purged < limit)
  return purged
}

async function deadRows(
  table: TableContext,
  now: number,
  from: string | undefined,
): Promise<{ readonly dead: readonly Dead[]; readonly answer: types.ResultSet }> {
  const { schema, statements } = table
  const reader = table.reader([schema.expiryIndex])
  const query = statements.all(`${reader.columns}, writetime(${quoted('rk_expires')}) AS written`, undefined, false)
  const page = from === undefined ? {} : { pageState: from }
  const answer = await table.read({ query, params: [] }, 'strong', { fetchSize: pageRows, ...page })
  // A conditional put may expire before the row that it replaced would have, and leaves remains of that row. A plain put leaves none.
  const isRemains = table.mode === 'native' && schema.writes === 'conditional'
  const dead = (answer.rows as unknown as readonly NativeRow[]).flatMap((native): readonly Dead[] => {
    const cell = reader.expiry(native)
    if (cell === null) return isRemains ? [{ key: reader.key(native), cell, written: 0n }] : []
    return cell > BigInt(now) ? [] : [{ key: reader.key(native), cell, written: writtenOf(schema.name, native) }]
  })
  return { dead, answer }
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
