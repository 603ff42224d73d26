import { conformance } from 'rowkey/conformance'
import { hbase } from '@rowkey/hbase'
import { HBaseError, type HBaseClient } from '@rowkey/hbase-client'
import { isRowkeyError } from 'rowkey'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { read } from '../../../test/docs/pages.js'
import { failEachCall, stepsOf } from '../../../test/kit/failing-calls.js'
import { withoutLarge } from '../../../test/setup/large-rules.js'
import { withServer } from '../../../test/setup/with-server.js'
import { clientOf, connect, type Connected } from './connected.js'
import { wrapped } from './wrapped.js'

const [, section = ''] = read('adapters/hbase/README.md').split('## Permissions')

/** The calls of the README's table, by what has to be granted for them. */
const listed = new Map(
  (section.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [calls = '', right = ''] = line.split('|').slice(1)
      return [right.trim(), [...calls.matchAll(/`(\w+)`/g)].map(([, call]) => call ?? '')]
    }),
)
const callsWith = (...rights: readonly string[]): readonly string[] => rights.flatMap((right) => listed.get(right) ?? [])
const forReads = callsWith('nothing', 'R')
const forRows = [...forReads, ...callsWith('W', 'RW')]
const forTables = [...listed.values()].flat()

const denied = (call: string): HBaseError => {
  const serverMessage = `org.apache.hadoop.hbase.security.AccessDeniedException: Insufficient permissions (user=app, call=${call})`
  const details = { call, isSent: true, canRetry: false, javaClass: 'AccessDeniedException', serverMessage }
  return new HBaseError('SERVER', `was refused by HBase: ${serverMessage}`, details)
}

/** Refuses, as HBase, all calls but these. */
const allowing = (client: HBaseClient, allowed: readonly string[], used = new Set<string>()): HBaseClient =>
  wrapped(client, (name, call, given) => {
    if (name === 'close') return call(...given)
    used.add(name)
    return allowed.includes(name) ? call(...given) : Promise.reject(denied(name))
  })

withServer('hbase', (connection) => {
  const used = new Set<string>()
  let owner: Connected
  beforeAll(async () => (owner = await connect(connection, 'unframed', { namespace: 'permissions' })))
  afterAll(() => owner.dispose())

  describe('the suite, with a client that may do what the README lists and nothing else', () => {
    conformance({
      test: withoutLarge(test, true),
      afterAll,
      createAdapter() {
        const client = clientOf(connection)
        const adapter = hbase(allowing(client, forTables, used), { namespace: 'permissions' })
        return { adapter, dispose: () => client.close() }
      },
    })
  })

  test('ERR-1: with the rights for rows alone everything but changes of tables works, and with R alone all reads do', async () => {
    const steps = new Map(stepsOf(owner.adapter, 'granted_'))
    await steps.get('ensureTables')?.()
    await steps.get('put')?.()
    const outcomes = async (allowed: readonly string[]): Promise<ReadonlyMap<string, string>> => {
      const codes = new Map<string, string>()
      for (const [name, run] of stepsOf(hbase(allowing(owner.client, allowed, used), { namespace: 'permissions' }), 'granted_')) {
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
    for (const name of ['get', 'getMany', 'scan', 'filtered', 'count', 'fullScan', 'splits', 'locate', 'tableId'])
      expect(readsOnly.get(name), name).toBe('done')
    for (const name of ['put', 'insert', 'update', 'upsert', 'delete', 'ensureTables', 'dropTable'])
      expect(refusedWith(readsOnly), name).toContain(name)
    expect(refusedWith(await outcomes(forRows)).filter((name) => !name.includes('Table'))).toEqual([])
    await steps.get('the last dropTable')?.()
  })

  test('the README lists the calls that the suite and these make, and no other but the one that follows a race', () => {
    expect([...used, 'enableTable'].sort()).toEqual([...forTables].sort())
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
    const isOfTables = (name: string): boolean => name.includes('Table')
    const all = new Map(stepsOf(owner.adapter, 'faults_'))
    await all.get('ensureTables')?.()
    const ofRows = await failEachCall(failures, open, (adapter) => stepsOf(adapter, 'faults_').filter(([name]) => !isOfTables(name)))
    await all.get('the last dropTable')?.()
    let turns = 0
    const each = [() => (failures[turns++ % failures.length] as () => Error)()]
    const ofTables = await failEachCall(each, open, (adapter, prefix) =>
      stepsOf(adapter, prefix).filter(([name]) => ['ensureTables', 'the last dropTable'].includes(name)),
    )
    expect([...ofRows.raw, ...ofTables.raw]).toEqual([])
    expect(ofRows.typed).toBeGreaterThan(100)
    expect(ofTables.typed).toBeGreaterThan(5)
  }, 300_000)
})
