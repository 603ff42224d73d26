import { inTime, type Cancellation } from '#store/adapter'
import type { TableHandle } from '../table/table-handle.js'

/** Whether two tables are one, also if each has a mapper, an adapter and a client of its own. */
export async function isSameTable(a: TableHandle, b: TableHandle, cancellation: Cancellation | undefined): Promise<boolean> {
  const [mine, theirs] = [a.mapper.adapter, b.mapper.adapter]
  if (a.name !== b.name || mine.name !== theirs.name) return false
  if (mine === theirs) return true
  const ids = await inTime(cancellation, Promise.all([idOf(a), idOf(b)]))
  return ids[0] !== undefined && ids[0] === ids[1]
}

async function idOf(handle: TableHandle): Promise<string | undefined> {
  const { schema, catalog } = await handle.open()
  try {
    return await handle.mapper.adapter.tableId?.(schema, catalog)
  } catch {
    return undefined // a copy needs no permission to ask for more than rows
  }
}
