import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { canBeRefused, node, plainEnv, program, project, withTables } from './command.js'
import { hasTerminal, inTerminal, plainText } from './terminal.js'

const { rowkey, write, folder, path } = project(withTables)
const at = ['--url', 'lmdb:data'] as const
const lines = Array.from({ length: 60 }, (_, n) =>
  JSON.stringify({ host: `web-${n % 2}`, at: `2026-01-01T00:00:${String(n).padStart(2, '0')}.000Z`, level: n, line: `x ${n}` }),
)

beforeAll(async () => {
  const { code, stderr } = await rowkey(['import', 'logs', '--create', ...at], { input: lines.join('\n') })
  expect({ code, stderr }).toEqual({ code: 0, stderr: "60 rows written to 'logs'\n" })
})

test('get prints one row, and its exit code is 1 if there is none', async () => {
  const found = await rowkey(['get', 'logs', 'host=web-1', 'at=2026-01-01T00:00:07Z', ...at])
  expect(found).toEqual({ code: 0, stderr: '', stdout: '{"host":"web-1","at":"2026-01-01T00:00:07.000Z","level":7,"line":"x 7"}\n' })
  const key = ['host=web-0', 'at=2026-01-01T00:00:07Z']
  expect(await rowkey(['get', 'logs', ...key, ...at])).toEqual({ code: 1, stdout: '', stderr: "'logs' has no row with this key.\n" })
  expect(await rowkey(['get', 'logs', ...key, ...at, '--json'])).toEqual({ code: 1, stdout: '{"rowkey":1,"row":null}\n', stderr: '' })
  expect(await rowkey(['get', 'logs', 'host=web-0', ...at])).toMatchObject({ code: 2, stdout: '' })
})

test('the pages of a scan are all rows in order, once', async () => {
  const seen: unknown[] = []
  let cursor: readonly string[] = []
  for (let page = 0; page < 10; page++) {
    const { stdout, stderr, code } = await rowkey(['scan', 'logs', 'host = web-1', '--limit', '7', ...cursor, ...at])
    expect(code).toBe(0)
    seen.push(...stdout.split('\n').filter((line) => line !== ''))
    const [, next] = /^more: --cursor (\S+)\n$/.exec(stderr) ?? []
    if (next === undefined) break
    cursor = ['--cursor', next]
  }
  expect(seen).toEqual(lines.filter((line) => line.includes('web-1')).toReversed())
})

test('scan in JSON, in reverse, keys only, by its values, and refused', async () => {
  const json = JSON.parse(
    (await rowkey(['scan', 'logs', 'host = web-1', '--limit', '2', '--reverse', '--keys-only', '--json', ...at])).stdout,
  ) as object
  expect(json).toEqual({
    rowkey: 1,
    rows: [
      { host: 'web-1', at: '2026-01-01T00:00:01.000Z' },
      { host: 'web-1', at: '2026-01-01T00:00:03.000Z' },
    ],
    cursor: expect.stringMatching(/^\S+$/) as string,
  })
  expect((await rowkey(['scan', 'logs', 'host = web-1 and level >= 57', '--keys-only', ...at])).stdout.split('\n').length).toBe(3)
  expect(await rowkey(['scan', 'logs', 'at >= 2026-01-01', ...at])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('--unbounded') as string,
  })
  expect((await rowkey(['scan', 'logs', 'level = 5', '--unbounded', ...at])).stdout).toContain('"level":5')
  expect(await rowkey(['scan', 'logs', 'host = web-1', '--cursor', 'x', ...at])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('CURSOR_INVALID') as string,
  })
})

test('count, of all rows and of some, and of a table under a prefix', async () => {
  expect((await rowkey(['count', 'logs', ...at])).stdout).toBe('60\n')
  expect((await rowkey(['count', 'logs', 'host = web-1 and level < 10', ...at])).stdout).toBe('5\n')
  expect((await rowkey(['count', 'logs', '--json'], { env: { ROWKEY_URL: 'lmdb:data' } })).stdout).toBe(
    '{"rowkey":1,"table":"logs","count":60}\n',
  )
  expect(await rowkey(['count', 'logs', '--prefix', 'dev_', ...at])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('TABLE_NOT_FOUND') as string,
  })
})

