import { conformance } from 'rowkey/conformance'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { dynamodb } from '@rowkey/dynamodb'
import type { Mutation, Row } from 'rowkey/adapter'
import { defineTable, int32 } from 'rowkey'
import { afterAll, describe, expect, test } from 'vitest'
import { read } from '../../../test/docs/pages.js'
import { withoutLarge } from '../../../test/setup/large-rules.js'
import { withServer } from '../../../test/setup/with-server.js'
import { clientOf } from './client.js'
import { intercept, serviceError } from './middleware.js'
import { named } from './servers.js'

const [, section = ''] = read('adapters/dynamodb/README.md').split('## Permissions')
const listed = (what: string): readonly string[] => {
  const row = (section.split('## ')[0] ?? '').split('\n').find((line) => line.startsWith(`| ${what}`)) ?? ''
  return [...row.matchAll(/`dynamodb:(\w+)`/g)].map(([, action]) => action ?? '')
}
const ofRows = listed('rows')
const ofEnsure = listed('`ensureTables`')
const ofDrop = listed('`dropTable`')

/** The actions of IAM that a request needs: a transaction has none of its own, but those of its parts. */
function actionsOf(operation: string, input: Record<string, unknown>): readonly string[] {
  if (operation !== 'TransactWriteItems') return [operation]
  const parts = (input['TransactItems'] as readonly object[]).flatMap((item) => Object.keys(item))
  return parts.map((part) => (part === 'ConditionCheck' ? 'ConditionCheckItem' : `${part}Item`))
}

/** Refuses, as the service, what needs other actions than these. */
function allow(client: DynamoDBClient, allowed: readonly string[], used: Set<string>): void {
  intercept(client, ({ operation, input, send }) => {
    const actions = actionsOf(operation, input)
    for (const action of actions) used.add(action)
    const missing = actions.find((action) => !allowed.includes(action))
    if (missing === undefined) return send()
    return Promise.reject(serviceError('AccessDeniedException', 400, { message: `not authorized to perform: dynamodb:${missing}` }))
  })
}

const used = new Set<string>()

withServer('dynalite', (connection) => {
  describe('the suite, with a client that may do what the README lists and nothing else', () => {
    conformance({
      test: withoutLarge(test, true),
      afterAll,
      createAdapter() {
        const client = clientOf(connection)
        allow(client, [...ofRows, ...ofEnsure, ...ofDrop], used)
        return { adapter: dynamodb(client, { transactions: false, nativeTtl: false }), dispose: () => client.destroy() }
      },
    })
  })
})

withServer('moto', (connection) => {
  test('the README lists the actions that the suite, transactions and expiry need, and no other', async () => {
    const client = clientOf(connection)
    allow(client, [...ofRows, ...ofEnsure, ...ofDrop], used)
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
    expect([...used].sort()).toEqual([...ofRows, ...ofEnsure, ...ofDrop].sort())
  })

  test('what changes tables needs the actions that the README lists for it', async () => {
    const schema = named(defineTable('rows', { columns: { k: int32() }, key: ['k'], ttl: '1h' }))
    const withActions = async (allowed: readonly string[], run: (adapter: ReturnType<typeof dynamodb>) => Promise<unknown>) => {
      const client = clientOf(connection)
      allow(client, allowed, new Set())
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
