import { hbase } from '@rowkey/hbase'
import { HBaseError } from '@rowkey/hbase-client'
import { isRowkeyError } from 'rowkey'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { failEachCall, stepsOf } from '../../../test/kit/failing-calls.js'
import { withServer } from '../../../test/setup/with-server.js'
import { allowing, callsWith, denied } from './allowing.js'
import { connect, type Connected } from './connected.js'
import { wrapped } from './wrapped.js'

const forReads = callsWith('nothing', 'R')
const forRows = [...forReads, ...callsWith('W', 'RW')]

// conformance.test.ts runs the suite with a client that may do what the README lists, and nothing else.
withServer('hbase', (connection) => {
  let owner: Connected
  beforeAll(async () => (owner = await connect(connection, 'unframed', { namespace: 'permissions' })))
  afterAll(() => owner.dispose())

  test('ERR-1: with the rights for rows alone everything but changes of tables works, and with R alone all reads do', async () => {
    const steps = new Map(stepsOf(owner.adapter, 'granted_').map(([name, run]) => [name, run] as const))
    await steps.get('ensureTables')?.()
    await steps.get('put')?.()
    const outcomes = async (allowed: readonly string[]): Promise<ReadonlyMap<string, string>> => {
      const codes = new Map<string, string>()
      for (const [name, run] of stepsOf(hbase(allowing(owner.client, allowed), { namespace: 'permissions' }), 'granted_')) {
        if (name === 'close') continue
        const code = await (async () => run())().then(
          () => 'done',
          (error: unknown) => (isRowkeyError(error) ? error.code : 'raw'),
        )
        codes.set(name, code)
      }
      return codes
    }
    const refusedWith = (codes: ReadonlyMap<string, string>): readonly string[] =>
      [...codes]
        .filter(([, code]) => code === 'STORE_REFUSED' || code === 'WRITE_FAILED' || code === 'WRITE_INCOMPLETE')
        .map(([name]) => name)
    const readsOnly = await outcomes(forReads)
    for (const name of ['get', 'getMany', 'scan', 'filtered', 'count', 'readAll', 'parts', 'locate', 'tableId'])
      expect(readsOnly.get(name), name).toBe('done')
    for (const name of ['put', 'insert', 'update', 'upsert', 'delete', 'ensureTables', 'dropTables'])
      expect(refusedWith(readsOnly), name).toContain(name)
    expect(refusedWith(await outcomes(forRows)).filter((name) => !name.includes('Table'))).toEqual([])
    await steps.get('the last dropTables')?.()
  })

  test('ERR-1: whatever call of the client fails, in whatever way, no error of it reaches the application', async () => {
    const failures = [
      () => denied('any'),
      () => new HBaseError('INVALID_ARGUMENT', 'no', { isSent: false }),
      () => new HBaseError('CONNECTION_LOST', 'no', { isSent: true }),
      () => new HBaseError('GATEWAY', 'no', { isSent: true }),
      () => new HBaseError('SERVER', 'no', { isSent: true, canRetry: false, serverMessage: 'no' }),
    ]
    const open = (turn: () => Error | undefined) => {
      const client = wrapped(owner.client, (_, call, given) => {
        const failure = turn()
        return failure === undefined ? call(...given) : Promise.reject(failure)
      })
      return Promise.resolve({ adapter: hbase(client, { namespace: 'permissions' }), close: () => undefined })
    }
    const { raw, typed } = await failEachCall(failures, open)
    expect(raw).toEqual([])
    expect(typed).toBeGreaterThan(100)
  }, 300_000)
})
