import { once } from 'node:events'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { defineTable, text, timestamp } from 'rowkey'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { project, started, withTables } from './command.js'

const { folder, rowkey } = project(withTables)

interface Reply {
  readonly id?: number
  readonly result?: {
    readonly tools?: readonly { readonly name: string; readonly description: string; readonly annotations: object }[]
    readonly content?: readonly { readonly text: string }[]
    readonly isError?: boolean
  }
  readonly error?: { readonly message: string }
}

let server: ChildProcessWithoutNullStreams
let last = 0
const replies = new Map<number, (reply: Reply) => void>()

function ask(method: string, params: object = {}): Promise<Reply> {
  const id = ++last
  const reply = new Promise<Reply>((resolve) => replies.set(id, resolve))
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
  return reply
}

/** What a tool answers: parsed JSON, or the message of an error. */
async function call(name: string, given: object): Promise<{ readonly text: string; readonly isError: boolean }> {
  const { result, error } = await ask('tools/call', { name, arguments: given })
  return { text: result?.content?.[0]?.text ?? error?.message ?? '', isError: error !== undefined || result?.isError === true }
}

beforeAll(async () => {
  server = started(folder, ['mcp']) as ChildProcessWithoutNullStreams
  createInterface({ input: server.stdout }).on('line', (line) => {
    const reply = JSON.parse(line) as Reply
    replies.get(reply.id ?? 0)?.(reply)
  })
  await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } })
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
}, 300_000)

afterAll(async () => {
  const ended = once(server, 'close')
  server.stdin.end()
  server.kill()
  await ended
})

test('there are five tools, and all of them only read', async () => {
  const { result } = await ask('tools/list')
  expect(result?.tools?.map(({ name }) => name)).toEqual(['lint', 'layout', 'explain', 'decode', 'ddl'])
  for (const { annotations, description } of result?.tools ?? []) {
    expect(annotations).toEqual({ readOnlyHint: true, idempotentHint: true, openWorldHint: false })
    expect(description).toMatch(/\.$/)
  }
})

