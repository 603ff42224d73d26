import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { node, plainEnv, program, project } from './command.js'

project() // builds the command
const folder = mkdtempSync(join(tmpdir(), 'rowkey-empty-'))
const client = new Client({ name: 'test', version: '1' })

interface Schema {
  readonly name: string
  readonly salt: readonly object[]
  readonly columns: readonly object[]
}
interface Lint {
  readonly findings: readonly { readonly code: string; readonly severity: string; readonly fix?: string; readonly change?: object }[]
}

async function call(name: string, given: Readonly<Record<string, unknown>>): Promise<{ readonly text: string; readonly isError: boolean }> {
  const { content, isError } = await client.callTool({ name, arguments: given })
  const [first] = content as readonly { readonly text: string }[]
  return { text: first?.text ?? '', isError: isError === true }
}

const json = async <T>(name: string, given: Readonly<Record<string, unknown>>): Promise<T> => {
  const { text, isError } = await call(name, given)
  if (isError) throw new Error(text)
  return JSON.parse(text) as T
}

beforeAll(async () => {
  const env = Object.fromEntries(Object.entries(plainEnv()).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
  await client.connect(new StdioClientTransport({ command: node, args: [program, 'mcp'], cwd: folder, env }))
}, 120_000)

afterAll(async () => {
  await client.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The example in the description of an argument. */
async function describedSchema(): Promise<Schema> {
  const { tools } = await client.listTools()
  const { properties = {} } = tools.find(({ name }) => name === 'lint')?.inputSchema ?? {}
  const { description = '' } = properties['schemas'] as { readonly description?: string }
  const [, example = ''] = /Example: (\[.*?\])\. Columns/.exec(description) ?? []
  return (JSON.parse(example) as readonly [Schema])[0]
}

test('in an empty folder, a table is designed, judged and corrected from what the tools say', { timeout: 120_000 }, async () => {
  const example = await describedSchema()
  const { layouts } = await json<{ layouts: readonly [{ readonly example: object; readonly schema: Schema }] }>('layout', {
    schemas: [example],
  })
  expect(layouts[0].schema).toMatchObject({
    format: 1,
    name: 'logs',
    columns: [{ physical: 'host' }, { type: { as: 'Date' } }, {}, { type: { nulls: 'first' } }],
  })
  // A design of one's own, with what the example shows: time first, no salt.
  const design = {
    name: 'visits',
    columns: [
      { name: 'at', role: 'key', type: { kind: 'timestamp', desc: true } },
      { name: 'user', role: 'key', type: { kind: 'uuid' } },
      { name: 'page', role: 'value', type: { kind: 'text', nullable: true } },
    ],
  }
  const load = {
    queries: [{ table: 'visits', where: { at: ['gte', 'lt'] }, perSecond: 1 }],
    writes: [{ table: 'visits', perSecond: { inserts: 5000 } }],
    store: 'hbase',
  }
  const { findings } = await json<Lint>('lint', { schemas: [design], ...load })
  expect(findings).toContainEqual(expect.objectContaining({ code: 'monotonic-first', fix: expect.stringContaining('bucket(') as unknown }))
  const corrected = { ...design, salt: [{ kind: 'hash', of: ['user'], count: 16 }] }
  const after = await json<Lint>('lint', { schemas: [corrected], ...load })
  expect(after.findings.map(({ code }) => code)).not.toContain('monotonic-first')
  expect((await call('ddl', { schemas: [corrected], store: 'hbase' })).text).toContain('visits')
  expect(readdirSync(folder)).toEqual([])
})

test.each([
  ['lint', { schema: [] }, /no field "schema"\. Did you mean "schemas"\?/],
  ['decode', { schemas: [{ name: 'x' }], keys: ['00'] }, /columns/],
  ['lint', { schemas: [{ name: 'x', columns: [{ name: 'a', role: 'key', type: { kind: 'txt' } }] }] }, /txt/],
  ['lint', {}, /there are no models/],
])('%s %j is refused with a message', async (name, given, message) => {
  expect(await call(name, given)).toMatchObject({ isError: true, text: expect.stringMatching(message) as unknown })
})

test('10^5 keys are one call', { timeout: 120_000 }, async () => {
  const keys = Array.from({ length: 100_000 }, (_, n) => (n * 7).toString(16).padStart(8, '0'))
  const design = { name: 'hits', columns: [{ name: 'n', role: 'key', type: 'uint32' }] }
  const { text, isError } = await call('decode', { schemas: [design], table: 'hits', keys })
  const lines = text.split('\n')
  expect({ isError, count: lines.length }).toEqual({ isError: false, count: keys.length })
  expect(JSON.parse(lines[99_999] ?? '')).toEqual({ rowkey: 1, table: 'hits', key: { n: 699_993 } })
})
