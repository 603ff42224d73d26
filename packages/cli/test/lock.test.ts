import { bucket, date, desc, dictionary, hashPrefix, int32, int64, nullable, text, timestamp, uint32 } from 'rowkey/codec'
import { defineTable, type TableSchema } from 'rowkey'
import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { property } from '../../../test/kit/property.js'
import { anyLayout } from '../../rowkey/test/codec/random-layouts.js'
import { changesOf } from '../src/lock/changes.js'
import { compareWithLock } from '../src/lock/compare.js'
import { lockOf, readLock } from '../src/lock/lock-file.js'
import { project } from './command.js'
import { tableOf } from './tables.js'

const { rowkey, write, path, folder } = project()

const columns = { host: text(), at: desc(timestamp('ms')), line: text() }
const salt = bucket({ of: 'host', count: 16 })
const Logs = defineTable('logs', { columns, key: ['host', 'at'], salt })
const named = (name: string, schema: TableSchema): string => (write(name, JSON.stringify(schema)), name)

/** The lock of Logs, checked with other models. */
async function check(...schemas: readonly TableSchema[]): ReturnType<typeof rowkey> {
  write('before.json', JSON.stringify([Logs]))
  write('after.json', JSON.stringify(schemas))
  expect((await rowkey(['lock', '-m', 'before.json'])).code).toBe(0)
  return rowkey(['lock', '--check', '-m', 'after.json'])
}

test('the same models pass, also in another order and with other value columns', async () => {
  const Other = defineTable('logs', {
    columns: { ...columns, line: nullable(int32()), more: text({ name: 'm' }) },
    key: ['host', 'at'],
    salt,
  })
  expect(await check(Logs)).toEqual({ code: 0, stdout: '✓ logs: the key layout is the same\n', stderr: '' })
  expect((await check(Other)).code).toBe(0)
})

test('another bucket count fails, with the bytes of a key that is in another bucket', async () => {
  const More = defineTable('logs', { columns, key: ['host', 'at'], salt: bucket({ of: 'host', count: 32 }) })
  expect(await check(More)).toEqual({
    code: 1,
    stdout: `✗ logs: the key layout has changed
  bucket count 16 → 32
    → stored rows are looked for in the wrong buckets; make a new table and copy
      the rows
  bytes of host=web-2 at=2026-01-01T00:00:01.000Z
    salt      - 03
              + 13
    host        7765622d320000
    at          7ffffe6489255417
`,
    stderr: '',
  })
})

