import { dynamodb } from '@rowkey/dynamodb'
import type { Mutation, Row } from 'rowkey/adapter'
import { defineTable, int32 } from 'rowkey'
import { expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { allActions, allow, ofDrop, ofEnsure, ofRows } from './allow.js'
import { clientOf } from './client.js'
import { named } from './servers.js'

// The conformance suites run with a client that may do what the README lists, and nothing else.
withServer('moto', (connection) => {
  test('transactions and expiry need the actions that the README lists', async () => {
    const client = clientOf(connection)
    allow(client, allActions)
    const adapter = dynamodb(client)
    const schema = named(defineTable('rows', { columns: { k: int32(), n: int32() }, key: ['k'], ttl: '1h' }))
    await adapter.ensureTable(schema)
    const batch = (changes: readonly object[], token: string) =>
      adapter.write(
        changes.map((change) => ({ ...change, schema }) as Mutation),
        { now: 0, atomic: token },
      )
    const row = (k: number): Row => [k, 1, null]
    const puts = [
      { kind: 'put', row: row(1) },
      { kind: 'put', row: row(2) },
    ]
    const others = [
      { kind: 'update', row: row(1), set: [] }, // a check
      { kind: 'update', row: row(2), set: [1] },
      { kind: 'delete', row: row(3) },
    ]
    for (const changes of [puts, others]) {
      const outcomes = await batch(changes, changes === puts ? 'puts' : 'others')
      expect(outcomes.map(({ kind }) => kind)).toEqual(changes.map(() => 'applied'))
    }
    await adapter.dropTable(schema.name)
    client.destroy()
  })

  test('what changes tables needs the actions that the README lists for it', async () => {
    const schema = named(defineTable('rows', { columns: { k: int32() }, key: ['k'], ttl: '1h' }))
    const withActions = async (allowed: readonly string[], run: (adapter: ReturnType<typeof dynamodb>) => Promise<unknown>) => {
      const client = clientOf(connection)
      allow(client, allowed)
      await run(dynamodb(client)).finally(() => client.destroy())
    }
    const refused = (action: string) => ({
      code: 'STORE_REFUSED',
      message: expect.stringMatching(`dynamodb:${action}.*README of @rowkey/dynamodb`) as string,
      details: { adapter: 'dynamodb', table: schema.name, reason: 'access' },
    })
    for (const action of ofEnsure) {
      const others = [...ofRows, ...ofEnsure].filter((other) => other !== action)
      await expect(withActions(others, (adapter) => adapter.ensureTable(schema))).rejects.toMatchObject(refused(action))
      await withActions([...ofRows, ...ofEnsure], (adapter) => adapter.ensureTable(schema))
      if (action !== ofEnsure.at(-1)) await withActions([...ofRows, ...ofDrop], (adapter) => adapter.dropTable(schema.name))
    }
    await expect(withActions(ofRows, (adapter) => adapter.dropTable(schema.name))).rejects.toMatchObject(refused('DeleteTable'))
    await withActions([...ofRows, ...ofDrop], (adapter) => adapter.dropTable(schema.name))
  })
})
