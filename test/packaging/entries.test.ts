import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { build } from '../setup/build.js'
import { published, root } from './workspace.mjs'

// What is built: a file for each entry, and chunks that entries share, so that every entry has the same classes.

const entries = published.flatMap(({ manifest }) => Object.keys(manifest.exports ?? {}).map((path) => join(manifest.name, path)))

/** In a process without a test runner, where packages are the built ones. */
const program = `
  const all = Object.fromEntries(await Promise.all(${JSON.stringify(entries)}.map(async (name) => [name, await import(name)])))
  const copies = (name) => new Set(Object.values(all).flatMap((module) => (name in module ? [module[name]] : []))).size
  const { memory, createMapper, defineTable, text, RowkeyError } = all.rowkey
  const Notes = defineTable('notes', { columns: { id: text() }, key: ['id'] })
  const notes = createMapper(memory()).repository(Notes)
  const thrown = await notes.get({ id: 'a' }).catch((error) => error)
  console.log(JSON.stringify({
    entries: Object.values(all).every((module) => Object.keys(module).length > 0),
    copies: ['RowkeyError', 'createMapper', 'defineTable', 'keyLayout', 'memory', 'schemaOf', 'text'].map((name) => [name, copies(name)]),
    isOurs: thrown instanceof RowkeyError && thrown instanceof all['@rowkey/codec'].RowkeyError,
  }))
`

beforeAll(() => build('tsconfig.build.json'), 300_000)

test('every entry of every package is imported together, and there is one class RowkeyError, one mapper and one codec', () => {
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: root, encoding: 'utf8' })
  const names = ['RowkeyError', 'createMapper', 'defineTable', 'keyLayout', 'memory', 'schemaOf', 'text']
  expect(JSON.parse(printed)).toEqual({ entries: true, copies: names.map((name) => [name, 1]), isOurs: true })
})

test('rowkey is few files: its entries, and fewer chunks than entries', () => {
  const built = readdirSync(join(root, 'packages/rowkey/dist'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  )
  const own = entries.filter((name) => name === 'rowkey' || name.startsWith('rowkey/'))
  expect(built.filter((name) => !/(^|\/)chunk-/.test(name)).length).toBe(own.length)
  expect(built.length).toBeLessThan(2 * own.length)
})
