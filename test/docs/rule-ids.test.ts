import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { packages, testFolderOf } from '../house/sources.js'

const root = new URL('../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')

/** Every file below a folder, which need not be there yet. */
function filesBelow(folder: string, ending: string): string[] {
  if (!existsSync(new URL(folder, root))) return []
  const names = readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith(ending) && !name.includes('node_modules')).map((name) => `${folder}${name}`)
}

const specs = filesBelow('docs/spec/', '.md')
// The oracle's parts share one title. The published suite proves the store's contract, so its titles count too.
const tests = [
  ...filesBelow('test/', '.test.ts'),
  ...packages.flatMap((folder) => filesBelow(`${testFolderOf(folder)}/`, '.test.ts')),
  'test/oracle/suite.ts',
  ...filesBelow('packages/rowkey/src/conformance/', '.ts'),
]

/** A rule is defined where a paragraph or list item begins with its id in bold: `**KEY-1** …`. */
const definitions = (text: string): string[] =>
  [...text.matchAll(/^(?:[-*] )?\*\*((?:[A-Z]+-|R)\d+)\*\*/gm)].map((match) => match[1] as string)

/** The ids at the beginning of titles: `test('KEY-1 KEY-2: …'`, `describe.each(…)('KEY-3: …'`, `['KEY-4: …'` of a table. */
const titled = (text: string): string[] =>
  [...text.matchAll(/[([]\s*(['"`])((?:(?:[A-Z]+-|R)\d+[ ,:]*)+)/g)].flatMap(
    (match) => (match[2] as string).match(/(?:[A-Z]+-|R)\d+/g) ?? [],
  )

const named = new Map<string, string>()
for (const file of tests) for (const id of titled(read(file))) named.set(id, file)

test('there are specifications', () => expect(specs).toContain('docs/spec/key-format.md'))

describe.each(specs)('%s', (spec) => {
  const text = read(spec)
  const rules = definitions(text)

  test('defines each rule once', () => {
    expect(rules.length).toBeGreaterThan(0)
    expect(rules.filter((id, i) => rules.indexOf(id) < i)).toEqual([])
  })

  test('mentions no rule that is not defined', () => {
    const all = specs.flatMap((name) => definitions(read(name)))
    const families = new Set(all.map((id) => id.replace(/-?\d+$/, '')))
    const mentioned = (text.match(/\b(?:[A-Z]+-|R)\d+\b/g) ?? []).filter((id) => families.has(id.replace(/-?\d+$/, '')))
    expect(mentioned.filter((id) => !all.includes(id))).toEqual([])
  })

  test('has a test for every rule', () => expect(rules.filter((id) => !named.has(id))).toEqual([]))

  test('is named by no test with an id that it does not have', () => {
    const families = new Set(rules.map((id) => id.replace(/-?\d+$/, '')))
    expect([...named].filter(([id]) => families.has(id.replace(/-?\d+$/, '')) && !rules.includes(id))).toEqual([])
  })
})