test('tables says what is there, what is missing and what does not fit', async () => {
  const { code, stdout } = await rowkey(['tables', ...at])
  expect(stdout).toBe('✓ logs\n- orders: there is no table\n- events: there is no table\n')
  expect(code).toBe(1)
  expect((await rowkey(['tables', 'logs', ...at])).code).toBe(0)
  const models = JSON.parse(withTables['models.json'] ?? '') as { name: string; salt?: { count?: number } }[]
  write('other.json', JSON.stringify(models.slice(0, 1)).replace('"count":16', '"count":8'))
  const other = await rowkey(['tables', '--models', 'other.json', ...at, '--json'])
  expect(JSON.parse(other.stdout)).toMatchObject({
    tables: [{ table: 'logs', state: 'differs', message: expect.stringContaining('16') as string }],
  })
  expect(other.code).toBe(1)
})

test('drop needs --yes in a pipe, and refuses a table that does not exist', async () => {
  await rowkey(['import', 'logs', '--create', '--prefix', 'gone_', ...at], { input: lines[0] ?? '' })
  expect(await rowkey(['drop', 'logs', '--prefix', 'gone_', ...at])).toMatchObject({
    code: 2,
    stderr: 'rowkey: drop asks on a terminal only. Elsewhere, give --yes.\n',
  })
  expect((await rowkey(['count', 'logs', '--prefix', 'gone_', ...at])).stdout).toBe('1\n')
  expect(await rowkey(['drop', 'logs', '--prefix', 'gone_', '--yes', ...at])).toEqual({
    code: 0,
    stdout: '',
    stderr: "'gone_logs' is dropped.\n",
  })
  expect(await rowkey(['drop', 'logs', '--prefix', 'gone_', '--yes', ...at])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("no table 'gone_logs'") as string,
  })
  expect((await rowkey(['count', 'logs', ...at])).stdout).toBe('60\n')
})

test.skipIf(!hasTerminal)('on a terminal rows are lines', () => {
  const { screen } = inTerminal(folder, ['scan', 'logs', 'host = web-1', '--limit', '1', ...at])
  expect(plainText(screen)).toMatch(/^host=web-1 at=2026-01-01T00:00:59\.000Z \| level=59 line="x 59"\nmore: --cursor \S+\n$/)
})

test.skipIf(!hasTerminal)('on a terminal drop asks, and only yes drops', async () => {
  await rowkey(['import', 'logs', '--create', '--prefix', 'asked_', ...at], { input: lines[0] ?? '' })
  const answer = (word: string): { readonly code: number | null; readonly screen: string } => {
    const script = `import os, pty, sys
pid, terminal = pty.fork()
if pid == 0: os.execvp(sys.argv[2], sys.argv[2:])
text = b''
while b'[y/N]' not in text: text += os.read(terminal, 65536)
os.write(terminal, sys.argv[1].encode() + b'\\n')
try:
    while part := os.read(terminal, 65536): text += part
except OSError: pass
os.write(1, text)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))`
    const args = ['-c', script, word, node, program, 'drop', 'logs', '--prefix', 'asked_', ...at]
    const { status, stdout } = spawnSync('python3', args, { cwd: folder, env: plainEnv(), encoding: 'utf8', timeout: 60_000 })
    return { code: status, screen: stdout }
  }
  expect(answer('n')).toMatchObject({ code: 1, screen: expect.stringContaining('nothing has changed') as string })
  expect(answer('y')).toMatchObject({ code: 0, screen: expect.stringContaining('is dropped') as string })
})

test.skipIf(!canBeRefused)('without permission: one line, exit code 4, and nothing is created', async () => {
  mkdirSync(path('locked'))
  chmodSync(path('locked'), 0o000)
  const { code, stderr } = await rowkey(['import', 'logs', '--create', '--url', 'lmdb:locked/data'], {
    isRefusable: true,
    input: lines[0] ?? '',
  })
  chmodSync(path('locked'), 0o700)
  expect(stderr).toMatch(/^rowkey: .+\n$/)
  expect(code).toBe(4)
  expect(readdirSync(path('locked'))).toEqual([])
})
