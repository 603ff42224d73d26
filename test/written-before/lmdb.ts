import { open } from 'lmdb'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** The data file of a folder, compressed, as lines of base64. */
export interface LmdbFile {
  readonly data: readonly string[]
}

/** Every entry of a file, as base64, read by LMDB alone. */
export async function entriesOf(folder: string): Promise<readonly (readonly [string, string])[]> {
  const db = open<Buffer, Buffer>(folder, { keyEncoding: 'binary', encoding: 'binary', noSubdir: false, maxDbs: 1, readOnly: true })
  const entries = [...db.getRange()].map(({ key, value }) => [key.toString('base64'), value.toString('base64')] as const)
  await db.close()
  return entries
}

export function restore(folder: string, { data }: LmdbFile): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'data.mdb'), gunzipSync(Buffer.from(data.join(''), 'base64')))
}
