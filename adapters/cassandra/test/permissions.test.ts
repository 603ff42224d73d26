import { cassandra } from '@rowkey/cassandra'
import { conformance } from 'rowkey/conformance'
import type { Client } from 'cassandra-driver'
import { afterAll, describe, expect, test } from 'vitest'
import { read } from '../../../test/docs/pages.js'
import { stepsOf } from '../../../test/kit/failing-calls.js'
import { withoutLarge } from '../../../test/setup/large-rules.js'
import { withServer } from '../../../test/setup/with-server.js'
import { around, connect } from './connected.js'

const [, section = ''] = read('adapters/cassandra/README.md').split('## Permissions')
const cellsOf = (what: string): readonly (readonly string[])[] => {
  const row = (section.split('\n## ')[0] ?? '').split('\n').find((line) => line.startsWith(`| ${what}`)) ?? ''
  const cells = row.split('|').slice(2, 4)
  return cells.map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word ?? ''))
}
const [statementsOfRows = [], permissionsOfRows = []] = cellsOf('rows')
const [statementsOfEnsure = [], permissionsOfEnsure = []] = cellsOf('`ensureTables`')
const [statementsOfDrop = [], permissionsOfDrop = []] = cellsOf('`dropTable`')
const all = [...permissionsOfRows, ...permissionsOfEnsure, ...permissionsOfDrop]

/** What every role may read. */
const ofSystem = /^SELECT .* FROM (system\.(local|peers)|system_schema\.\w+)\b/

/** The permissions that Cassandra checks for a statement of a keyspace. Conditions need SELECT, because they tell what a row holds. */
function needsOf(statement: string): { readonly kind: string; readonly permissions: readonly string[] } {
  const [kind = ''] = /^(?:SELECT|INSERT|UPDATE|DELETE|(?:CREATE|ALTER|DROP) TABLE)\b/.exec(statement) ?? []
  const [verb = ''] = kind.split(' ')
  if (kind.endsWith('TABLE')) return { kind, permissions: [verb] }
  if (kind === 'SELECT') return { kind, permissions: ofSystem.test(statement) ? [] : ['SELECT'] }
  return { kind, permissions: statement.includes(' IF ') ? ['MODIFY', 'SELECT'] : ['MODIFY'] }
}

const unauthorized = (permission: string): Error =>
  Object.assign(new Error(`User app has no ${permission} permission on <keyspace shop> or any of its parents`), {
    name: 'ResponseError',
    code: 0x2100,
  })

interface Used {
  readonly kinds: Set<string>
  readonly permissions: Set<string>
}

/** Refuses, as Cassandra, what needs other permissions than these. */
const granting = (client: Client, granted: readonly string[], used?: Used): Client =>
  around(client, (query, send) => {
    for (const statement of query.split('; ')) {
      const { kind, permissions } = needsOf(statement)
      used?.kinds.add(kind)
      for (const permission of permissions) {
        used?.permissions.add(permission)
        if (!granted.includes(permission)) return Promise.reject(unauthorized(permission))
      }
      if (kind === '') return Promise.reject(unauthorized(statement))
    }
    return send()
  })

withServer('cassandra', (connection) => {
  const used: Used = { kinds: new Set(), permissions: new Set() }

  describe('the suite, with a client that may do what the README lists and nothing else', () => {
    conformance({
      test: withoutLarge(test, true),
      afterAll,
      async createAdapter() {
        const { client, keyspace, dispose } = await connect(connection)
        return { adapter: cassandra(granting(client, all, used), { keyspace }), dispose }
      },
    })

    test('the README lists the statements that the suite sends and the permissions that it needs, and no other', () => {
      expect([...used.permissions].sort()).toEqual([...all].sort())
      expect([...used.kinds].sort()).toEqual([...statementsOfRows, ...statementsOfEnsure, ...statementsOfDrop].sort())
    })
  })

  test('ERR-1: with the permissions for rows alone everything but changes of tables works; what is missing is told as a lasting refusal', async () => {
    const { client, keyspace, adapter, dispose } = await connect(connection)
    const owner = new Map(stepsOf(adapter, 'granted_'))
    const outcomesWith = async (granted: readonly string[]): Promise<ReadonlyMap<string, unknown>> => {
      const outcomes = new Map<string, unknown>()
      for (const [name, run] of stepsOf(cassandra(granting(client, granted), { keyspace }), 'granted_')) {
        if (name !== 'close') await (async () => run())().then(() => undefined, (error: unknown) => outcomes.set(name, error)) // prettier-ignore
      }
      return outcomes
    }
    const refused = { code: 'STORE_REFUSED', details: { adapter: 'cassandra', reason: 'access' } }
    const nothing = await outcomesWith([])
    for (const name of ['ensureTables', 'get', 'getMany', 'scan', 'fullScan', 'dropTable'])
      expect(nothing.get(name), name).toMatchObject(refused)
    await owner.get('ensureTables')?.()
    await owner.get('put')?.()
    const reader = await outcomesWith(['SELECT'])
    for (const name of ['put', 'insert', 'update', 'delete']) {
      expect(reader.get(name), name).toMatchObject({ code: 'WRITE_FAILED', details: { repeatable: false }, cause: { code: 0x2100 } })
    }
    for (const name of ['get', 'getMany', 'scan', 'count', 'fullScan', 'splits']) expect(reader.has(name), name).toBe(false)
    const writer = await outcomesWith(permissionsOfRows)
    expect([...writer.keys()].filter((name) => !name.includes('Table'))).toEqual([])
    expect(writer.get('dropTable')).toMatchObject(refused)
    const dropper = await outcomesWith([...permissionsOfRows, ...permissionsOfDrop])
    expect(dropper.has('dropTable')).toBe(false)
    expect(dropper.get('ensureTables again')).toMatchObject(refused)
    expect([...(await outcomesWith(all)).keys()]).toEqual([])
    await dispose()
  })
})
