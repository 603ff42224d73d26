import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { canBeRefused, project, started } from './command.js'

const { rowkey, write, path, folder } = project()

/** The tables of models, and what was said. */
async function tables(
  ...args: readonly string[]
): Promise<{ readonly names: readonly string[]; readonly stderr: string; readonly code: number | null }> {
  const { stdout, stderr, code } = await rowkey(['layout', '--json', ...args])
  const { layouts = [] } = (stdout === '' ? {} : JSON.parse(stdout)) as { layouts?: { table: string }[] }
  return { names: layouts.map(({ table }) => table), stderr, code }
}
const fine = (...names: readonly string[]): object => ({ names, stderr: '', code: 0 })

const decorated = (name: string): string => `
import { Bucket, Column, desc, KeyColumn, Table, text, timestamp } from 'rowkey'

abstract class Base {
  @Column(text()) line!: string
}
@Table('${name}')
@Bucket({ of: 'host', count: 16 })
export class Log extends Base {
  @KeyColumn(1, text()) host!: string
  @KeyColumn(2, desc(timestamp('ms'))) at!: Date
}
export { Base }
`
/** The same with a decorator that only works in one mode. */
const decoratedIn = (mode: 'legacy' | 'standard', name: string): string =>
  decorated(name)
    .replace('  @KeyColumn(1, text())', '  @InMode @KeyColumn(1, text())')
    .replace(
      'abstract class Base',
      `function InMode(_: unknown, given: unknown): void {
  if ((typeof given === 'string') !== ${mode === 'legacy'}) throw new Error('the other mode')
}
abstract class Base`,
    )
const schema = (name: string): string => `
import { defineTable, text } from 'rowkey'
export const ${name} = defineTable('${name}', { columns: { id: text(), v: text() }, key: ['id'] })
`
const legacy = JSON.stringify({ compilerOptions: { target: 'ES2022', experimentalDecorators: true } })
const standard = '{ "compilerOptions": { "target": "ES2022" } } // with a comment'

test('decorated classes in both modes, each by the nearest tsconfig, in one run', async () => {
  write('legacy/tsconfig.json', legacy)
  write('legacy/src/models.ts', decoratedIn('legacy', 'a'))
  write('standard/tsconfig.json', standard)
  write('standard/models.mts', decoratedIn('standard', 'b'))
  write('bare/models.ts', decoratedIn('standard', 'c'))
  expect(await tables('-m', 'legacy/src/models.ts', 'standard/models.mts', 'bare/models.ts')).toEqual(fine('a', 'b', 'c'))
  const bytes: string[] = []
  for (const name of ['a', 'b', 'c']) bytes.push((await rowkey(['encode', name, 'host=x', 'at=0', '-m', 'legacy/src/models.ts', 'standard/models.mts', 'bare/models.ts'])).stdout) // prettier-ignore
  expect(new Set(bytes).size).toBe(1)
  expect(bytes[0]).toMatch(/^[0-9a-f]{24}\n$/)
})

test('legacy decorators with fields that are only declared', async () => {
  write('old/tsconfig.json', JSON.stringify({ compilerOptions: { experimentalDecorators: true, useDefineForClassFields: false } }))
  write('old/models.ts', decorated('old'))
  expect(await tables('-m', 'old/models.ts')).toEqual(fine('old'))
})

test('built JavaScript, CommonJS, the JSON of one schema and of several', async () => {
  write('built.js', schema('esm'))
  write('built.mjs', schema('mjs'))
  write('built.cjs', `const { defineTable, text } = require('rowkey')\nexports.Common = defineTable('cjs', { columns: { id: text(), v: text() }, key: ['id'] })\n`) // prettier-ignore
  const json = (name: string): object => ({
    format: 1,
    name,
    writes: 'plain',
    salt: [],
    columns: [{ name: 'id', physical: 'id', role: 'key', type: { kind: 'text', desc: false, nullable: false } }],
  })
  write('one.json', JSON.stringify(json('one')))
  write('two.json', JSON.stringify([json('two'), json('three')]))
  const files = ['built.js', 'one.json', 'built.mjs', 'two.json', 'built.cjs']
  expect(await tables('-m', ...files)).toEqual(fine('esm', 'one', 'mjs', 'two', 'three', 'cjs'))
})

