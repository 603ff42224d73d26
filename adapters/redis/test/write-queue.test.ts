import { expect, test } from 'vitest'
import type { Commands } from '../src/client/commands.js'
import { RecordGets } from '../src/shards/record-gets.js'
import { WriteQueue, type Change } from '../src/shards/write-queue.js'

// Commands are sent at the end of a tick, where nobody could catch an error.

const put: Change = { kind: 'put', key: Buffer.from('k'), record: Buffer.from('r'), expiry: '', condition: '', now: '' }
const fault = new Error('the client throws')

function failing(how: 'throws' | 'rejects'): Commands {
  const fail = (): Promise<never> => {
    if (how === 'throws') throw fault
    return Promise.reject(fault)
  }
  return { get: fail, hashFields: fail, info: fail, run: fail, runOnce: fail }
}

test.each(['throws', 'rejects'] as const)('a client that %s is the error of every write and get that shares the command', async (how) => {
  const writes = new WriteQueue(failing(how), 'id', ['a', 'b'], () => fault)
  const other: Change = { ...put, kind: 'delete', key: Buffer.from('other') }
  const written = await Promise.all([writes.each([put], undefined), writes.each([other], undefined), writes.all([put, other], undefined)])
  expect(written).toEqual([[fault], [fault], [fault, fault]])

  const gets = new RecordGets(failing(how), 'hash', 'id', 'logs')
  const got = await Promise.allSettled([gets.get([Buffer.from('k')]), gets.get([Buffer.from('other')])])
  expect(got.map((each) => each.status === 'rejected' && (each.reason as unknown))).toEqual([fault, fault])
})

test('a reply that cannot be read leaves its writes open', async () => {
  const reply = { get length(): never { throw fault }, toString: (): never => { throw fault } } // prettier-ignore
  const commands = { ...failing('throws'), runOnce: () => Promise.resolve(reply as unknown as Buffer) }
  const writes = new WriteQueue(commands, 'id', ['a', 'b'], () => fault)
  for (const results of [await writes.each([put], undefined), await writes.all([put], undefined)]) {
    expect(results).toEqual([expect.objectContaining({ state: 'open' })])
  }
})
