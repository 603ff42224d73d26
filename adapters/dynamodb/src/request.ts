import type { Delete, Put, Update } from '@aws-sdk/client-dynamodb'
import type { Mutation } from '@rowkey/store'
import { conditionInput, conditionOf, type Condition } from './conditions.js'
import type { Item, ItemFormat } from './item-format.js'

/** A mutation as DynamoDB is asked for it, alone and in a transaction alike. */
export type Request = { readonly mutation: Mutation; readonly format: ItemFormat; readonly isConditional: boolean } & (
  { readonly put: Put } | { readonly update: Update & { UpdateExpression: string | undefined } } | { readonly remove: Delete }
)

/** @throws RowkeyError `LIMIT_EXCEEDED` */
export function requestOf(mutation: Mutation, format: ItemFormat, now: number): Request {
  const { kind, row, schema } = mutation
  const condition = conditionOf(mutation, now)
  const common = { mutation, format, isConditional: condition !== undefined }
  const TableName = schema.name
  if (kind === 'delete') {
    return { ...common, remove: { TableName, Key: format.keyToWrite(row), ...conditionInput(condition) } }
  }
  if (kind !== 'update') return { ...common, put: { TableName, Item: format.encode(row), ...conditionInput(condition) } }
  const { text, names, values } = updateOf(format.changes(row, mutation.set))
  const { text: isThere, names: asked, values: operands } = condition as Condition
  const whole: Condition = { text: isThere, names: { ...asked, ...names }, values: { ...operands, ...values } }
  return {
    ...common,
    update: { TableName, Key: format.keyToWrite(row), UpdateExpression: text, ...conditionInput(whole) },
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