test('a project without "type": "module" may have models in TypeScript', async () => {
  write('commonjs/package.json', '{ "name": "commonjs" }')
  write('commonjs/tsconfig.json', legacy)
  write('commonjs/src/models.ts', `import { more } from './more'\n${decoratedIn('legacy', 'commonjs')}export { more }\n`)
  write('commonjs/src/more.ts', schema('more'))
  expect(await tables('-m', 'commonjs/src/models.ts')).toEqual(fine('commonjs', 'more'))
  write('commonjs/tsconfig.json', standard)
  write('commonjs/src/models.ts', `import { more } from './more'\n${decoratedIn('standard', 'commonjs')}export { more }\n`)
  expect(await tables('-m', 'commonjs/src/models.ts')).toEqual(fine('commonjs', 'more'))
})

test('JavaScript that Node.js cannot load is compiled, in the same run as what it can', async () => {
  write('hidden/plain.mjs', `${schema('plain')}console.log('plain')\n`)
  write('hidden/typed.ts', `${schema('typed')}export const n: number = 1\n`)
  write('hidden/by-ending.mjs', "export { typed } from './typed.js'\nexport { plain } from './plain.mjs'\n")
  write('hidden/common.cjs', "exports.typed = require('./typed').typed\n")
  write('hidden/data.json', '{ "name": "named" }')
  write('hidden/data.mjs', `import data from './data.json'\n${schema('named').replace("'named'", 'data.name')}`)
  expect(await tables('-m', 'hidden/plain.mjs')).toEqual({ ...fine('plain'), stderr: 'plain\n' })
  const hidden: Readonly<Record<string, readonly string[]>> = {
    'by-ending.mjs': ['plain', 'typed'],
    'common.cjs': ['typed'],
    'data.mjs': ['named'],
  }
  for (const [file, names] of Object.entries(hidden)) {
    const { names: found, stderr, code } = await tables('-m', `hidden/${file}`)
    expect({ found: found.toSorted(), stderr: stderr.replaceAll('plain\n', ''), code }, file).toEqual({ found: names, stderr: '', code: 0 })
  }
  // What nothing can load does not begin twice.
  write('hidden/lost.cjs', "console.log('begun')\nrequire('left-pad')\n")
  expect((await tables('-m', 'hidden/lost.cjs')).stderr).toBe("begun\nrowkey: hidden/lost.cjs imports 'left-pad', which does not exist\n")
  const all = Object.keys(hidden).map((file) => `hidden/${file}`)
  expect((await tables('-m', 'hidden/plain.mjs', ...all, 'hidden/typed.ts')).names.toSorted()).toEqual([...new Set(['plain', ...Object.values(hidden).flat()])].sort()) // prettier-ignore
})

test('default exports, lists, and a schema that is exported twice', async () => {
  write('shapes/a.ts', `${schema('first')}export default first\nexport const all = [first]\nexport const other = 5\n`)
  write('shapes/b.ts', `export * from './a.js'\n${schema('second')}`)
  expect(await tables('-m', 'shapes/a.ts', 'shapes/b.ts')).toEqual(fine('first', 'second'))
})

test('a class is found by its name too', async () => {
  write('named.ts', decorated('logs'))
  expect((await rowkey(['layout', 'Log', '-m', 'named.ts'])).stdout).toMatch(/^logs: /)
  expect((await rowkey(['layout', 'Nope', '-m', 'named.ts'])).stderr).toBe("rowkey: there is no model 'Nope'. There are: logs (Log).\n")
})

