import { lmdb } from '@rowkey/lmdb'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { expectUsable, golden, type KeptCheckpoint } from '../../../test/written-before/kept.js'
import { entriesOf, restore, type LmdbFile } from '../../../test/written-before/lmdb.js'
import { expectSameBytes, writeRows } from '../../../test/written-before/write.js'

const folder = mkdtempSync(join(tmpdir(), 'rowkey-written-before-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a file of LMDB that was written before: tables, rows, order, cursors, checkpoints, and it can be written to', async () => {
  const { checkpoints, ...file } = golden<LmdbFile & { readonly checkpoints: readonly KeptCheckpoint[] }>('lmdb')
  restore(join(folder, 'db'), file)
  const adapter = lmdb(join(folder, 'db'))
  await expectUsable(adapter, checkpoints)
  await adapter.close()
})

test('what is written to LMDB today is what was written before, byte for byte', async () => {
  restore(join(folder, 'before'), golden<LmdbFile>('lmdb'))
  const adapter = lmdb(join(folder, 'today'))
  await writeRows(adapter)
  await adapter.close()
  expectSameBytes(await entriesOf(join(folder, 'today')), await entriesOf(join(folder, 'before')))
})
