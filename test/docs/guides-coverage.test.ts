import { stores, testedAs, type Store } from '@rowkey/servers'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { letters, type Line, type StoreName } from '../guides/line.js'
import { linesOfGuides } from '../guides/lines.js'
import { fileOnServer } from '../setup/projects.js'
import { read } from './pages.js'

/** - **G-09** requirement `status` stores remark [part of a title](file), [part of a title](file) on stores */
const all = stores.map(({ letter }) => letter).join('')
const line = new RegExp(String.raw`^- \*\*(G-\d+)\*\* (.+?) \`(done|partly|later|n/a)\`(?: ([${all}]+|–)(?= ))?(.*)$`)
const evidence = new RegExp(
  String.raw`,? \[((?:[^[\]]|\[[^[\]]*\])+)\]\(\.\./((?:test|packages|adapters)/[^)]+\.ts)\)(?: on ([${all}]+))?`,
  'g',
)

const listed = read('docs/guides-coverage.md')
  .split('\n')
  .filter((text) => text.startsWith('- **'))
const items = listed.map((text) => {
  const [, id = '', requirement, status = '', stores, rest = ''] = line.exec(text) ?? []
  const tests = [...rest.matchAll(evidence)].map(([, title = '', file = '', on]) => ({ file, title, on }))
  return { text, id, requirement, status, stores, tests, remark: rest.replaceAll(evidence, '').trim() }
})
const guides = linesOfGuides()

test('every line has an id, a requirement and a status', () => {
  expect(items.filter(({ id }) => id === '').map(({ text }) => text)).toEqual([])
})

test('G-01 to G-126 are there, each once, in order', () => {
  expect(items.map(({ id }) => id)).toEqual(Array.from({ length: 126 }, (_, i) => `G-${String(i + 1).padStart(2, '0')}`))
})

test('done and partly have stores and link tests; partly and later say what is left', () => {
  const shown = (status: string): boolean => ['done', 'partly'].includes(status)
  expect(items.filter(({ status, tests }) => shown(status) !== tests.length > 0).map(({ id }) => id)).toEqual([])
  expect(items.filter(({ status, stores }) => shown(status) !== (stores !== undefined)).map(({ id }) => id)).toEqual([])
  expect(items.filter(({ status, remark }) => ['partly', 'later'].includes(status) && remark === '').map(({ id }) => id)).toEqual([])
})

test('every test that is linked exists; of the guides it is exactly one', () => {
  const missing = items.flatMap(({ id, tests }) =>
    tests
      .filter(({ file, title }) => {
        if (guides[file] !== undefined) return guidesTests(file, title).length !== 1
        return !existsSync(new URL(`../../${file}`, import.meta.url)) || !titlesOf(file).some((each) => each.includes(title))
      })
      .map(({ file, title }) => `${id}: ${file} "${title}"`),
  )
  expect(missing).toEqual([])
})

test('the letters of a line are those of the stores on which all its tests of the guides run', () => {
  const wrong = items.flatMap(({ id, stores, tests }) => {
    if (stores === undefined) return []
    const own = tests.filter(({ file, on }) => guides[file] !== undefined && on === undefined)
    const lettersOfLine = [...all].filter((letter) => own.every(({ file, title }) => lettersOf(file, title).includes(letter))).join('')
    const shown = own.length === 0 ? '–' : lettersOfLine
    return shown === stores ? [] : [`${id} says ${stores}, and is shown on ${shown}`]
  })
  expect(wrong).toEqual([])
})

test('a test with letters of its own runs on those stores, and not on all', () => {
  const some = items.flatMap(({ id, tests }) => tests.flatMap(({ file, title, on }) => (on === undefined ? [] : [{ id, file, title, on }])))
  expect(some.length).toBeGreaterThan(0)
  expect(some.filter(({ file, title, on }) => lettersOf(file, title) !== on || on === all)).toEqual([])
})

test('where only one emulation of DynamoDB shows a test, the line says which', () => {
  const unsaid = items.flatMap(({ id, remark, tests }) =>
    tests.flatMap(({ file, title }) => {
      const { moto, dynalite } = guidesTests(file, title)[0]?.refused ?? {}
      const shows = moto === dynalite ? '' : moto === undefined ? 'moto' : 'dynalite'
      return remark.includes(shows) ? [] : [id]
    }),
  )
  expect(unsaid).toEqual([])
})

test('every test of the guides is linked by the lines whose ids it has', () => {
  const unlinked = Object.entries(guides).flatMap(([file, lines]) =>
    lines.flatMap(({ title }) => {
      const ids = /^(G-\d+ ?)+(?=: )/.exec(title)?.[0].split(' ') ?? ['no id']
      const linking = items.filter(({ tests }) => tests.some((each) => each.file === file && title.includes(each.title)))
      return ids.filter((id) => !linking.some((item) => item.id === id)).map((id) => `${id}: ${file} "${title}"`)
    }),
  )
  expect(unlinked).toEqual([])
})

test('the table of letters has every store, in the order of the list', () => {
  const table = [...read('docs/guides-coverage.md').matchAll(/^\| ([A-Z]) +\|/gm)].map(([, letter]) => letter)
  expect(table).toEqual([...all])
})

test('every store has a file that runs all tests of the guides', () => {
  const files = stores.flatMap((store: Store) => testedAs(store).map((name) => [name, fileOnServer(store, name, 'guides')] as const))
  expect(files.map(([name]) => name).toSorted()).toEqual(Object.keys(letters).toSorted())
  expect(files.filter(([name, file]) => !read(file).includes(`guidesOn('${name}', `))).toEqual([])
})

test('remarks that point to another line point to one with a reason of its own', () => {
  const reasons = new Map(items.map(({ id, remark }) => [id, remark]))
  const pointers = items.flatMap(({ id, remark }) => {
    const [, target] = /As (G-\d+)\./.exec(remark) ?? []
    return target === undefined ? [] : [{ id, reason: reasons.get(target) ?? '' }]
  })
  expect(pointers.filter(({ reason }) => reason === '' || reason.startsWith('As '))).toEqual([])
})

function guidesTests(file: string, part: string): readonly Line[] {
  return (guides[file] ?? []).filter(({ title }) => title.includes(part))
}

/** The letters of the stores on which a test runs: on all servers of a store, or on one of its emulations. */
function lettersOf(file: string, part: string): string {
  const [test] = guidesTests(file, part)
  const runs = (name: string): boolean =>
    test !== undefined && test.refused[name as StoreName] === undefined && test.only?.includes(name as StoreName) !== false
  return stores
    .filter((store: Store) => {
      const names = testedAs(store).filter((name) => store.servers[name]?.isOwnOnly !== true)
      return store.isEmulated === true ? names.some(runs) : names.every(runs)
    })
    .map(({ letter }) => letter)
    .join('')
}

/** The first string of every test, describe, and row of a table of tests. */
function titlesOf(file: string): readonly string[] {
  return [...read(file).matchAll(/[([,]\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g)].map(([, , title = '']) => title.replaceAll(/\\(.)/g, '$1'))
}