test('what models print is not data, and what they leave open does not keep the command', async () => {
  write('noisy.ts', `${schema('noisy')}console.log('connected')\nprocess.stdout.write('more')\nsetInterval(() => undefined, 1000)\n`)
  const { stdout, stderr, code } = await rowkey(['layout', '--json', '-m', 'noisy.ts'], { isProcess: true })
  expect(JSON.parse(stdout)).toMatchObject({ rowkey: 1 })
  expect(stderr).toBe('connected\nmore')
  expect(code).toBe(0)
})

test('stdin belongs to the command, not to the models', async () => {
  write('greedy.ts', `${schema('greedy')}import { readFileSync } from 'node:fs'\nreadFileSync(0)\n`)
  expect((await rowkey(['decode', 'greedy', '-m', 'greedy.ts'], { input: '610000\n', isProcess: true })).stdout).toBe('id=a\n')
})

test('a project that has copies of rowkey of its own', async () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  const copies = { rowkey: 'packages/rowkey', '@rowkey/codec': 'packages/codec' }
  for (const [name, from] of Object.entries(copies)) {
    mkdirSync(path(`copied/node_modules/${name}`), { recursive: true })
    for (const part of ['package.json', 'dist'])
      cpSync(`${root}${from}/${part}`, path(`copied/node_modules/${name}/${part}`), { recursive: true })
  }
  write('copied/package.json', '{ "type": "module" }')
  write('copied/tsconfig.json', legacy)
  write('copied/models.ts', `${decorated('copied')}import { defineTable } from 'rowkey'\nexport const More = defineTable('more', { columns: { id: text(), v: text() }, key: ['id'] })\n`) // prettier-ignore
  expect(await tables('-m', 'copied/models.ts')).toEqual(fine('copied', 'more'))
})

test.each(['SIGINT', 'SIGTERM'] as const)('%s also ends the process that imports models, and nothing is left of it', async (signal) => {
  write('stuck.ts', "import { writeFileSync } from 'node:fs'\nwriteFileSync('stuck.pid', String(process.pid))\nfor (;;);\n")
  rmSync(path('stuck.pid'), { force: true })
  const child = started(folder, ['layout', '-m', 'stuck.ts'])
  while (!existsSync(path('stuck.pid')) || readFileSync(path('stuck.pid'), 'utf8') === '') await sleep(20)
  const importer = Number(readFileSync(path('stuck.pid'), 'utf8'))
  child.kill(signal)
  const [code, by] = (await once(child, 'close')) as [number | null, string | null]
  expect({ code, by }).toEqual({ code: null, by: signal })
  const isRunning = (): boolean => {
    try {
      return (
        process.kill(importer, 0) &&
        !(existsSync(`/proc/${importer}/stat`) ? readFileSync(`/proc/${importer}/stat`, 'utf8') : '').includes(') Z ')
      )
    } catch {
      return false
    }
  }
  for (let tries = 0; isRunning() && tries < 100; tries++) await sleep(50)
  expect(isRunning()).toBe(false)
})

