import type { Delete, Put, Update } from '@aws-sdk/client-dynamodb'
import { keyOf, type Mutation } from '@rowkey/store/adapter'
import type { Item, ItemFormat } from './rows.js'

/** A mutation as a request to DynamoDB, which is the same alone and in a transaction. */
export type NativeRequest = { readonly mutation: Mutation; readonly format: ItemFormat; readonly isConditional: boolean } & (
  { readonly put: Put } | { readonly update: Update & { UpdateExpression: string | undefined } } | { readonly remove: Delete }
)

/** @throws RowkeyError `LIMIT_EXCEEDED` */
export function requestOf(mutation: Mutation, format: ItemFormat, now: number): NativeRequest {
  const { kind, row, schema } = mutation
  const condition = conditionOf(mutation, now)
  const common = { mutation, format, isConditional: condition !== undefined }
  const TableName = schema.name
  if (kind === 'delete') {
    return { ...common, remove: { TableName, Key: format.keyToWrite(keyOf(mutation)), ...conditionInput(condition) } }
  }
  if (kind !== 'update') return { ...common, put: { TableName, Item: format.encode(row, keyOf(mutation)), ...conditionInput(condition) } }
  const { text, names, values } = updateOf(format.changes(row, mutation.set))
  const { text: isThere, names: asked, values: operands } = condition as Condition
  const whole: Condition = { text: isThere, names: { ...asked, ...names }, values: { ...operands, ...values } }
  return {
    ...common,
    update: { TableName, Key: format.keyToWrite(keyOf(mutation)), UpdateExpression: text, ...conditionInput(whole) },
  }
}

/** `SET #0 = :0, … REMOVE #1, …`; no text if nothing changes. */
function updateOf(changes: ReturnType<ItemFormat['changes']>): {
  readonly text: string | undefined
  readonly names: Record<string, string>
  readonly values: Item
} {
  const names: Record<string, string> = {}
  const values: Item = {}
  const set: string[] = []
  const removed: string[] = []
  changes.forEach(([name, attribute], i) => {
    names[`#${i}`] = name
    if (attribute === undefined) removed.push(`#${i}`)
    else {
      values[`:${i}`] = attribute
      set.push(`#${i} = :${i}`)
    }
  })
  const parts = [set.length === 0 ? [] : [`SET ${set.join()}`], removed.length === 0 ? [] : [`REMOVE ${removed.join()}`]].flat()
  return { text: parts.length === 0 ? undefined : parts.join(' '), names, values }
}

/** A condition in the form of DynamoDB. */
interface Condition {
  readonly text: string
  readonly names: Record<string, string>
  readonly values: Item
}

/** The condition of a mutation; undefined = none. For a condition, an expired row does not exist. */
function conditionOf({ kind, schema, version }: Mutation, now: number): Condition | undefined {
  if (version === undefined && (kind === 'put' || kind === 'delete')) return undefined
  const expires = schema.expiryIndex >= 0
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

/** A condition as parameters of a command. */
function conditionInput(condition: Condition | undefined): {
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
    ...(Object.keys(values).length === 0 ? {} : { ExpressionAttributeValues: values }), // DynamoDB refuses an empty map
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  }
}
