import { schemaFromJSON } from 'rowkey'
import type { KnownStore } from 'rowkey/adapter'
import { expect, test } from 'vitest'
import { advise, type AdviceOptions } from '../src/index.js'
import { cases, type Design } from './cases.js'
import { goodDesigns } from './good-designs.js'
import { goodUnderLoad } from './good-under-load.js'

// All designs as JSON, with what the advisor says. Node.js 22 and 24 (test/smoke/built.mjs) and a browser (browser/chromium.test.ts) must say the same.

/** A description of a store has functions, which are no JSON. */
const withoutFunctions = (options: AdviceOptions = {}): AdviceOptions => {
  const { store } = options
  return typeof store === 'object' ? { ...options, store: store.name as KnownStore } : options
}

/** Of the rows of samples, a hundred are enough here. */
const withFewRows = ({ stats, ...options }: AdviceOptions): AdviceOptions =>
  stats === undefined
    ? options
    : { ...options, stats: stats.map((each) => ({ ...each, drawn: (each.drawn ?? '').split(' ').slice(0, 100).join(' ') })) }

const judgedAsJSON = ({ schema, options }: Design): unknown => {
  const given = JSON.parse(JSON.stringify({ schema, options: withFewRows(withoutFunctions(options)) })) as {
    schema: object
    options: AdviceOptions & { existing?: readonly object[] }
  }
  const { existing } = given.options
  const known = existing === undefined ? {} : { existing: existing.map((each) => schemaFromJSON(each)) }
  return { ...given, advice: advise(schemaFromJSON(given.schema), { ...given.options, ...known }) }
}

test('the findings on all designs are those of golden/findings.json: node_modules/.bin/vitest run --project advisor -u writes it', async () => {
  const designs = [...cases.flatMap(({ bad, good }) => [bad, ...good]), ...goodDesigns, ...goodUnderLoad]
  expect(designs.length).toBeGreaterThan(130)
  await expect(`[\n${designs.map((design) => JSON.stringify(judgedAsJSON(design))).join(',\n')}\n]\n`).toMatchFileSnapshot(
    'golden/findings.json',
  )
})