describe('what cannot be loaded is told in one line, without a stack, with exit code 2', () => {
  const unreadable = (text: string, name = 'bad.ts'): string => (write(name, text), name)
  const cases: readonly (readonly [string, () => readonly string[], RegExp])[] = [
    ['a file that does not exist', () => ['missing.ts'], /^missing\.ts cannot be read: it does not exist\.$/],
    ['a folder', () => (write('models/a.ts', ''), ['models']), /^models is a folder\. Give files, such as 'models\/\*\.ts'\.$/],
    ['the folder itself', () => ['.'], /^\. is a folder\. Give files, such as '\*\.ts'\.$/],
    ['another kind of file', () => [unreadable('', 'models.py')], /^models\.py is not a file of models\. Give \.ts/],
    ['a pattern without a file', () => ['nothing/*.ts'], /^--models: no file matches nothing\/\*\.ts\.$/],
    [
      'an import of a package that does not exist',
      () => [unreadable("import 'left-pad'\n")],
      /^bad\.ts imports 'left-pad', which does not exist$/,
    ],
    [
      'an import of a file that does not exist',
      () => [unreadable("import './gone.js'\n")],
      /^bad\.ts imports '.*gone\.js', which does not exist$/,
    ],
    [
      'an import that is missing in another file',
      () => (write('inner.ts', "import 'left-pad'\n"), [unreadable("import './inner.js'\n")]),
      /^bad\.ts imports 'left-pad', which does not exist \(in inner\.ts\)$/,
    ],
    ['a name that is not exported', () => (write('inner.ts', 'export const a = 1\n'), [unreadable("import { b } from './inner.js'\nconsole.log(b)\n")]), /^bad\.ts .*does not provide an export named 'b'|^bad\.ts imports 'b' of/], // prettier-ignore
    ['a require of a file that does not exist', () => [unreadable("require('./gone.cjs')\n", 'bad.cjs')], /^bad\.cjs imports '\.\/gone\.cjs', which does not exist$/], // prettier-ignore
    ['TypeScript that does not compile', () => [unreadable('export const a: number = 1\nexport const = 2\n')], /^bad\.ts does not compile: bad\.ts:2:13: Expected identifier but found "="$/], // prettier-ignore
    ['another file that does not compile', () => (write('inner.ts', 'const\n'), [unreadable("import './inner.js'\n")]), /^bad\.ts does not compile: inner\.ts:\d+:\d+: /], // prettier-ignore
    ['JavaScript that does not compile', () => [unreadable('export const = 2\n', 'bad.mjs')], /^bad\.mjs does not compile: bad\.mjs:1:\d+: /], // prettier-ignore
    ['a module that throws', () => [unreadable("const url: string | undefined = undefined\nthrow new TypeError('no url: ' + url)\n")], /^bad\.ts throws TypeError: no url: undefined \(bad\.ts:2:\d+\)$/], // prettier-ignore
    ['a module that throws text', () => [unreadable("throw 'no'\n")], /^bad\.ts throws no when it is imported$/],
    [
      'a module that ends the process',
      () => [unreadable('process.exit(0)\n')],
      /^bad\.ts ends the process with code 0 when it is imported\.$/,
    ],
    ['a module that waits for ever', () => [unreadable('await new Promise(() => {})\n')], /^bad\.ts waits at its top level for what never happens\.$/], // prettier-ignore
    ['a module without a model', () => [unreadable('export const a = 1\n')], /^bad\.ts exports no model\. Export a class with @Table, what defineTable\(\) returns, or an object or a list of these\.$/], // prettier-ignore
    ['a table that is refused', () => [unreadable("import { defineTable, text } from 'rowkey'\nexport const a = defineTable('a', { columns: { id: text() }, key: ['no'] } as never)\n")], /^bad\.ts has a model that is refused: INVALID_SCHEMA: /], // prettier-ignore
    ['two models of one table', () => (write('a.ts', schema('same')), [unreadable(schema('same').replace('v: text()', 'w: text()')), 'a.ts']), /^two models have the table name 'same' and differ: same in bad\.ts and same in a\.ts\. Rename one, or leave one out\.$/], // prettier-ignore
    ['JSON that is none', () => [unreadable('{ "format": 1,', 'bad.json')], /^bad\.json is no JSON: /],
    [
      'JSON that is no schema',
      () => [unreadable('{ "format": 1 }', 'bad.json')],
      /^bad\.json has a schema that is refused: INVALID_SCHEMA: /,
    ],
    ['JSON of a number', () => [unreadable('[1]', 'bad.json')], /^bad\.json is not the JSON of a schema, which is an object\.$/],
    ['an empty list', () => [unreadable('[]', 'bad.json')], /^bad\.json contains no schema\.$/],
    ['answers that are none', () => [unreadable("import { writeSync } from 'node:fs'\nwriteSync(3, 'junk\\n')\n")], /^bad\.ts writes to the pipe/], // prettier-ignore
    ['a schema that a module makes up', () => [unreadable("import { writeSync } from 'node:fs'\nwriteSync(3, JSON.stringify({ schema: { format: 9 }, name: 'x' }) + '\\n')\n")], /^bad\.ts has a schema that is refused: INVALID_SCHEMA/], // prettier-ignore
  ]

  test.each(cases)('%s', async (_, files, message) => {
    const args = ['layout', '-m', ...files()]
    const { code, stdout, stderr } = await rowkey(args)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^rowkey: /)
    expect(stderr.split('\n')[0]?.replace('rowkey: ', '')).toMatch(message)
    expect(stderr).not.toMatch(/^ +at |node:internal|node_modules/m)
    expect(stderr).not.toContain(folder)
    expect(code).toBe(2)
  })

  test('a module that never ends is stopped after --timeout', async () => {
    write('endless.ts', 'for (;;);\n')
    const { code, stderr } = await rowkey(['layout', '-m', 'endless.ts', '--timeout', '2'])
    expect(stderr).toBe('rowkey: endless.ts does not end: it was stopped after 2 seconds. Give more with --timeout.\n')
    expect(code).toBe(2)
  })

  test.skipIf(!canBeRefused)('a file without permission', async () => {
    write('secret.json', '{}')
    chmodSync(path('secret.json'), 0o000)
    const { code, stderr } = await rowkey(['layout', '-m', 'secret.json'], { isRefusable: true })
    expect(stderr).toBe('rowkey: secret.json cannot be read: there is no permission.\n')
    expect(code).toBe(2)
  })

  test('with --debug the stack is printed as well, that of the model', async () => {
    write('bad.ts', "function connect(): never {\n  throw new Error('down')\n}\nconnect()\n")
    const { stderr } = await rowkey(['layout', '-m', 'bad.ts', '--debug'])
    expect(stderr).toContain('rowkey: bad.ts throws Error: down (bad.ts:2:')
    expect(stderr).toMatch(/^ +at connect \(.*bad\.ts:2:\d+\)$/m)
  })
})

