import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../packaging/workspace.mjs'
import { adapters } from './adapters.mjs'
import { adapterCells, otherCells, tscCells, versions } from './cells.mjs'

const page = readFileSync(new URL('../../docs/compatibility.md', import.meta.url), 'utf8')
const lines = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
const { devDependencies: tools } = JSON.parse(readFileSync(new URL('tools/package.json', import.meta.url), 'utf8')) as {
  devDependencies: Record<string, string>
}

// Whether the answers are right is what pnpm compat shows; these see that nobody has forgotten to run it.

test('every adapter but memory, which is in rowkey, says how it is opened', () => {
  const names = readdirSync(join(root, 'adapters')).filter((name) => name !== 'memory')
  expect(adapters.map(({ name }) => name)).toEqual(names.sort())
})

test('the page has a row for every way to compile and for every adapter, and an answer for every version of TypeScript', () => {
  const rows = new Set([...tscCells, ...adapterCells].map(({ row }) => row))
  expect(
    lines.filter(([, row]) => row !== undefined && rows.has(row)).map(([, row, ...answers]) => [row, answers.slice(0, -1).length]),
  ).toEqual([...rows].map((row) => [row, versions.length]))
})

test('the page has a row for every other tool, with the version that is installed', () => {
  const rows = otherCells.map(({ group, row }) => `${group} ${row}`)
  const found = lines.flatMap(([, tool = '', row = '', answer]) =>
    answer !== undefined && otherCells.some((cell) => cell.row === row && tool.startsWith(cell.group)) ? [{ tool, row }] : [],
  )
  expect(found.map(({ tool, row }) => `${tool.replace(/ [\d.]+$/, '')} ${row}`)).toEqual(rows)
  const named = found.flatMap(({ tool }) => / ([\d.]+)$/.exec(tool)?.[1] ?? [])
  expect(named.filter((version) => !Object.values(tools).includes(version))).toEqual([])
  expect(named.length).toBeGreaterThan(10)
})

test('no answer is missing: the page was written where every tool runs', () => {
  expect(page).not.toContain('not run')
})

test('every no is explained: one that nobody expects is a mistake, of rowkey or of the test', () => {
  const reasons = lines.flatMap(([, tool = '', ...cells]) =>
    cells.flatMap((cell) => {
      const [, reason = tool.replace(/ [\d.]+$/, '')] = /^no(?: \((\w+)\))?$/.exec(cell) ?? [undefined, '']
      return reason === '' ? [] : [reason]
    }),
  )
  expect(reasons.length).toBeGreaterThan(5)
  expect(reasons.filter((reason) => !page.includes(`**${reason}**`))).toEqual([])
})
