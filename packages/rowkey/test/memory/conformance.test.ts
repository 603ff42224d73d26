import { conformance, type SkippedRule } from '#conformance'
import { memory, memoryStore } from '#memory'
import { isShort } from '@rowkey/servers/scale'
import { afterAll, expect, test } from 'vitest'
import { withoutHuge } from '../../../../test/setup/large-rules.js'

const skipped: SkippedRule[] = []

conformance({
  test: withoutHuge(test, isShort),
  afterAll,
  createAdapter: memory,
  description: memoryStore,
  capabilities: { reverse: true, conditions: 'columns' },
  onSkip: (rule) => skipped.push(rule),
})

test('no rule is skipped', () => expect(skipped).toEqual([]))
