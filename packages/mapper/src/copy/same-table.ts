import { inTime, type Cancellation } from '@rowkey/store/adapter'
import type { TableHandle } from '../table/table-handle.js'

/** Whether two tables are one, also if each has a mapper, an adapter and a client of its own. */
export async function isSameTable(a: TableHandle, b: TableHandle, cancellation: Cancellation | undefined): Promise<boolean> {
  const [mine, theirs] = [a.mapper.adapter, b.mapper.adapter]
  if (mine === theirs) return a.name === b.name
  if (mine.name !== theirs.name) return false
  const ids = await inTime(cancellation, Promise.all([idOf(a), idOf(b)]))
  return ids[0] !== undefined && ids[0] === ids[1]
}

async function idOf(handle: TableHandle): Promise<string | undefined> {
  const { schema, catalog } = await handle.open()
  return handle.mapper.adapter.tableId?.(schema, catalog)
}
