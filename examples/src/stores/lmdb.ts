import { lmdb } from '@rowkey/lmdb'
import { temporaryFolder } from '@rowkey/servers'
import { join } from 'node:path'
import type { Open } from './open-stores.js'

export const open: Open = async () => {
  const folder = temporaryFolder('rowkey-example')
  return { version: '', adapter: lmdb(join(folder.path, 'db')), close: () => folder.remove() }
}
