import { cassandra } from '@rowkey/cassandra'
import { expect, test } from 'vitest'
import { stepsOf } from '../../../test/kit/failing-calls.js'
import { withServer } from '../../../test/setup/with-server.js'
import { connect } from './connected.js'
import { granting, listed } from './granting.js'

// conformance.test.ts runs the suite with a client that may do what the README lists, and nothing else.
withServer('cassandra', (connection) => {
  test('ERR-1: with the permissions for rows alone everything but changes of tables works; what is missing is told as a lasting refusal', async () => {
    const { client, keyspace, adapter, dispose } = await connect(connection)
    const owner = new Map(stepsOf(adapter, 'granted_').map(([name, run]) => [name, run] as const))
    const outcomesWith = async (granted: readonly string[]): Promise<ReadonlyMap<string, unknown>> => {
      const outcomes = new Map<string, unknown>()
      for (const [name, run] of stepsOf(cassandra(granting(client, granted), { keyspace }), 'granted_')) {
        if (name !== 'close') await (async () => run())().then(() => undefined, (error: unknown) => outcomes.set(name, error)) // prettier-ignore
      }
      return outcomes
    }
    const refused = { code: 'STORE_REFUSED', details: { adapter: 'cassandra', reason: 'access' } }
    const nothing = await outcomesWith([])
    for (const name of ['ensureTables', 'get', 'getMany', 'scan', 'readAll', 'dropTables'])
      expect(nothing.get(name), name).toMatchObject(refused)
    await owner.get('ensureTables')?.()
    await owner.get('put')?.()
    const reader = await outcomesWith(['SELECT'])
    for (const name of ['put', 'insert', 'update', 'delete']) {
      expect(reader.get(name), name).toMatchObject({ code: 'WRITE_FAILED', details: { repeatable: false }, cause: { code: 0x2100 } })
    }
    for (const name of ['get', 'getMany', 'scan', 'count', 'readAll', 'parts']) expect(reader.has(name), name).toBe(false)
    const writer = await outcomesWith(listed.forRows)
    expect([...writer.keys()].filter((name) => !name.includes('Table'))).toEqual([])
    expect(writer.get('dropTables')).toMatchObject(refused)
    const dropper = await outcomesWith([...listed.forRows, ...listed.forDrop])
    expect(dropper.has('dropTables')).toBe(false)
    expect(dropper.get('ensureTables again')).toMatchObject(refused)
    expect([...(await outcomesWith(listed.permissions)).keys()]).toEqual([])
    await dispose()
  })
})
