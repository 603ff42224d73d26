import { isRowkeyError } from 'rowkey/adapter'
import { expect, test } from 'vitest'
import { CommandError } from '../src/client/commands.js'
import { rethrow } from '../src/errors.js'
import { outcomeOf, outcomeOfRead } from '../src/outcomes.js'

const told = (error: CommandError): unknown => {
  try {
    return rethrow('rows', error)
  } catch (thrown) {
    expect(isRowkeyError(thrown)).toBe(true)
    const { code, details } = thrown as { code: string; details: { reason?: string } }
    return `${code} ${details.reason}`
  }
}
const answer = (message: string, state: CommandError['state'] = 'refused') => new CommandError(state, new Error(message))
const written = (error: CommandError): unknown => outcomeOf(error, {} as never).kind

test.each([
  'ERR Connection timed out',
  'ERR Host is down',
  'ERR Connection refused',
  'ERR server closed connection',
  'ERR upstream failure',
  'ERR Internal error',
  'WHATEVER a proxy says',
])('%s: a read may be repeated, and what became of a write is unknown', (message) => {
  expect(told(answer(message))).toBe('STORE_UNAVAILABLE refused')
  expect(written(answer(message))).toBe('unknown')
  expect(outcomeOfRead(answer(message)).kind).toBe('unprocessed') // nothing was written yet
})

test.each([
  'ERR Error running script (call to f_1): @user_script:1: Script killed by user with SCRIPT KILL... script: f_1',
  'ERR Script killed by user with SCRIPT KILL. script: 6b1b, on @user_script:1.',
])('%s: the same', (message) => {
  for (const state of ['broken', 'refused'] as const) {
    expect(told(answer(message, state))).toBe('STORE_UNAVAILABLE refused')
    expect(written(answer(message, state))).toBe('unknown')
  }
})

test.each([
  'ERR max number of clients reached',
  'ERR max number of clients + cluster connections reached',
  'LOADING Redis is loading the dataset in memory',
  'BUSY Redis is busy running a script.',
  "READONLY You can't write against a read only replica.",
  'MASTERDOWN Link with MASTER is down',
  'CLUSTERDOWN The cluster is down',
  'TRYAGAIN Multiple keys request during rehashing of slot',
])('%s: may be repeated, also a write', (message) => {
  expect(told(answer(message))).toBe('STORE_UNAVAILABLE refused')
  expect(written(answer(message))).toBe('unprocessed')
  expect(outcomeOfRead(answer(message)).kind).toBe('unprocessed')
})

test.each([
  "ERR unknown command 'HMGET', with args beginning with: 'k'",
  'ERR Unknown Redis command called from script script: 6b1b, on @user_script:1.',
  "ERR wrong number of arguments for 'hmget' command",
  'ERR Wrong number of args calling Redis command from script script: 6b1b, on @user_script:1.',
  'ERR syntax error',
  'ERR value is not an integer or out of range',
  'ERR min or max not valid string range item',
  'ERR DB index is out of range',
  'ERR Error compiling script (new function): user_script:1: unexpected symbol',
  "ERR user_script:3: attempt to index global 'x' (a nil value) script: 6b1b, on @user_script:3.",
  "ERR command 'EVALSHA' is not allowed",
  'ERR unsupported command',
  'ERR This instance has cluster support disabled',
  'ERR string exceeds maximum allowed size (proto-max-bulk-len)',
  'ERR Protocol error: too big bulk count string',
  'WRONGTYPE Operation against a key holding the wrong kind of value',
  "CROSSSLOT Keys in request don't hash to the same slot",
])('%s: lasts', (message) => {
  expect(told(answer(message))).toBe('STORE_REFUSED other')
  expect(told(answer(message, 'broken'))).toBe('STORE_REFUSED other')
  expect(written(answer(message))).toBe('failed')
  expect(written(answer(message, 'broken'))).toBe('unknown') // it may have written before
  expect(outcomeOfRead(answer(message)).kind).toBe('failed')
})

test('a full server refuses a write for as long as it is full; a missing right is told as one', () => {
  for (const message of ["OOM command not allowed when used memory > 'maxmemory'.", 'MISCONF Redis is configured to save RDB snapshots']) {
    expect(told(answer(message))).toBe('STORE_UNAVAILABLE refused')
    expect(written(answer(message))).toBe('failed')
  }
  for (const message of [
    'NOPERM no permissions',
    "ERR The user executing the script can't run this command",
    'NOAUTH Authentication required.',
  ]) {
    expect(told(answer(message))).toBe('STORE_REFUSED access')
    expect(written(answer(message))).toBe('failed')
  }
})

test('what was not answered: a read is unanswered, a write unknown or not sent', () => {
  for (const state of ['open', 'unsent'] as const) expect(told(answer('Connection is closed.', state))).toBe('STORE_UNAVAILABLE unanswered')
  expect(written(answer('Connection is closed.', 'open'))).toBe('unknown')
  expect(written(answer('Connection is closed.', 'unsent'))).toBe('unprocessed')
})
