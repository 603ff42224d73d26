import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { read } from './pages.js'

/** - **G-09** requirement `status` (where) remark `test file` "part of a title" … */
const line = /^- \*\*(G-\d+)\*\* (.+?) `(done|partly|later|n\/a)`(?: \((all stores|memory|keys)\))?(.*)$/
const evidence = / `([^`]+\.test\.ts)` "([^"]+)"/g

const all = read('docs/guides-coverage.md')
  .split('\n')
  .filter((text) => text.startsWith('- **'))
const items = all.map((text) => {
  const [, id, requirement, status, where, rest = ''] = line.exec(text) ?? []
  const tests = [...rest.matchAll(evidence)].map(([, file = '', title = '']) => ({ file, title }))
  return { text, id, requirement, status, where, tests, remark: rest.replaceAll(evidence, '').trim() }
})

test('every line has an id, a requirement and a status', () => {
  expect(items.filter(({ id }) => id === undefined).map(({ text }) => text)).toEqual([])
})

test('G-01 to G-126 are there, each once, in order', () => {
  expect(items.map(({ id }) => id)).toEqual(Array.from({ length: 126 }, (_, i) => `G-${String(i + 1).padStart(2, '0')}`))
})

test('done and partly name tests; partly and later say what is left', () => {
  const shown = ['done', 'partly']
  expect(items.filter(({ status = '', tests }) => shown.includes(status) !== tests.length > 0).map(({ id }) => id)).toEqual([])
  expect(items.filter(({ status = '', remark }) => ['partly', 'later'].includes(status) && remark === '').map(({ id }) => id)).toEqual([])
})

test('done and partly say where: on all stores if a test of the line runs there, in memory, or without a store', () => {
  const places = ['keys', 'memory', 'all stores']
  const wrong = items.flatMap(({ id, where, tests }) => {
    const best = Math.max(-1, ...tests.map(({ file }) => places.indexOf(placeOf(file))))
    return where === places[best] ? [] : [`${id}: ${where ?? 'nowhere'}, not ${places[best] ?? 'nowhere'}`]
  })
  expect(wrong).toEqual([])
})

test('every test that is named exists', () => {
  const missing = items.flatMap(({ id, tests }) =>
    tests
      .filter(
        ({ file, title }) => !existsSync(new URL(`../../${file}`, import.meta.url)) || !titlesOf(file).some((each) => each.includes(title)),
      )
      .map(({ file, title }) => `${id}: ${file} "${title}"`),
  )
  expect(missing).toEqual([])
})

test('remarks that point to another line point to one with a reason of its own', () => {
  const reasons = new Map(items.map(({ id, remark }) => [id, remark]))
  const pointers = items.flatMap(({ id, remark }) => {
    const [, target] = /As (G-\d+)\./.exec(remark) ?? []
    return target === undefined ? [] : [{ id, reason: reasons.get(target) ?? '' }]
  })
  expect(pointers.filter(({ reason }) => reason === '' || reason.startsWith('As '))).toEqual([])
})

/** On which stores a test runs: those of the guides on all of them by `onEachStore`. */
function placeOf(file: string): string {
  if (file.startsWith('test/stores/') || read(file).includes('onEachStore(')) return 'all stores'
  return /^test\/(oracle|mapper)\//.test(file) || read(file).includes('memory()') ? 'memory' : 'keys'
}

/** The first string of every test, describe, and row of a table of tests. */
function titlesOf(file: string): readonly string[] {
  return [...read(file).matchAll(/[([,]\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g)].map(([, , title = '']) => title.replaceAll(/\\(.)/g, '$1'))
}
