import type { Mutation } from '@rowkey/store'
import type { Item } from './item-format.js'

/** A condition as DynamoDB takes it. */
export interface Condition {
  readonly text: string
  readonly names: Record<string, string>
  readonly values: Item
}

/** What must hold for a mutation; undefined: it is applied whatever is there. A row that has expired is no row. */
export function conditionOf({ kind, schema, version }: Mutation, now: number): Condition | undefined {
  if (version === undefined && (kind === 'put' || kind === 'delete')) return undefined
  const expires = schema.expiryAt >= 0
  const names = { '#p': 'p', ...(expires ? { '#e': 'rk_expires' } : {}) }
  const values: Item = expires ? { ':now': { N: String(now) } } : {}
  if (kind === 'insert') return { text: `attribute_not_exists(#p)${expires ? ' OR #e <= :now' : ''}`, names, values }
  const isThere = `attribute_exists(#p)${expires ? ' AND (attribute_not_exists(#e) OR #e > :now)' : ''}`
  if (version === undefined) return { text: isThere, names, values }
  return {
    text: `${isThere} AND #v = :version`,
    names: { ...names, '#v': 'rk_version' },
    values: { ...values, ':version': { S: version } },
  }
}

/** The parameters of a command. */
export function conditionInput(condition: Condition | undefined): {
  ConditionExpression?: string
  ExpressionAttributeNames?: Record<string, string>
  ExpressionAttributeValues?: Item
  ReturnValuesOnConditionCheckFailure?: 'ALL_OLD'
} {
  if (condition === undefined) return {}
  const { text, names, values } = condition
  return {
    ConditionExpression: text,
    ExpressionAttributeNames: names,
    ...(Object.keys(values).length === 0 ? {} : { ExpressionAttributeValues: values }), // an empty map is refused
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  }
}
