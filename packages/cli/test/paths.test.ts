import { isLong } from '@rowkey/servers/scale'
import { existsSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { project, withTables } from './command.js'

// What a folder is called changes nothing: characters that mean something in a shell, a URL, a glob, an option or a regular expression.

const { rowkey, write, path } = project()
const line = '{"host":"web-1","at":"2026-01-01T00:00:00.000Z","level":null,"line":"x"}\n'
const names = ['a b', 'ü', '100%', '#1', '[x]', '-n', "it's (a)", '%20', 'a*b', 'a:1', '$HOME', '{a,b}', '日本']
/** All of them but the option, which only means something in front. */
const together = names.filter((name) => name !== '-n').join(' ')

describe.each(isLong ? [...names, together] : ['-n', together])('in a folder called %s', (name) => {
  const folder = path(name)
  const fine = async (args: readonly string[], options: object = {}): Promise<string> => {
    const { code, stdout, stderr } = await rowkey(args, { folder, ...options })
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
    return stdout
  }
  for (const [file, text] of Object.entries(withTables)) write(`${name}/${file}`, text)
  write(`${name}/src/more.ts`, "import { defineTable, text } from 'rowkey'\nexport const more = defineTable('more', { columns: { id: text(), v: text() }, key: ['id'] })\n") // prettier-ignore
  write(`${name}/src/common.cjs`, "const { defineTable, text } = require('rowkey')\nexports.c = defineTable('common', { columns: { id: text(), v: text() }, key: ['id'] })\n") // prettier-ignore
  write(`${name}/rows.ndjson`, line)
  write(`${name}/queries.json`, '[{ "table": "logs", "where": { "host": "=" } }]')

  test('models are found from inside and outside, as a path and by a glob', async () => {
    const tables = async (args: readonly string[], from: string): Promise<readonly string[]> =>
      (JSON.parse(await fine(['layout', '--json', ...args], { folder: from })) as { layouts: { table: string }[] }).layouts.map(
        ({ table }) => table,
      )
    expect(await tables([], folder)).toEqual(['logs', 'orders', 'events'])
    expect(await tables(['-m', pathToFileURL(`${folder}/src/more.ts`).href], folder)).toEqual(['more'])
    expect(await tables([`--config=${name}/rowkey.config.json`], path('.'))).toEqual(['logs', 'orders', 'events'])
    for (const at of [`./${name}`, folder]) {
      // Each is found by itself, or it is told: a file that is named twice is one.
      expect(await tables(['-m', `${at}/src/more.ts`, `${at}/src/*`], path('.'))).toEqual(['more', 'common'])
    }
    expect(await tables([`--models=${name}/s*/m*.ts`], path('.'))).toEqual(['more'])
  })

  test('lint with files, decode, explain and lock', async () => {
    await fine(['lint', 'logs', '--queries', `${folder}/queries.json`, '--sample', `logs=${folder}/rows.ndjson`, '--fail-on', 'never'])
    expect(await fine(['decode', 'logs', (await fine(['encode', 'logs', 'host=web-1', 'at=2026-01-01'])).trim()])).toContain('host=web-1')
    await fine(['explain', 'logs', 'host = web-1'])
    await fine(['lock', '--file', `${folder}/own.lock.json`])
    await fine(['lock', '--check', '--file', `./${name}/own.lock.json`, `--config=./${name}/rowkey.config.json`], { folder: path('.') })
    const uri = (JSON.parse(await fine(['lint', '--format', 'sarif', '--fail-on', 'never', '-m', 'models.json', '--store', 'hbase'])) as { runs: [{ results: unknown[] }] }).runs[0].results // prettier-ignore
    expect(JSON.stringify(uri)).toContain('"models.json"')
  })

  test('rows go into LMDB and out, with output files, checkpoints and a copy; by a path and by a URL', async () => {
    const url = `lmdb:${folder}/data`
    await fine(['import', 'logs', `${folder}/rows.ndjson`, '--create', '--url', url])
    const href = pathToFileURL(`${folder}/data`).href.replace('file:', 'lmdb:')
    for (const at of [url, 'lmdb:data', href]) expect(await fine(['count', 'logs', '--url', at])).toBe('1\n')
    await fine(['export', 'logs', '--url', href, '--output', `${folder}/out.ndjson`, '--checkpoint', `${folder}/out.json`])
    expect(readFileSync(`${folder}/out.ndjson`, 'utf8')).toBe(line)
    await fine(['copy', 'logs', '--url', url, '--to', `lmdb:${folder}/copied`, '--create', '--checkpoint', `${folder}/copy.json`])
    expect(await fine(['export', 'logs', '--url', 'lmdb:copied'])).toBe(line)
    expect(existsSync(`${folder}/copied`)).toBe(true)
  })

  test('the place of a fault is told whole', async () => {
    const said = async (file: string, text: string): Promise<string> => {
      write(`${name}/${file}`, text)
      const { code, stderr } = await rowkey(['layout', '-m', file], { folder })
      expect(code).toBe(2)
      return stderr
    }
    expect(await said('bad.mjs', 'export const = 2\n')).toMatch(/^rowkey: bad\.mjs does not compile: bad\.mjs:1:\d+: /)
    expect(await said('bad.cjs', 'const a = 1\nconst = 2\n')).toMatch(/^rowkey: bad\.cjs does not compile: bad\.cjs:2:\d+: /)
    expect(await said('bad.ts', 'export const a: number = 1\nexport const = 2\n')).toMatch(
      /^rowkey: bad\.ts does not compile: bad\.ts:2:13: /,
    )
    expect(await said('bad.ts', "\nthrow new Error('no')\n")).toMatch(/^rowkey: bad\.ts throws Error: no \(bad\.ts:2:\d+\)\n$/)
    expect(await said('bad.cjs', "\nthrow new Error('no')\n")).toMatch(/^rowkey: bad\.cjs throws Error: no \(bad\.cjs:2:\d+\)\n$/)
    expect(await said('bad.ts', "import './gone.js'\n")).toMatch(/^rowkey: bad\.ts imports '.*gone\.js', which does not exist\n$/)
    write(`${name}/inner.ts`, "import 'left-pad'\n")
    expect(await said('bad.ts', "import './inner.js'\n")).toBe("rowkey: bad.ts imports 'left-pad', which does not exist (in inner.ts)\n")
  })
})

test.each(['?', '\\'])(
  'a folder with a %s holds files, stores and models in JSON, and modules are refused with what to do',
  async (character) => {
    const folder = `what${character}`
    for (const [file, text] of Object.entries(withTables)) write(`${folder}/${file}`, text)
    write(`${folder}/rows.ndjson`, line)
    write(`${folder}/more.ts`, '')
    const stored = ['import', 'logs', `${folder}/rows.ndjson`, '-m', `${folder}/models.json`, '--create', '--url', `lmdb:${folder}/data`]
    expect((await rowkey(stored)).code).toBe(0)
    const { code, stderr } = await rowkey(['layout', '-m', `${folder}/*.ts`])
    expect(stderr).toBe(
      `rowkey: ${folder}/more.ts has a ${character} in its path, so it cannot be imported. Rename the file or its folder, or give a schema in JSON.\n`,
    )
    expect(code).toBe(2)
  },
)

test('a URL of another machine is refused', async () => {
  const { code, stderr } = await rowkey(['layout', '-m', 'file://other/models.json'])
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'rowkey: file://other/models.json is not the URL of a file on this machine. Give its path.\n',
  })
})
