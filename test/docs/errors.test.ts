import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { packages, read, sourcesOf } from '../house/sources.js'
import { declaredCodes, detailsOf, problemCodes } from '../errors/codes.js'

const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')
const sections = new Map(
  page
    .split(/^### /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section.split(/^## /m)[0] ?? '']),
)

test('every code has its heading, and no heading is stale', () => {
  expect([...sections.keys()].sort()).toEqual(declaredCodes())
})

test.each([...sections])('%s says when, what to do, and which details', (code, section) => {
  const paragraph = section.split('\n').slice(1).join('\n').trim()
  expect(paragraph.split('\n').length).toBeGreaterThanOrEqual(3)
  const [, details = ''] = /^Details: ([^]*)$/m.exec(paragraph) ?? []
  const named = detailsOf(code)
  for (const name of named) expect(details).toContain(`\`${name}\``)
  if (named.length === 0) expect(details).toBe('none.')
})

test('the type that maps codes to details has all of them', () => {
  // An adapter with an interface of its own would throw a code that `isRowkeyError(error, code)` does not know.
  const [, extended = ''] = /interface ErrorDetails extends ([^{]*)\{/.exec(read('packages/rowkey/src/mapper/call/errors.ts')) ?? []
  // Clients know nothing of rowkey: their errors are their own, and an adapter turns them into its codes.
  const ofRowkey = packages.filter((folder) => !folder.startsWith('clients/'))
  const declared = ofRowkey.flatMap((folder) =>
    sourcesOf(folder).flatMap((path) => [...read(path).matchAll(/interface (\w+ErrorDetails)\b/g)].map((match) => match[1])),
  )
  expect(declared.toSorted()).toEqual(
    extended
      .split(',')
      .map((name) => name.trim())
      .toSorted(),
  )
})

test('every problem of INVALID_SCHEMA is named', () => {
  const named = (sections.get('INVALID_SCHEMA') ?? '').match(/`[A-Z_]{3,}`/g) ?? []
  expect(named.map((code) => code.slice(1, -1)).sort()).toEqual(problemCodes())
})
