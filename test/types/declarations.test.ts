import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { afterAll, expect, test } from 'vitest'

const app = mkdtempSync(join(tmpdir(), 'rowkey-app-'))
afterAll(() => {
  rmSync(app, { recursive: true })
})

// What an application may export without writing its types: the declarations name them by `rowkey` alone, the one package it installs.
const source = `
import { bucket, Column, copyTable, createMapper, defineTable, desc, equals, KeyColumn, memory, nullable, Table, text, timestamp, uint32, type Where } from 'rowkey'
const columns = { host: text(), event: text(), at: desc(timestamp('ms')), seq: uint32(), message: nullable(text()) }
export const LogEvents = defineTable('log_events', { columns, key: ['host', 'event', 'at', 'seq'], salt: bucket({ of: ['host', 'event'], count: 16 }) })
export const Plain = defineTable('plain', { columns: { id: text() }, key: ['id'], writes: 'plain' })
@Table('notes')
export class Note { @KeyColumn(1, text()) id!: string; @Column(nullable(text())) body!: string | null }
export const db = createMapper(memory())
export const logs = db.repository(LogEvents)
export const notes = db.repository(Note)
export const plain = db.repository(Plain)
export const key = { host: 'a', event: 'b', at: new Date(0), seq: 1 }
export const scan = logs.scan({ host: 'a' })
export const page = () => scan.page()
export const full = logs.readAll()
export const pages = full.pages()
export const explained = scan.explain()
export const get = () => logs.get(key)
export const put = () => logs.put(key)
export const operation = logs.ops.put(key)
export const operations = plain.ops
export const written = () => db.write([operation])
export const loaded = () => logs.putMany([])
export const copied = () => copyTable(plain, plain)
export const parts = () => logs.parts(2)
export const trusted = equals('a')
export const type = timestamp('ms')
export const salt = bucket({ of: 'a', count: 3 })
export const range: Where.Range<Date> = { gte: new Date(0) }
export const schema = logs.schema
`

test('what an application exports is declared by rowkey alone', () => {
  mkdirSync(join(app, 'node_modules'))
  symlinkSync(fileURLToPath(new URL('../../packages/rowkey', import.meta.url)), join(app, 'node_modules', 'rowkey'))
  const file = join(app, 'app.ts')
  writeFileSync(file, source)
  writeFileSync(join(app, 'package.json'), '{ "type": "module" }')
  const program = ts.createProgram([file], {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.es2024.string.d.ts'],
    module: ts.ModuleKind.NodeNext,
    customConditions: ['@rowkey/source'],
    types: [],
    strict: true,
    declaration: true,
    experimentalDecorators: true,
    skipLibCheck: true,
  })
  const found = [
    ...program.getSemanticDiagnostics(program.getSourceFile(file)),
    ...program.getDeclarationDiagnostics(program.getSourceFile(file)),
  ]
  expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([])
  let declared = ''
  program.emit(program.getSourceFile(file), (_, text) => (declared = text), undefined, true)
  const named = new Set([...declared.matchAll(/import\("([^"]+)"\)/g)].map(([, from]) => from))
  expect([...named]).toEqual(['rowkey'])
})

/** The declarations of an adapter that an application reads, and what these import. */
function importsOf(adapter: string): ReadonlyMap<string, readonly string[]> {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const source = join(root, 'adapters', adapter, 'src')
  const { options } = ts.parseJsonConfigFileContent({ extends: './tsconfig.base.json', files: [] }, ts.sys, root)
  const entry = join(source, 'index.ts')
  const program = ts.createProgram([entry], { ...options, rootDir: source, composite: false, declaration: true, emitDeclarationOnly: true })
  const found = new Map<string, readonly string[]>()
  const todo = [entry]
  for (let path = todo.pop(); path !== undefined; path = todo.pop()) {
    const file = program.getSourceFile(path)
    if (file === undefined) throw new Error(`no ${path}`)
    if (found.has(path)) continue
    let declared = ''
    program.emit(file, (name, text) => (declared = name.endsWith('.d.ts') ? text : declared), undefined, true)
    expect(declared, path).not.toBe('')
    const info = ts.preProcessFile(declared)
    const imported = [...info.importedFiles, ...info.typeReferenceDirectives].map(({ fileName }) => fileName)
    const ofNode = /\bBuffer\b/.test(declared.replaceAll(/\/\*[^]*?\*\//g, '')) ? ['Buffer'] : []
    found.set(path, [...imported, ...ofNode])
    todo.push(...imported.filter((name) => name.startsWith('.')).map((name) => join(dirname(path), name.replace(/\.js$/, '.ts'))))
  }
  return found
}

// The declarations of lmdb (TS1203) and cassandra-driver (TS2507) only compile with skipLibCheck or @types/node, and those of the two versions
// of ioredis differ. That of the AWS SDK is in the definitions that db.ddl() returns.
test.each(['lmdb', 'cassandra', 'redis'])('the declarations of @rowkey/%s need no others than those of rowkey', (adapter) => {
  const found = importsOf(adapter)
  expect(found.size).toBeGreaterThan(3)
  const foreign = [...found].flatMap(([path, names]) =>
    names.filter((name) => !/^\.|^@?rowkey\//.test(name)).map((name) => `${basename(path)}: ${name}`),
  )
  expect(foreign).toEqual([])
})

test('where a driver is in the declarations, it is seen', () => {
  expect([...importsOf('dynamodb').values()].flat()).toContain('@aws-sdk/client-dynamodb')
})
