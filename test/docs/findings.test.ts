import { expect, test } from 'vitest'
import { packages, read, sourcesOf } from '../house/sources.js'
import { pages } from './pages.js'

/** The rules of every store, and those of each. */
const rules = packages
  .flatMap(sourcesOf)
  .filter((path) => path.startsWith('packages/rowkey/src/store/advice/') || path.endsWith('/src/advice.ts'))
const made = rules.flatMap((path) => [...read(path).matchAll(/code: '([^']+)',\s+severity: '([^']+)'/g)].map(([, code, severity]) => `${code} ${severity}`)) // prettier-ignore

test('the guide lists the code of every finding with its severity, and no other', () => {
  const [, section = ''] = read('docs/guide/choosing-a-key.md').split('\n## Warnings\n')
  const told = [...section.matchAll(/^\| `([^`]+)` +\| (\w+) +\|/gm)].map(([, code, severity]) => `${code} ${severity}`)
  expect(told.length).toBeGreaterThan(10)
  expect(told.toSorted()).toEqual([...new Set(made)].sort())
})

const ofAdvisor = packages.flatMap(sourcesOf).filter((path) => path.startsWith('packages/advisor/src/rules/'))

test('findings are made by rules only', () => {
  const others = packages
    .flatMap(sourcesOf)
    .filter((path) => ![...rules, ...ofAdvisor].includes(path) && read(path).includes("severity: '"))
  // What is ignored for nothing is no matter of a table; the other one is the example of a rule.
  expect(others.toSorted()).toEqual(['packages/advisor/src/ignore.ts', 'packages/rowkey/src/store/contract/finding.ts'])
})

test('every code has a page in docs/rules with its name as title, and no page is stale', () => {
  const sources = [...ofAdvisor, 'packages/advisor/src/ignore.ts'].map(read)
  const advised = sources.flatMap((text) => [...text.matchAll(/(?:\bcode: |explained\()'([a-z-]+)'/g)].map(([, code = '']) => code))
  const codes = [...new Set([...advised, ...made.map((each) => each.split(' ')[0] ?? '')])]
  expect(codes.length).toBeGreaterThan(50)
  const written = pages().filter((page) => page.startsWith('docs/rules/') && page !== 'docs/rules/README.md')
  expect(written.toSorted()).toEqual(codes.map((code) => `docs/rules/${code}.md`).sort())
  expect(written.filter((page) => !read(page).startsWith(`# ${page.slice('docs/rules/'.length, -'.md'.length)}\n`))).toEqual([])
  const listed = [...read('docs/rules/README.md').matchAll(/\[`([a-z-]+)`\]\(([a-z-]+)\.md\)/g)].map(([, code, page]) =>
    code === page ? code : `${code} links ${page}`,
  )
  expect(listed.toSorted()).toEqual(codes.toSorted())
})
