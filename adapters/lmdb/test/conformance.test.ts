import { conformance, type SkippedRule } from 'rowkey/conformance'
import { lmdb, lmdbStore } from '@rowkey/lmdb'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isShort } from '@rowkey/servers/scale'
import { afterAll, expect, test } from 'vitest'
import { withoutHuge } from '../../../test/setup/large-rules.js'

const skipped: SkippedRule[] = []

conformance({
  test: withoutHuge(test, isShort),
  afterAll,
  createAdapter() {
    const folder = mkdtempSync(join(tmpdir(), 'rowkey-lmdb-'))
    return {
      adapter: lmdb(join(folder, 'db')),
      dispose() {
        rmSync(folder, { recursive: true })
      },
    }
  },
  description: lmdbStore,
  capabilities: { reverse: true, conditions: 'columns' },
  onSkip: (rule) => skipped.push(rule),
})

test('no rule is skipped', () => expect(skipped).toEqual([]))
