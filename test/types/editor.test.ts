import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build } from '../setup/build.js'

// What an editor shows: hovers and completions of the language service, on the built declarations.

const app = mkdtempSync(join(tmpdir(), 'rowkey-editor-'))
const file = join(app, 'app.ts')
const source = `
import { bytes, Column, createMapper, defineTable, desc, KeyColumn, memory, nullable, PartitionKey, period, RowKey, Table, text, timestamp, uint32 } from 'rowkey'
@Table('orders')
class Order {
  declare [RowKey]?: { partition: ['buyer']; key: ['at']; value: 'cents' | 'raw'; other: 'total' }
  @PartitionKey(1, text()) buyer!: string
  @KeyColumn(2, desc(timestamp('ms'))) at!: Date
  @Column(uint32()) cents!: number
  @Column(bytes()) raw!: Uint8Array
  total = 0
}
const Events = defineTable('events', { columns: { host: text(), at: timestamp('ms'), note: nullable(text()) }, key: ['host', 'at'] })
const Plain = defineTable('plain', { columns: { id: text() }, key: ['id'], writes: 'plain' })
const Logs = defineTable('logs', {
  columns: { host: text(), day: period('day', { of: 'at' }), at: timestamp('ms'), seq: uint32(), line: text() },
  partition: ['host', 'day'],
  key: ['at', 'seq'],
})
@Table('logs')
class Log {
  declare [RowKey]?: { partition: ['host', 'day']; key: ['at', 'seq']; period: { day: 'at' }; value: 'line' }
  @PartitionKey(1, text()) host!: string
  @PartitionKey(2, period('day', { of: 'at' })) day!: Date
  @KeyColumn(3, timestamp('ms')) at!: Date
  @KeyColumn(4, uint32()) seq!: number
  @Column(text()) line!: string
}
const db = createMapper(memory())
const orders = db.repository(Order)
const events = db.repository(Events)
const plain = db.repository(Plain)
void orders.get({ buyer: 'ann', at: new Date() })
void orders.update({ buyer: 'bob', at: new Date() }, { cents: 1 })
void events.get({ host: 'a', at: new Date() })
void events.put({ host: 'a', at: new Date() })
void events.delete({ host: 'b', at: new Date() })
void plain.put({ id: 'a' })
void orders.scan({ buyer: 'ann', at: { gt: new Date() } })
void events.scan({ host: 'a', at: { gt: new Date() } })
void orders.scan({ buyer: 'ann', raw: { gt: new Uint8Array() } })
void orders.scan({ buyer: 'eve' }, { order: { at: 'asc' } })
const scan = events.scan({ host: 'c' })
const logs = db.repository(Logs)
const classLogs = db.repository(Log)
void logs.get({ host: 'a', at: new Date(), seq: 1 })
void logs.scan({ host: 'f', at: { gte: new Date(), lt: new Date() } })
void classLogs.scan({ host: 'f', at: { gte: new Date(), lt: new Date() } })
void logs.scan({ host: 'g', day: { in: [new Date()] } })
const decoded = logs.decodeKey(new Uint8Array())
`
let service: ts.LanguageService | undefined
beforeAll(() => {
  build('tsconfig.build.json')
  mkdirSync(join(app, 'node_modules'))
  symlinkSync(fileURLToPath(new URL('../../packages/rowkey', import.meta.url)), join(app, 'node_modules', 'rowkey'), 'junction')
  writeFileSync(join(app, 'package.json'), '{ "type": "module" }')
  writeFileSync(file, source)
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.es2024.string.d.ts', 'lib.esnext.disposable.d.ts'],
    module: ts.ModuleKind.NodeNext,
    types: [],
    strict: true,
    skipLibCheck: true,
    experimentalDecorators: true,
  }
  service = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const text = ts.sys.readFile(name)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => app,
    getCompilationSettings: () => options,
    getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
    fileExists: (name) => ts.sys.fileExists(name),
    readFile: (name) => ts.sys.readFile(name),
    directoryExists: (name) => ts.sys.directoryExists(name),
    getDirectories: (name) => ts.sys.getDirectories(name),
    ...(ts.sys.realpath !== undefined && { realpath: ts.sys.realpath }),
  })
})
afterAll(() => {
  service?.dispose()
  rmSync(app, { recursive: true })
})

