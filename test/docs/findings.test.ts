import { expect, test } from 'vitest'
import { packages, read, sourcesOf } from '../house/sources.js'

/** The rules of every store, and those of each. */
const rules = packages.flatMap(sourcesOf).filter((path) => path.startsWith('packages/store/src/advice/') || path.endsWith('/src/advice.ts'))
const made = rules.flatMap((path) => [...read(path).matchAll(/code: '([^']+)',\s+severity: '([^']+)'/g)].map(([, code, severity]) => `${code} ${severity}`)) // prettier-ignore

test('the guide lists the code of every finding with its severity, and no other', () => {
  const [, section = ''] = read('docs/guide/choosing-a-key.md').split('\n## Warnings\n')
  const told = [...section.matchAll(/^\| `([^`]+)` +\| (\w+) +\|/gm)].map(([, code, severity]) => `${code} ${severity}`)
  expect(told.length).toBeGreaterThan(10)
  expect(told.toSorted()).toEqual([...new Set(made)].sort())
})

test('findings are made by rules only', () => {
  const others = packages.flatMap(sourcesOf).filter((path) => !rules.includes(path) && read(path).includes("severity: '"))
  expect(others).toEqual(['packages/store/src/contract/finding.ts']) // the example of a rule
})
