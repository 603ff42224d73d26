import { lmdb, lmdbStore } from '@rowkey/lmdb'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { testDescription } from '../../../test/kit/described.js'

const folder = mkdtempSync(join(tmpdir(), 'rowkey-lmdb-'))
const adapter = lmdb(join(folder, 'db'))
afterAll(async () => {
  await adapter.close()
  rmSync(folder, { recursive: true })
})
testDescription(lmdbStore, adapter, () => import('../src/description.js'), 'lmdb')
