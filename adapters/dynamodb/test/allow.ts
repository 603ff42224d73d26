import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { read } from '../../../test/docs/pages.js'
import { intercept, serviceError } from './middleware.js'

const [, section = ''] = read('adapters/dynamodb/README.md').split('## Permissions')
const listed = (what: string): readonly string[] => {
  const row = (section.split('## ')[0] ?? '').split('\n').find((line) => line.startsWith(`| ${what}`)) ?? ''
  return [...row.matchAll(/`dynamodb:(\w+)`/g)].map(([, action]) => action ?? '')
}
/** The actions that the README lists. */
export const ofRows = listed('rows')
export const ofEnsure = listed('`ensureTables`')
export const ofDrop = listed('`dropTables`')
export const allActions = [...ofRows, ...ofEnsure, ...ofDrop]

/** The actions of IAM that a request needs: a transaction has none of its own, but those of its parts. */
function actionsOf(operation: string, input: Record<string, unknown>): readonly string[] {
  if (operation !== 'TransactWriteItems') return [operation]
  const parts = (input['TransactItems'] as readonly object[]).flatMap((item) => Object.keys(item))
  return parts.map((part) => (part === 'ConditionCheck' ? 'ConditionCheckItem' : `${part}Item`))
}

/** Refuses, as the service, what needs other actions than these. */
export function allow(client: DynamoDBClient, allowed: readonly string[], used = new Set<string>()): void {
  intercept(client, ({ operation, input, send }) => {
    const actions = actionsOf(operation, input)
    for (const action of actions) used.add(action)
    const missing = actions.find((action) => !allowed.includes(action))
    if (missing === undefined) return send()
    return Promise.reject(serviceError('AccessDeniedException', 400, { message: `not authorized to perform: dynamodb:${missing}` }))
  })
}
