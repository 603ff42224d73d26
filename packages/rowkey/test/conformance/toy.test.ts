import { conformance, oracle, type SkippedRule } from '#conformance'
import { isShort } from '@rowkey/servers/scale'
import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { withoutLarge } from '../../../../test/setup/large-rules.js'
import { toy } from '../../../../examples/src/toy/toy.js'

const skipped: SkippedRule[] = []

conformance({ test: withoutLarge(test, isShort), afterAll, createAdapter: toy, onSkip: (rule) => skipped.push(rule) })

test('what the toy lacks is refused, and the runner is told which rules that leaves out', () => {
  expect(new Set(skipped.map(({ because }) => because))).toEqual(
    new Set(["capabilities.conditions is 'version'", 'capabilities.atomic is row, 1', "capabilities.atomic.scope is 'row'"]),
  )
  expect(
    skipped
      .map(({ rule }) => rule)
      .filter((rule) => !/^(ADAPTER-11|EXPIRY-5|SCAN-9|TABLE-10|WRITE-(14|16|17|19|20|21|22|23))\b/.test(rule)),
  ).toEqual([])
})

test('R1 R14 R17 R18: the oracle holds for the toy', async () => {
  const { pages } = await oracle({ createAdapter: toy, seed: 5, layouts: 60 })
  expect(pages).toBeGreaterThan(60)
})

test('the toy is short: it is what authors of adapters read first', () => {
  const source = readFileSync(new URL('../../../../examples/src/toy/toy.ts', import.meta.url), 'utf8')
  expect(source.split('\n').length - 1).toBeLessThanOrEqual(100)
})
