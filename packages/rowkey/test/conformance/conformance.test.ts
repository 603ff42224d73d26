import { conformance, type SkippedRule } from '#conformance'
import { memory } from '#memory'
import type { Capabilities } from '#store/adapter'
import { isShort } from '@rowkey/servers/scale'
import { afterAll, describe, expect, test } from 'vitest'
import { delegate } from '../../src/conformance/delegate.js'
import { withoutLarge } from '../../../../test/setup/large-rules.js'

const lacks: readonly (readonly [what: string, lack: Partial<Capabilities>])[] = [
  ['reverse', { reverse: false }],
  ['conditions', { conditions: 'none' }],
  ['versions', { conditions: 'presence' }],
  ['an order by bytes', { keyOrder: 'columns' }],
]
const together = ['all of these', { reverse: false, conditions: 'none', keyOrder: 'columns' }] as const

// The core refuses what a store does not declare, so one that can do it all the same stands for one that cannot.
describe.each(isShort ? [together] : [...lacks, together])('SCAN-6: a store without %s', (_, lack) => {
  const skipped: SkippedRule[] = []
  const createAdapter = () => {
    const base = memory()
    return delegate(base, { capabilities: { ...base.capabilities, ...lack } })
  }
  conformance({
    test: isShort ? withoutLarge(test, true) : test,
    afterAll,
    createAdapter,
    capabilities: lack,
    onSkip: (rule) => skipped.push(rule),
  })

  test('is told which rules that leaves out', () => {
    expect(skipped.length).toBeGreaterThan(0)
    for (const { because } of skipped)
      expect(because).toMatch(/^capabilities\.(reverse is false|conditions is '(none|presence)'|keyOrder is 'columns')$/)
  })
})
