import { lmdb } from '@rowkey/lmdb'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { guidesOn } from '../../../test/guides/guides-on.js'

guidesOn('lmdb', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rowkey-guides-'))
  const adapter = lmdb(join(folder, 'db'), { sync: false })
  return {
    adapter,
    async dispose() {
      await adapter.close()
      rmSync(folder, { recursive: true })
    },
  }
})