test.each([
  ['lint', { tables: ['events'], store: 'redis' }, ['lint', '--store', 'redis', 'events']],
  ['layout', { tables: ['logs', 'events'] }, ['layout', 'logs', 'events']],
  [
    'explain',
    { table: 'logs', conditions: 'host = web-1', order: 'at desc', limit: 5 },
    ['explain', 'logs', 'host = web-1', '--order', 'at desc', '--limit', '5'],
  ],
  ['decode', { table: 'logs', keys: ['0c7765622d3100007ffffe64892557ff'] }, ['decode', 'logs', '0c7765622d3100007ffffe64892557ff']],
  ['ddl', { store: 'cassandra', tables: ['logs'] }, ['ddl', '--store', 'cassandra', 'logs']],
] as const)('%s answers with the JSON of its command', async (name, given, args) => {
  const { text, isError } = await call(name, given)
  expect(isError).toBe(false)
  expect(text).toBe((await rowkey([...args, '--json'])).stdout.trim())
  expect(text).toMatch(/^\{"/)
})

test('queries and writes are those of the call; a design needs no file', async () => {
  const { text: layout } = await call('layout', { tables: ['logs'] })
  const [{ schema }] = (JSON.parse(layout) as { layouts: [{ schema: { name: string; salt: object[] } }] }).layouts
  const design = { ...schema, name: 'design', salt: [] }
  const queries = [{ table: 'design', where: { at: ['gte', 'lt'] }, order: 'reverse', size: 10, perSecond: 5 }]
  const writes = [{ table: 'design', perSecond: { inserts: 100 }, distinct: { host: 10 } }]
  const { text, isError } = await call('lint', { schemas: [design], queries, writes })
  expect(isError).toBe(false)
  expect((JSON.parse(text) as { findings: { table: string; code: string }[] }).findings).toContainEqual(
    expect.objectContaining({
      table: 'design',
      code: 'full-scan',
      evidence: '0 of 2 key columns narrow it: at gte lt, order host desc',
    }),
  )
})

test('a query names an index of a design', async () => {
  const Orders = defineTable('orders', {
    columns: { no: text(), buyer: text(), at: timestamp('ms') },
    key: ['no'],
    indexes: { byBuyer: { partition: ['buyer'], key: ['at'] } },
  })
  const asked = async (index?: string): ReturnType<typeof call> =>
    call('lint', { schemas: [Orders.toJSON()], queries: [{ table: 'orders', where: { buyer: '=' }, index }] })
  expect(JSON.parse((await asked('byBuyer')).text)).toMatchObject({ findings: [] })
  expect(JSON.parse((await asked()).text)).toMatchObject({ findings: [] })
  expect(await asked('byByer')).toMatchObject({ isError: true, text: expect.stringContaining('Did you mean "byBuyer"?') as string })
})

test.each([
  ['explain', { table: 'logs', conditions: 'at >= 2026-01-01' }, /^rowkey: FULL_SCAN_REFUSED: /],
  ['explain', { table: 'nothing' }, /^rowkey: there is no model 'nothing'/],
  ['explain', { table: '--help' }, /^rowkey: there is no model '--help'/],
  ['lint', { tables: ['--fix'] }, /^rowkey: there is no model '--fix'/],
  ['lint', { schemas: [{ format: 1 }] }, /^rowkey: .* has a schema that is refused: INVALID_SCHEMA/],
  ['lint', { queries: [{ table: 'logs', where: { host: 'between' } }] }, /queries/],
  ['lint', { queries: [{ table: 'logs', where: { at: 'range' } }] }, /queries/],
  ['lint', { queries: [{ table: 'logs', where: { at: ['lt', 'gte'] } }] }, /queries/],
  ['lint', { writes: [{ table: 'logs', inserts: 5 }] }, /no field "inserts"\. .*There are: table, perSecond, skew, distinct\./],
  ['lint', { querys: [] }, /no field "querys"\. Did you mean "queries"\?/],
  ['lint', { queries: [{ table: 'logs', where: {}, limits: 5 }] }, /no field "limits"\. Did you mean "limit"\?/],
  ['lint', { queries: [{ table: 'logs', where: { host: { on: 5, in: 5 } } }] }, /no field "on"\. Did you mean "in"\?/],
  ['lint', { queries: [{ table: 'logs', where: { hots: '=' } }] }, /column "hots", which does not exist\. Did you mean "host"\?/],
  ['lint', { writes: [{ table: 'logs', perSecond: { insert: 5 } }] }, /no field "insert"\. Did you mean "inserts"\?/],
  ['lint', { writes: [{ table: 'logs', distinct: { hosts: 5 } }] }, /column "hosts", which does not exist\. Did you mean "host"\?/],
  ['layout', { table: ['logs'] }, /no field "table"\. Did you mean "tables"\?/],
  ['explain', { table: 'logs', condition: 'host = a' }, /no field "condition"\. Did you mean "conditions"\?/],
  ['decode', { key: '00', keys: ['00'] }, /no field "key"\. Did you mean "keys"\?/],
  ['ddl', { store: 'redis', schema: [] }, /no field "schema"\. Did you mean "schemas"\?/],
  ['ddl', { store: 'mongodb' }, /store/],
  ['decode', { keys: [] }, /keys/],
])('%s %j is an error with a message, and the server goes on', async (name, given, message) => {
  const { text, isError } = await call(name, given)
  expect(text).toMatch(message)
  expect(isError).toBe(true)
  expect((await call('layout', { tables: ['logs'] })).isError).toBe(false)
})

test('it writes nothing into the project', () => {
  expect(readdirSync(folder).toSorted()).toEqual(['models.json', 'node_modules', 'package.json', 'rowkey.config.json'])
})

test('lint takes what the advisor takes: samples, ranges and encodings of Kudu, tables that exist', async () => {
  const Kinds = defineTable('kinds', { columns: { kind: text(), at: timestamp('us') }, key: ['kind', 'at'] })
  const Older = defineTable('kinds', { columns: { kind: text(), at: timestamp('us') }, key: ['at', 'kind'] })
  const { text: said, isError } = await call('lint', {
    schemas: [Kinds.toJSON()],
    existing: [Older.toJSON()],
    store: 'kudu',
    storeOptions: { hash: 4 },
    kudu: { ranges: { kinds: { column: 'at', bounds: [[0, null]] } }, encodings: { kinds: { kind: 'bitshuffle' } } }, // prettier-ignore
    queries: [{ table: 'kinds', where: { kind: '=', at: ['gte', 'lt'] }, span: '7d' }],
    samples: [
      { table: 'kinds', rows: Array.from({ length: 200 }, (_, i) => ({ kind: `kind-${i % 3}`, at: String(i) })), order: 'written' },
    ],
  })
  expect(isError, said).toBe(false)
  const { findings } = JSON.parse(said) as { findings: readonly { readonly code: string }[] }
  const told = findings.map(({ code }) => code)
  expect(told).toEqual(expect.arrayContaining(['key-changed', 'kudu-encoding', 'kudu-ranges', 'name-as-text']))
})