const key = ['host', 'at'] as const
const changed: readonly (readonly [string, TableSchema, RegExp])[] = [
  ['a salt that is gone', defineTable('logs', { columns, key }), /salt: bucket\(host; count 16\) → none/],
  ['another kind of salt', defineTable('logs', { columns, key, salt: hashPrefix({ of: 'host' }) }), /salt: bucket\(host; count 16\) → hashPrefix\(host/], // prettier-ignore
  ['a salt of another column', defineTable('logs', { columns, key, salt: bucket({ of: 'at', count: 16 }) }), /→ bucket\(at; count 16\)/],
  ['a seed', defineTable('logs', { columns, key, salt: bucket({ of: 'host', count: 16, seed: 7 }) }), /→ bucket\(host; count 16, seed 7\)/],
  ['another type', defineTable('logs', { columns: { ...columns, at: desc(timestamp('us')) }, key, salt }), /column 'at': desc\(timestamp\('ms'\)\) → desc\(timestamp\('us'\)\)/], // prettier-ignore
  ['the other direction', defineTable('logs', { columns: { ...columns, at: timestamp('ms') }, key, salt }), /opposite order/],
  ['null', defineTable('logs', { columns: { ...columns, at: nullable(desc(timestamp('ms'))) }, key, salt }), /lack the byte that says whether there is a value/], // prettier-ignore
  ['another column', defineTable('logs', { columns, key: ['host', 'at', 'line'], salt }), /column 'line' is new in the key/],
  ['a column less', defineTable('logs', { columns, key: ['host'], salt }), /column 'at' is no longer in the key/],
  ['another order', defineTable('logs', { columns, key: ['at', 'host'], salt }), /the order of the columns: \(host, at\) → \(at, host\)/],
  ['a partition', defineTable('logs', { columns, partition: ['host'], key: ['at'], salt }), /partition columns: \(\) → \(host\)/],
  ['another name in the store', defineTable('logs', { columns: { ...columns, host: text({ name: 'h' }) }, key, salt }), /column 'host' is called 'h'/], // prettier-ignore
]

test.each(changed)('%s fails, with what it means', async (_, schema, what) => {
  const { code, stdout } = await check(schema)
  expect(code).toBe(1)
  expect(stdout).toMatch(what)
  expect(stdout).toMatch(/^ {4}→ /m)
  expect(stdout).toContain('bytes of host=')
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
})

test.each(changed)('%s is one change, and every other part keeps its bytes', (_, schema) => {
  const changes = changesOf(Logs, schema)
  expect(changes.length).toBe(1)
  const [verdict] = compareWithLock(new Map([['logs', Logs]]), [schema])
  expect(verdict?.state).toBe('changed')
})

test('a property that has another name, and the same one in the store, passes', async () => {
  const Renamed = defineTable('logs', { columns: { server: text({ name: 'host' }), at: columns.at }, key: ['server', 'at'], salt: bucket({ of: 'server', count: 16 }) }) // prettier-ignore
  expect((await check(Renamed)).code).toBe(0)
})

test('a table that is not locked fails, and so does a table that is gone', async () => {
  const Events = defineTable('events', { columns: { n: int64(), v: text() }, key: ['n'] })
  expect(await check(Logs, Events)).toMatchObject({
    code: 1,
    stdout: '✗ events: it is not in the lock, so nothing guards its layout. Run rowkey lock.\n✓ logs: the key layout is the same\n',
  })
  expect(await check(Events)).toMatchObject({
    code: 1,
    stdout:
      '✗ events: it is not in the lock, so nothing guards its layout. Run rowkey lock.\n✗ logs: no model has this table any more. If that is meant, run rowkey lock.\n',
  })
})

test('the entries of an index are locked as a table', async () => {
  const withIndex = (key: readonly string[]): TableSchema =>
    defineTable('logs', { columns, key: ['host', 'at'], salt, indexes: { byLine: { key } } } as never)
  write('before.json', JSON.stringify([withIndex(['line'])]))
  expect((await rowkey(['lock', '-m', 'before.json'])).stderr).toContain('rowkey.lock.json: 2 tables locked\n')
  write('after.json', JSON.stringify([withIndex(['line', 'at'])]))
  expect(await rowkey(['lock', '--check', '-m', 'before.json'])).toMatchObject({ code: 0 })
  const changed = await rowkey(['lock', '--check', '-m', 'after.json'])
  expect(changed.code).toBe(1)
  expect(changed.stdout).toMatch(/^✓ logs: the key layout is the same\n✗ logs_byLine: the key layout has changed\n/)
})

test('a dictionary may get more codes, and its codes may not change', () => {
  const state = (codes: Readonly<Record<string, string>>): TableSchema =>
    defineTable('orders', { columns: { state: dictionary(codes), no: text() }, key: ['state', 'no'] })
  const locked = new Map([['orders', state({ new: 'n', paid: 'p' })]])
  expect(compareWithLock(locked, [state({ new: 'n', paid: 'p', sent: 's' })])).toEqual([{ table: 'orders', state: 'grown' }])
  expect(compareWithLock(locked, [state({ new: 'n', paid: 'q' })])[0]?.state).toBe('changed')
  expect(compareWithLock(locked, [state({ new: 'n' })])[0]?.state).toBe('changed')
})

test('JSON has each table with its changes and both byte strings', async () => {
  const before = named('one.json', Logs)
  const after = named('two.json', defineTable('logs', { columns: { ...columns, at: timestamp('ms') }, key, salt }))
  await rowkey(['lock', '-m', before])
  const ended = await rowkey(['lock', '--check', '--json', '-m', after])
  expect(ended.code).toBe(1)
  expect(JSON.parse(ended.stdout)).toMatchObject({
    rowkey: 1,
    isSame: false,
    tables: [
      {
        table: 'logs',
        state: 'changed',
        changes: [{ what: "column 'at': desc(timestamp('ms')) → timestamp('ms')" }],
        bytes: {
          line: 'host=web-1 at=2026-01-01T00:00:00.000Z',
          before: [{ name: 'salt', hex: '0c' }, {}, { hex: '7ffffe64892557ff' }],
          after: [{}, {}, { hex: '8000019b76daa800' }],
        },
      },
    ],
  })
})

test('the file has fingerprints, columns, salt and an example of each table, sorted by name, and ends with a line break', async () => {
  write('both.json', JSON.stringify([Logs, defineTable('a', { columns: { n: int64(), v: text() }, key: ['n'] })]))
  expect(await rowkey(['lock', '-m', 'both.json', '--file', 'locks.json'])).toEqual({
    code: 0,
    stdout: '',
    stderr: 'locks.json: 2 tables locked\n',
  })
  const written = readFileSync(path('locks.json'), 'utf8')
  const { rowkey: version, tables } = JSON.parse(written) as { rowkey: number; tables: Record<string, object> }
  expect(version).toBe(1)
  expect(Object.keys(tables)).toEqual(['a', 'logs'])
  expect(tables['logs']).toMatchObject({
    layout: Logs.fingerprints.layout,
    key: Logs.fingerprints.key,
    salt: [{ kind: 'hash', of: ['host'], count: 16 }],
    columns: [{ name: 'host' }, { name: 'at', type: { kind: 'timestamp', desc: true } }],
    example: { key: { host: 'web-1', at: '2026-01-01T00:00:00.000Z' }, hex: '0c7765622d3100007ffffe64892557ff' },
  })
  expect(written.endsWith('}\n')).toBe(true)
})

test('writing a lock again tells what it changes', async () => {
  named('models.json', Logs)
  await rowkey(['lock', '-m', 'models.json'])
  named('models.json', defineTable('logs', { columns, key, salt: bucket({ of: 'host', count: 17 }) }))
  expect((await rowkey(['lock', '-m', 'models.json'])).stderr).toContain('bucket count 16 → 17')
  expect((await rowkey(['lock', '--check', '-m', 'models.json'])).code).toBe(0)
})

test.each([
  ['no JSON', '{', /is damaged: it is no JSON/],
  ['a list', '[]', /"rowkey" is not 1/],
  ['null', 'null', /"rowkey" is not 1/],
  ['another version', '{"rowkey":2,"tables":{}}', /"rowkey" is not 1/],
  ['no tables', '{"rowkey":1}', /it has no tables/],
  ['a table of another kind', '{"rowkey":1,"tables":{"logs":null}}', /'logs' cannot be read/],
  [
    'columns that were edited',
    JSON.stringify(lockOf([Logs])).replace('"desc":true', '"desc":false'),
    /fingerprint of 'logs' is not that of its columns/,
  ],
])('a lock file that is %s is refused, and lock replaces it', async (_, text, message) => {
  named('models.json', Logs)
  write('rowkey.lock.json', text)
  const ended = await rowkey(['lock', '--check', '-m', 'models.json'])
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr).toMatch(message)
  expect((await rowkey(['lock', '-m', 'models.json'])).code).toBe(0)
  expect((await rowkey(['lock', '--check', '-m', 'models.json'])).code).toBe(0)
})

