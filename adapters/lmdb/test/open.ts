import { lmdb } from '@rowkey/lmdb'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoreKit } from '../../../test/kit/store-kit.js'

/** A path below a file, so that nothing is created. */
function impossible(path: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'rowkey-lmdb-')), 'file')
  writeFileSync(file, '')
  return join(file, path)
}

export const kit: StoreKit = {
  factory: [['data', { sync: true }], (path, options) => lmdb(typeof path === 'string' ? impossible(path) : path, options)],
  offline: () => lmdb(mkdtempSync(join(tmpdir(), 'rowkey-lmdb-'))),
  on: {},
}