test('a pattern passes over files without models, and a name does not', async () => {
  write('mixed/logs.mjs', schema('ofPattern'))
  write('mixed/helper.mjs', 'export const answer = 42')
  write('mixed/settings.json', '{ "port": 8080 }')
  write('mixed/types.d.ts', 'export interface X {}')
  write('mixed/notes.md', '# notes')
  expect(await tables('-m', 'mixed/*')).toEqual(fine('ofPattern'))
  expect(await tables('-m', 'mixed/*', 'mixed/helper.mjs')).toMatchObject({
    code: 2,
    stderr: /^rowkey: mixed\/helper\.mjs exports no model/,
  })
  expect(await tables('-m', 'mixed/helper*')).toMatchObject({
    code: 2,
    stderr: /^rowkey: no file exports a model, of mixed\/helper\.mjs\./,
  })
  write('mixed/wrong.json', '{ "format": 1 }')
  expect(await tables('-m', 'mixed/*')).toMatchObject({ code: 2, stderr: /wrong\.json has a schema that is refused/ })
})

test('default exports, and objects of tables under their names', async () => {
  const one = (name: string): string => `defineTable('${name}', { columns: { id: text(), v: text() }, key: ['id'] })`
  const head = `import { defineTable, text } from 'rowkey'\n`
  write(
    'exports/object.mjs',
    `${head}export const tables = { First: ${one('first')}, more: { Second: ${one('second')} } }\nexport const client = new Map()`,
  )
  write('exports/default.mjs', `${head}export default { Third: ${one('third')}, list: [${one('fourth')}] }`)
  write('exports/common.cjs', `const { defineTable, text } = require('rowkey')\nmodule.exports = { tables: { Fifth: ${one('fifth')} } }`)
  write('exports/class.ts', decorated('sixth').replace('export class', 'export default class'))
  const files = ['object.mjs', 'default.mjs', 'common.cjs', 'class.ts'].map((name) => `exports/${name}`)
  expect(await tables('-m', ...files)).toEqual(fine('first', 'second', 'third', 'fourth', 'fifth', 'sixth'))
  expect((await tables('Second', '-m', files[0] ?? '')).names).toEqual(['second'])
  expect((await tables('Log', '-m', files[3] ?? '')).names).toEqual(['sixth'])
})
