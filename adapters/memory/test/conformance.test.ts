import { conformance, type SkippedRule } from '@rowkey/conformance'
import { memory, memoryStore } from '@rowkey/memory'
import { afterAll, expect, test } from 'vitest'

const skipped: SkippedRule[] = []

conformance({
  test,
  afterAll,
  createAdapter: memory,
  description: memoryStore,
  capabilities: { reverse: true, conditions: 'columns' },
  onSkip: (rule) => skipped.push(rule),
})

test('no rule is skipped', () => expect(skipped).toEqual([]))
