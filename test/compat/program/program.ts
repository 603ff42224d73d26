import { createMapper, isRowkeyError, memory, toHex } from 'rowkey'
import { LogEvent } from './models.js'

/** What an application does first, as one line. */
export async function program(): Promise<string> {
  const db = createMapper(memory())
  await db.ensureTables([LogEvent])
  const logs = db.repository(LogEvent)
  const key = { host: 'web-1', event: 'login', at: new Date('2026-01-01T10:00:00Z'), seq: 1 }
  await logs.insert({ ...key, message: 'ann' })
  await logs.insert({ ...key, at: new Date('2026-01-01T11:00:00Z'), seq: 2, message: null })
  const rows = await logs.scan({ host: 'web-1' }).toArray()
  const newest = rows.map((row) => `${row.at.toISOString()} ${row.message ?? 'null'}`).join(', ')
  const isClass = rows.length === 2 && rows.every((row) => row instanceof LogEvent)
  const again = await logs.insert({ ...key, message: 'eve' }).then(
    () => 'written',
    (error: unknown) => (isRowkeyError(error) ? error.code : 'another error'),
  )
  return `${newest} | ${String(isClass)} | ${toHex(logs.encodeKey(key))} | ${again}`
}
