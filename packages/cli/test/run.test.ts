import { expect, test } from 'vitest'
import { project, withTables } from './command.js'

const { rowkey, write, folder } = project(withTables)
const key = '0c7765622d3100007ffffe64892557ff'
write('rows.ndjson', '{"host":"web-1","at":"2026-01-01T00:00:00.000Z","level":null,"line":"x"}\n')
write('models.ts', "import { defineTable, text } from 'rowkey'\nexport const more = defineTable('more', { columns: { id: text(), v: text() }, key: ['id'] })\n") // prettier-ignore

interface Given {
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
}

test.each<[code: number, args: readonly string[], given?: Given]>([
  [0, ['--version']],
  [0, ['--debug', '--help']],
  [0, []],
  [0, ['encode', '--help']],
  [0, ['layout', 'logs'], { env: { FORCE_COLOR: '1' } }],
  [0, ['explain', '--help'], { env: { FORCE_COLOR: '3', NO_COLOR: '1' } }],
  [0, ['decode', 'logs'], { input: `${key}\n` }],
  [0, ['layout', '-m', 'models.ts']],
  [0, ['import', 'logs', 'rows.ndjson', '--create', '--url', 'lmdb:data']],
  [1, ['decode', 'logs', '--json'], { input: `${key}\nnonsense` }],
  [1, ['get', 'logs', 'host=web-2', 'at=0'], { env: { ROWKEY_URL: 'lmdb:data' } }],
  [2, ['layot']],
  [2, ['lint', '--nope=hunter2', '--debug']],
  [3, ['explain', 'logs']],
  [4, ['count', 'logs', '--url', 'redis://127.0.0.1:1'], { env: { REDIS_PASSWORD: 'hunter2' } }],
])('exit code %d, the same here and as a process: %j', async (code, args, given) => {
  const here = await rowkey(args, { ...given, isProcess: false })
  expect(here.code).toBe(code)
  expect(here).toEqual(await rowkey(args, { ...given, isProcess: true }))
})

test('two runs at a time, in folders of their own, do not share anything', async () => {
  write('other/rowkey.config.json', '{ "models": ["../models.ts"] }')
  const [one, two] = await Promise.all([
    rowkey(['decode', 'logs', 'nonsense'], { env: { FORCE_COLOR: '1' } }),
    rowkey(['layout'], { folder: `${folder}/other` }),
  ])
  expect(one.code).toBe(1)
  expect(two).toMatchObject({ code: 0, stderr: '' })
  expect(two.stdout).toMatch(/^more: keys/)
})
