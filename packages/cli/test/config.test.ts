import { expect, test } from 'vitest'
import { findConfig } from '../src/load/config.js'
import { project, withTables } from './command.js'

const { rowkey, write, path, folder } = project(withTables)
const one = (withTables['models.json'] ?? '').slice(1, -1).split(/,(?=\{"format")/)[0] ?? ''

test('the nearest config is found upwards, and its files are found from its own folder', async () => {
  write('deep/er/still/x.txt', '')
  expect(findConfig(path('deep/er/still'))).toBe(path('rowkey.config.json'))
  expect((await rowkey(['layout', 'logs'], { folder: path('deep/er/still') })).code).toBe(0)
  write('deep/rowkey.config.json', '{ "models": ["schemas/*.json"] }')
  write('deep/schemas/logs.json', one)
  expect(findConfig(path('deep/er'))).toBe(path('deep/rowkey.config.json'))
  const { stdout } = await rowkey(['layout', '--json'], { folder: path('deep/er') })
  expect((JSON.parse(stdout) as { layouts: unknown[] }).layouts.length).toBe(1)
})

test.each([
  ['rowkey.config.ts', 'const config: { models: string[] } = { models: ["./m.json", "m.ts"] }\nexport default config\n'],
  ['rowkey.config.mts', 'export default { models: ["m.json", "m.ts"] } satisfies { models: string[] }\n'],
  ['rowkey.config.js', 'export default { models: ["m.json", "m.ts"] }\n'],
  ['rowkey.config.mjs', 'export default { models: ["m.json", "m.ts"] }\n'],
  ['rowkey.config.json', '{ "models": ["m.json", "m.ts"] }'],
])('%s, with the order of its files', async (name, text) => {
  const at = `kinds/${name}`
  write(`${at}/${name}`, text)
  write(`${at}/m.json`, one)
  write(`${at}/m.ts`, `import { defineTable, text } from 'rowkey'\nexport const More = defineTable('more', { columns: { id: text(), v: text() }, key: ['id'] })\n`) // prettier-ignore
  const { stdout, stderr, code } = await rowkey(['layout', '--json'], { folder: path(at) })
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  expect((JSON.parse(stdout) as { layouts: { table: string }[] }).layouts.map(({ table }) => table)).toEqual(['logs', 'more'])
})

test('--models and --config take the place of the config that would be found', async () => {
  write('other.json', one)
  write('elsewhere/mine.json', '{ "models": ["../other.json"] }')
  const count = async (args: readonly string[]): Promise<number> =>
    (JSON.parse((await rowkey(['layout', '--json', ...args])).stdout) as { layouts: unknown[] }).layouts.length
  expect(await count([])).toBe(3)
  expect(await count(['--models', 'other.json'])).toBe(1)
  expect(await count(['--config', 'elsewhere/mine.json'])).toBe(1)
})

test.each([
  ['broken.config.json', '{', /^rowkey: broken\.config\.json cannot be read: it is no JSON: /],
  ['none.config.json', '{}', /none\.config\.json must have \{ models: \[\.\.\.\] \}/],
  ['null.config.json', 'null', /must have \{ models/],
  ['empty.config.json', '{ "models": [] }', /must have \{ models/],
  ['numbers.config.json', '{ "models": [1] }', /must have \{ models/],
  ['typo.config.json', '{ "models": ["models.json"], "modles": [] }', /has the option 'modles', which does not exist/],
  ['gone.config.json', '{ "models": ["gone.json"] }', /^rowkey: gone\.json cannot be read: it does not exist/],
  ['pattern.config.json', '{ "models": ["gone/*.json"] }', /^rowkey: pattern\.config\.json: no file matches gone/],
  ['throws.config.ts', 'throw new Error("no")', /^rowkey: throws\.config\.ts throws Error: no/],
  ['nothing.config.ts', 'export const models = []', /must have \{ models/],
  ['gone.config.ts', 'export default { models: ["gone.ts"] }', /^rowkey: gone\.ts cannot be read: it does not exist/],
])('%s is refused', async (name, text, message) => {
  write(name, text)
  const { code, stdout, stderr } = await rowkey(['layout', '--config', name])
  expect(stderr).toMatch(message)
  expect(stderr).not.toMatch(/^ +at |node:internal/m)
  expect(stderr).not.toContain(folder)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
})

test('without a config, the message says what to write', async () => {
  const { code, stderr } = await rowkey(['layout'], { folder: '/' })
  expect(stderr).toContain('Write one, such as { "models": ["src/models.ts"] } in rowkey.config.json, or give --models FILE.')
  expect(code).toBe(2)
})
