// Tested by catalogs.test.ts.
import { checkpointUnusable, type Row, type TableSchema, type Value } from 'rowkey/adapter'
import { nativeTableId, whatIsGone } from './native-table.js'
import type { TableContext } from './context.js'

/** The partitions with tokens after one and up to another; undefined = all before, all after. */
export interface TokenRange {
  readonly above: bigint | undefined
  readonly upTo: bigint | undefined
}

/** Where a full scan is: after a row; undefined = at the start. In a split, in a range of tokens. */
export interface Place {
  readonly after: Row | undefined
  readonly range: TokenRange | undefined
}

/** Why a checkpoint cannot be used. */
const changed = 'it was changed'

const tokens = 2n ** 64n
const firstToken = -(2n ** 63n)

/**
 * Ranges of the same number of tokens. Tokens are hashes of partitions, so they have about the same number of partitions if a table has many.
 * Under another partitioner than the default one, tokens are not 64-bit integers, and the table is one split.
 *
 * @throws RowkeyError `TABLE_NOT_FOUND`, `SCHEMA_MISMATCH`, `STORE_UNAVAILABLE`
 */
export async function splits(table: TableContext, count: number): Promise<readonly string[]> {
  await mustExist(table)
  const width = (await table.session.hasTokens(table.schema.name)) ? BigInt(count) : 1n
  const ends = Array.from({ length: Number(width) - 1 }, (_, i) => firstToken + (tokens * BigInt(i + 1)) / width)
  return [...ends, undefined].map((upTo, i) => rangeText({ above: ends[i - 1], upTo }))
}

/** No split reads the table, so a table that was dropped would look like an empty one until its parts are read. */
async function mustExist(table: TableContext): Promise<void> {
  const { session, keyspace, schema } = table
  if ((await nativeTableId(session, keyspace, schema.name)) !== undefined) return
  const gone = await whatIsGone(table) // the node that was asked may not know the table yet
  if (gone !== undefined) throw gone
}

const rangeText = ({ above, upTo }: TokenRange): string => `${above ?? ''}:${upTo ?? ''}`

/** The checkpoint is the rowkey of the last row; that of a split also contains its range of tokens. */
export function checkpointOf({ layout }: TableSchema, last: Row, range: TokenRange | undefined): string {
  const rowkey = Buffer.from(layout.rowkey(last)).toString('base64url')
  return range === undefined ? rowkey : `${rangeText(range)}.${rowkey}`
}

/** @throws RowkeyError `CURSOR_INVALID` */
export function placeOf(schema: TableSchema, checkpoint: string): Place {
  if (!checkpoint.includes(':')) return { after: keyOf(schema, checkpoint), range: undefined }
  const match = /^(-?\d{1,19})?:(-?\d{1,19})?(?:\.([\w-]+))?$/.exec(checkpoint)
  const [, above, upTo, rowkey] = match ?? []
  const range = { above: tokenOf(above), upTo: tokenOf(upTo) }
  if (match === null || (range.above !== undefined && range.upTo !== undefined && range.above >= range.upTo))
    throw checkpointUnusable(changed)
  return { after: rowkey === undefined ? undefined : keyOf(schema, rowkey), range }
}

function tokenOf(text: string | undefined): bigint | undefined {
  const token = text === undefined ? undefined : BigInt(text)
  if (token !== undefined && BigInt.asIntN(64, token) !== token) throw checkpointUnusable(changed)
  return token
}

function keyOf(schema: TableSchema, rowkey: string): Row {
  const key: Value[] = []
  try {
    schema.layout.decode(Buffer.from(rowkey, 'base64url'), key)
  } catch (cause) {
    throw checkpointUnusable(changed, { cause })
  }
  return key
}