function after(text: string): number {
  const at = source.indexOf(text)
  if (at < 0) throw new Error(`no ${text}`)
  return at + text.length
}

/** The hover of the word at the end of a text, without lines. */
function hover(text: string): string {
  const found = service?.getQuickInfoAtPosition(file, after(text) - 1)
  return ts.displayPartsToString(found?.displayParts).replaceAll(/\s+/g, ' ')
}

/** What is completed after a text, without globals. */
function completed(text: string): string[] {
  const found = service?.getCompletionsAtPosition(file, after(text), {})
  return (found?.entries ?? []).filter(({ sortText }) => sortText < '15').map(({ name }) => name)
}

test('the page compiles', () => {
  expect(service?.getSemanticDiagnostics(file).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([])
})

test('hovers name the repository', () => {
  expect(hover('const orders')).toBe('const orders: Repository<Order>')
  expect(hover('const events')).toMatch(/^const events: Repository<TableSchema<\{ [^&]*\}>>$/)
  expect(hover('const plain')).toMatch(/^const plain: PlainRepository<TableSchema<\{ [^&]*\}>>$/)
})

test('hovers of methods begin with what they take, and a key has the key columns alone', () => {
  expect(hover('orders.get')).toBe(
    '(method) get<false>(key: { buyer: string; at: Date; }, options?: GetOptions<false> | undefined): Promise<Order | undefined> (+1 overload)',
  )
  expect(hover('events.get')).toMatch(/^\(method\) get<false>\(key: \{ host: string; at: Date; \}, options\?/)
  expect(hover('events.delete')).toMatch(/^\(method\) delete\(key: \{ host: string; at: Date; \}, options\?/)
  expect(hover('events.put')).toMatch(/^\(method\) put\(row: \{ host: string; at: Date; note\?: string \| null \| undefined; \}, options\?/)
  expect(hover('plain.put')).toMatch(/^\(method\) put\(row: \{ id: string; \}, options\?/)
  expect(hover('events.scan')).toMatch(/^\(method\) scan<false>\(where: \{ host: /)
  expect(hover('const scan')).toBe('const scan: Scan<{ host: string; at: Date; note: string | null; }, { host: string; at: Date; }>')
})

test('completion offers operators, not the methods of a value', () => {
  const operators = ['gt', 'gte', 'in', 'lt', 'lte']
  expect(completed(`orders.scan({ buyer: 'ann', at: { `).toSorted()).toEqual(operators)
  expect(completed(`events.scan({ host: 'a', at: { `).toSorted()).toEqual(operators)
  expect(completed(`raw: { `).toSorted()).toEqual(operators)
})

test('completion offers the columns that a place takes', () => {
  expect(completed('orders.get({ ')).toEqual(['buyer'])
  expect(completed(`orders.get({ buyer: 'ann', `)).toEqual(['at'])
  expect(completed(`orders.update({ buyer: 'bob', `)).toEqual(['at'])
  expect(completed(`events.get({ host: 'a', `)).toEqual(['at'])
  expect(completed(`orders.scan({ buyer: 'ann', `).toSorted()).toEqual(['at', 'cents', 'raw'])
  expect(completed(`{ order: { `).toSorted()).toEqual(['at', 'buyer'])
})

test('of a period, keys have no need, predicates offer its source with both ends, and completion offers either', () => {
  expect(hover('logs.get')).toMatch(
    /^\(method\) get<false>\(key: \{ host: string; at: Date; seq: number; day\?: Date \| undefined; \}, options\?/,
  )
  expect(hover('const decoded')).toBe('const decoded: { host: string; day: Date; at: Date; seq: number; }')
  for (const rows of ['logs', 'classLogs']) {
    expect(completed(`${rows}.scan({ `).toSorted(), rows).toEqual(['day', 'host', 'line', 'seq'])
    expect(completed(`${rows}.scan({ host: 'f', `).toSorted(), rows).toEqual(['at', 'day', 'line', 'seq'])
    expect(completed(`${rows}.scan({ host: 'f', at: { `).toSorted(), rows).toEqual(['gt', 'gte', 'in', 'lte'])
  }
  expect(completed(`logs.scan({ host: 'g', day: { `).toSorted()).toEqual(['gt', 'gte', 'in', 'lt', 'lte'])
})
