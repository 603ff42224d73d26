import type { Client } from 'cassandra-driver'
import { read } from '../../../test/docs/pages.js'
import { around } from './connected.js'

const [, section = ''] = read('adapters/cassandra/README.md').split('## Permissions')
const cellsOf = (what: string): readonly (readonly string[])[] => {
  const row = (section.split('\n## ')[0] ?? '').split('\n').find((line) => line.startsWith(`| ${what}`)) ?? ''
  const cells = row.split('|').slice(2, 4)
  return cells.map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word ?? ''))
}
const [statementsOfRows = [], permissionsOfRows = []] = cellsOf('rows')
const [statementsOfEnsure = [], permissionsOfEnsure = []] = cellsOf('`ensureTables`')
const [statementsOfDrop = [], permissionsOfDrop = []] = cellsOf('`dropTables`')

/** What the README lists. */
export const listed = {
  forRows: permissionsOfRows,
  forDrop: permissionsOfDrop,
  permissions: [...permissionsOfRows, ...permissionsOfEnsure, ...permissionsOfDrop],
  statements: [...statementsOfRows, ...statementsOfEnsure, ...statementsOfDrop],
}

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

/** What statements were sent, and what they needed. */
export interface Used {
  readonly kinds: Set<string>
  readonly permissions: Set<string>
}

/** Refuses, as Cassandra, what needs other permissions than these. */
export const granting = (client: Client, granted: readonly string[], used?: Used): Client =>
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
