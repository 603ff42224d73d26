import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { node, plainEnv, program, project, withTables } from './command.js'

const { rowkey, folder, write, path } = project(withTables)
const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0

/** What bash offers after some words, of which the last one is completed. */
function offered(...words: readonly string[]): readonly string[] {
  const line = `source <("$0" "$1" completion bash)
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _rowkey; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync('bash', ['-c', line, node, program], { cwd: folder, env: plainEnv(), encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.trim().split('\n').sort()
}

test('bash completes commands, options, their values and tables', async () => {
  await rowkey(['lock'])
  expect(offered('rowkey', '')).toEqual([
    'check',
    'completion',
    'copy',
    'count',
    'ddl',
    'decode',
    'drop',
    'encode',
    'explain',
    'export',
    'get',
    'import',
    'index',
    'layout',
    'lint',
    'lock',
    'mcp',
    'partitions',
    'rotate',
    'scan',
    'split-points',
    'tables',
  ])
  expect(offered('rowkey', 'de')).toEqual(['decode'])
  expect(offered('rowkey', 'explain', '--re')).toEqual(['--reverse'])
  expect(offered('rowkey', 'ddl', '--store', '')).toEqual(['cassandra', 'dynamodb', 'hbase', 'kudu', 'lmdb', 'memory', 'redis'])
  expect(offered('rowkey', 'encode', '--as', 'b')).toEqual(['base64'])
  expect(offered('rowkey', 'layout', 'lo')).toEqual(['logs'])
  expect(offered('rowkey', 'layout', 'model')).toEqual(['models.json'])
  expect(offered('rowkey', 'completion', '')).toEqual(['bash', 'fish', 'zsh'])
})

test.each(['bash', 'zsh', 'fish'])('the script for %s has every command and every option', async (shell) => {
  const { code, stdout } = await rowkey(['completion', shell])
  expect(code).toBe(0)
  for (const command of ['layout', 'encode', 'decode', 'explain', 'ddl', 'split-points', 'lock', 'scan', 'copy', 'completion']) {
    expect(stdout).toContain(command)
    const options = (await rowkey([command, '--help'])).stdout.match(/(?<=^ {2}(?:-\w, )?)--[a-z-]+/gm) ?? []
    expect(options.length).toBeGreaterThan(1)
    for (const option of options.filter((name) => name !== '--help'))
      expect(stdout).toContain(shell === 'fish' ? `-l ${option.slice(2)}` : option)
  }
})

test.skipIf(!has('zsh'))('zsh accepts its script', async () => {
  const { status, stderr } = spawnSync('zsh', ['-n'], {
    input: (await rowkey(['completion', 'zsh'])).stdout,
    env: plainEnv(),
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test.skipIf(!has('fish'))('fish accepts its script, and completes by it', async () => {
  write('rowkey.fish', (await rowkey(['completion', 'fish'])).stdout)
  const { status, stderr } = spawnSync('fish', ['--no-execute', path('rowkey.fish')], { env: plainEnv(), encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const completed = (line: string): readonly string[] =>
    spawnSync('fish', ['--no-config', '-c', 'source $argv[1]; complete -C $argv[2]', path('rowkey.fish'), line], {
      cwd: folder,
      env: plainEnv(),
      encoding: 'utf8',
    })
      .stdout.split('\n')
      .map((text) => text.split('\t')[0] ?? '')
  expect(completed('rowkey lay')).toContain('layout')
  expect(completed('rowkey ddl --store cass')).toContain('cassandra')
})
