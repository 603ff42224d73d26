import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { RowkeyError } from 'rowkey/codec'
import { Failure, systemReason } from '../src/failure.js'
import { told } from '../src/told.js'
import { node, plainEnv, program, project, withTables } from './command.js'

const { rowkey, path, folder } = project(withTables)

test.each([
  [['nope'], /^rowkey: unknown command 'nope'/],
  [['layot'], /Did you mean layout\?/],
  [['layout', '--nope'], /^rowkey: unknown option '--nope'/],
  [['split-points', 'logs', '--count', '0'], /argument '0' is invalid\. Give a whole number from 1\./],
  [['split-points', 'logs'], /required option '--count <parts>' not specified/],
  [['layout', '--models'], /option '-m, --models <file\.\.\.>' argument missing/],
  [['completion', 'tcsh'], /Allowed choices are bash, zsh, fish/],
  [['lock', 'logs'], /too many arguments/],
])('%j is a usage error: exit code 2, one message, and where the help is', async (args, message) => {
  const { code, stdout, stderr } = await rowkey(args)
  expect(stderr).toMatch(message)
  expect(stderr).toMatch(/^See rowkey .*--help\.$/m)
  expect(stderr).not.toMatch(/^ +at /m)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
})

test('an error of rowkey is one line with its code, and only --debug has the stack', async () => {
  const args = ['ddl', 'logs', '--store', 'redis', '--shards', '5000']
  const quiet = await rowkey(args)
  expect(quiet.stderr).toMatch(/^rowkey: INVALID_OPTION: .*shards.*5000.*Give an integer from 1 to 1024\.\n$/)
  expect(quiet.stderr.trim().split('\n').length).toBe(1)
  expect((await rowkey([...args, '--debug'])).stderr).toMatch(/^ +at /m)
})

test('exit codes and texts of errors', () => {
  expect(told(new Failure('no', 1), false, {})).toEqual({ text: 'rowkey: no', exitCode: 1 })
  expect(told(new Failure('no'), false, {}).exitCode).toBe(2)
  expect(told(new RowkeyError('NOT_SUPPORTED', 'no', {}), false, {})).toEqual({ text: 'rowkey: NOT_SUPPORTED: no', exitCode: 3 })
  expect(told(new RowkeyError('INVALID_VALUE', 'no', {}), false, {}).exitCode).toBe(2)
  const bug = told(new TypeError('x is not a function'), false, {})
  expect(bug).toEqual({
    text: 'rowkey: x is not a function\nThis is a bug of rowkey. Run it again with --debug for a report.',
    exitCode: 2,
  })
  expect(told(new TypeError('x'), true, {}).text).toMatch(/^rowkey: x\nTypeError: x\n +at /)
  expect(told(new Failure('a', 2, { cause: new Error('b') }), true, {}).text).toMatch(/\nCaused by: Error: b\n/)
  expect(told('text', false, {}).text).toContain('rowkey: text')
})

test('reasons of the operating system are in words', () => {
  const error = (code: string): Error => Object.assign(new Error(`${code}: /a/b`), { code })
  expect(['ENOENT', 'EACCES', 'ENOSPC', 'EROFS'].map((code) => systemReason(error(code)))).toEqual([
    'it does not exist',
    'there is no permission',
    'the disk is full',
    'the file system cannot be written',
  ])
  expect(systemReason(error('EODD'))).toBe('EODD: /a/b')
})

test.skipIf(process.platform !== 'linux')('a full disk leaves the old file as it was, and nothing next to it', () => {
  writeFileSync(path('full.json'), 'old')
  // No file of this shell may be longer than 512 bytes, which is like a full disk; the signal for it is ignored.
  const command = 'trap "" XFSZ; ulimit -f 1; exec "$0" "$@" lock --file full.json'
  const { status, stderr } = spawnSync('sh', ['-c', command, node, program], { cwd: folder, encoding: 'utf8', env: plainEnv() })
  expect(stderr).toMatch(/full\.json cannot be written: .+\. Nothing has changed\.$/m)
  expect(status).toBe(2)
  expect(readFileSync(path('full.json'), 'utf8')).toBe('old')
  expect(readdirSync(folder).filter((name) => name.includes('.tmp'))).toEqual([])
})

test.skipIf(process.platform !== 'linux')('stdout that cannot be written is told', () => {
  const { status, stderr } = spawnSync('sh', ['-c', '"$0" "$@" layout > /dev/full', node, program], {
    cwd: folder,
    encoding: 'utf8',
    env: plainEnv(),
  })
  expect(stderr).toBe('rowkey: stdout cannot be written: the disk is full\n')
  expect(status).toBe(2)
})