test('without a lock file, the message says how to write it', async () => {
  named('models.json', Logs)
  const ended = await rowkey(['lock', '--check', '-m', 'models.json', '--file', 'none.json'])
  expect(ended.code).toBe(2)
  expect(ended.stderr).toBe('rowkey: none.json cannot be read: it does not exist. Write it with rowkey lock.\n')
})

test('a file that cannot be written leaves nothing behind', async () => {
  named('models.json', Logs)
  write('taken/inside', '')
  const ended = await rowkey(['lock', '-m', 'models.json', '--file', 'taken'])
  expect(ended.code).toBe(2)
  expect(ended.stderr).toContain('taken cannot be')
  expect((await rowkey(['lock', '-m', 'models.json', '--file', 'no/such/folder.json'])).stderr).toContain('Nothing has changed.')
  expect(readdirSync(folder).filter((name) => name.includes('.tmp'))).toEqual([])
})

property('every table comes back from its lock with the same layout', anyLayout, (random) => {
  const schema = tableOf(random)
  if (schema === undefined) return
  const locked = readLock(JSON.stringify(lockOf([schema])), 'x')
  expect(compareWithLock(locked, [schema])).toEqual([{ table: 'random', state: 'same' }])
})

test('every part of a changed layout that changes bytes is in the difference', () => {
  const Before = defineTable('t', { columns: { a: uint32(), b: date(), c: text() }, key: ['a', 'b', 'c'] })
  const After = defineTable('t', { columns: { a: int32(), b: desc(date()), c: text() }, key: ['a', 'b', 'c'] })
  const [verdict] = compareWithLock(new Map([['t', Before]]), [After])
  if (verdict?.state !== 'changed') throw new Error('it is changed')
  expect(verdict.bytes.before.map(({ hex }) => hex)).toEqual(['00000007', '80004fe6', '7765622d310000'])
  expect(verdict.bytes.after.map(({ hex }) => hex)).toEqual(['80000007', '7fffb019', '7765622d310000'])
})
