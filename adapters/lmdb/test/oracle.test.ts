import { lmdb } from '@rowkey/lmdb'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { oracleSuite } from '../../../test/oracle/suite.js'

// Without waiting for the disk: what is asked here is what reads give.
const createAdapter = () => {
  const folder = mkdtempSync(join(tmpdir(), 'rowkey-oracle-'))
  return {
    adapter: lmdb(join(folder, 'db'), { sync: false }),
    dispose: () => {
      rmSync(folder, { recursive: true })
    },
  }
}

oracleSuite('lmdb', createAdapter, { layouts: 80 })
