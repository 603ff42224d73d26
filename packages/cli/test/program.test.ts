import { spawnSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { delimiter } from 'node:path'
import { expect, test } from 'vitest'
import stringWidth from 'string-width'
import { node, plainEnv, program, project, withTables } from './command.js'

const { rowkey, write, path, folder } = project(withTables)
const onStores = ['get', 'scan', 'count', 'tables', 'export', 'import', 'copy', 'drop']
/** Of tables with ranges or indexes: servers/ranges.test.ts and index-tables.test.ts run them. */
const onRanges = ['partitions', 'rotate', 'index']
const others = ['lint', 'layout', 'encode', 'decode', 'explain', 'ddl', 'split-points', 'lock', ...onStores, 'check', 'mcp', 'completion']
const commands = others.flatMap((name) => (name === 'check' ? [...onRanges, name] : [name]))

/** Runs a line in a shell that has the command, and an HBase shell that answers one row. */
function shell(line: string): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  write('bin/rowkey', '#!/bin/sh\nexec "$ROWKEY_NODE" "$ROWKEY_PROGRAM" "$@"\n')
  write('bin/hbase', `#!/bin/sh\ncat > /dev/null\nprintf 'ROW  COLUMN+CELL\\n %s   column=f:line, timestamp=1, value=x\\n1 row(s)\\n' '\\x0Cweb-1\\x00\\x00\\x7F\\xFF\\xFEd\\x89%%W\\xFF'\n`.replace('%%W', '%W')) // prettier-ignore
  for (const name of ['rowkey', 'hbase']) chmodSync(path(`bin/${name}`), 0o755)
  const env = plainEnv({ ROWKEY_NODE: node, ROWKEY_PROGRAM: program, PATH: `${path('bin')}${delimiter}${process.env['PATH'] ?? ''}` })
  return spawnSync('bash', ['-c', line], { cwd: folder, env, encoding: 'utf8' })
}

test('the help names all commands', async () => {
  const { code, stdout, stderr } = await rowkey(['--help'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.match(/^ {2}[a-z][a-z-]*(?= )/gm)?.map((line) => line.trim())).toEqual(commands)
  expect((await rowkey([])).stdout).toBe(stdout)
})

test.each(['', ...commands])('the help of rowkey %s fits into 80 columns', async (command) => {
  const { code, stdout } = await rowkey([...(command === '' ? [] : [command]), '--help'])
  expect(stdout.split('\n').filter((line) => stringWidth(line) > 80)).toEqual([])
  expect(code).toBe(0)
})

test.each(others)('the help of %s ends with an example that works', async (command) => {
  await rowkey(['lock'])
  write('logs.ndjson', '{"host":"web-1","at":"2026-01-01T00:00:00.000Z","level":null,"line":"x"}\n')
  if (onStores.includes(command)) await rowkey(['import', 'logs', 'logs.ndjson', '--create', '--url', 'lmdb:data'])
  const [, examples = ''] = /\nExample:\n((?: {2}.+\n)+)$/.exec((await rowkey([command, '--help'])).stdout) ?? []
  const lines = examples.trim().split(/\n */)
  expect(lines[0]).toContain(`rowkey ${command}`)
  for (const line of lines) {
    const { status, stdout } = shell(line)
    expect(status, line).toBe(0)
    if (!['completion', 'mcp', 'export', 'import', 'copy', 'drop'].includes(command)) expect(stdout, line).not.toBe('')
  }
})

test('the version is that of the package', async () => {
  expect((await rowkey(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+/)
})
