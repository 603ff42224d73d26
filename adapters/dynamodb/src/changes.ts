// Tested by conditions.test.ts and wide-tables.test.ts.
import type { Delete, Put, Update } from '@aws-sdk/client-dynamodb'
import { isUnconditional, keyOf, startOf, summable, sumOf, type Mutation, type Row, type SchemaColumn } from 'rowkey/adapter'
import { allOf, fitsCondition, fitsUpdate, type Expression } from './client/expression.js'
import type { TableContext } from './context.js'
import type { Item, RowForm } from './keys.js'
import type { ItemFormat } from './rows.js'

/** A mutation as a request to DynamoDB, which is the same alone and in a transaction. */
export type NativeRequest = {
  readonly mutation: Mutation
  readonly table: TableContext
  readonly isConditional: boolean
  /** Whether it was computed from an item that was read: then a failed condition only means that the item has changed since. */
  readonly isComputed?: boolean
  /** The row that was read, if the mutation leaves it as it is. */
  readonly unchanged?: Row
  /** Whether an expression of it is more than the service accepts. Then the change has to be computed. */
  readonly isTooLarge?: boolean
} & ({ readonly put: Put } | { readonly update: Update & { UpdateExpression: string | undefined } } | { readonly remove: Delete })

/**
 * @param seen what must still be so in the existing item, besides what the mutation requires. Without any part, the item must exist.
 * @throws RowkeyError `LIMIT_EXCEEDED`
 */
export function requestOf(mutation: Mutation, table: TableContext, now: number, seen?: readonly Expression[]): NativeRequest {
  const { kind, row, schema } = mutation
  const { form, format } = table
  const added = kind === 'update' ? additionsOf(mutation, format) : undefined
  const others = seen === undefined && added === undefined ? undefined : [...(seen ?? []), ...(added?.conditions ?? [])]
  const condition = conditionOf(form, mutation, now, others)
  const common = { mutation, table, isConditional: condition !== undefined }
  const TableName = schema.name
  if (kind === 'delete') {
    return { ...common, remove: { TableName, Key: format.keyAttributes(keyOf(mutation)), ...conditionInput(condition) } }
  }
  if (kind !== 'update') return { ...common, put: { TableName, Item: format.encode(row, keyOf(mutation)), ...conditionInput(condition) } }
  const change = updateOf(format.changes(row, mutation.set), added?.set)
  const isThere = condition as Expression
  const whole: Expression = { ...isThere, names: { ...isThere.names, ...change?.names }, values: { ...isThere.values, ...change?.values } }
  return {
    ...common,
    ...(fitsCondition(isThere) && (change === undefined || fitsUpdate(change)) ? {} : { isTooLarge: true }),
    update: { TableName, Key: format.keyAttributes(keyOf(mutation)), UpdateExpression: change?.text, ...conditionInput(whole) },
  }
}

/** The attribute by which a change with a large condition knows its item: see `marks.ts`. Every change of an item removes it. */
export const markAttribute = 'rk_mark'
/** The attribute of the version. */
export const versionAttribute = 'rk_version'

/** `SET #0 = :0, … REMOVE #1, …`; undefined if nothing changes. Whether the service counts `=` here is not known, so it is counted. */
function updateOf(changes: ReturnType<ItemFormat['changes']>, added: readonly string[] = []): Expression | undefined {
  const names: Record<string, string> = {}
  const values: Item = {}
  const set = [...added]
  const removed: string[] = []
  changes.forEach(([name, attribute], i) => {
    names[`#${i}`] = name
    if (attribute === undefined) removed.push(`#${i}`)
    else {
      values[`:${i}`] = attribute
      set.push(`#${i} = :${i}`)
    }
  })
  if (set.length + removed.length === 0) return undefined
  names['#m'] = markAttribute
  removed.push('#m')
  const text = `${set.length === 0 ? '' : `SET ${set.join()} `}REMOVE ${removed.join()}`
  return { text, operators: set.length + 2 * added.length, names, values }
}

/**
 * The condition of a mutation; undefined = none. For a condition, an expired row does not exist.
 *
 * @param others what else must hold; with a list, even without a part, the item must exist
 */
function conditionOf(form: RowForm, mutation: Mutation, now: number, others: readonly Expression[] | undefined): Expression | undefined {
  const { kind, schema, version } = mutation
  if (isUnconditional(mutation) && others === undefined) return undefined
  const expires = schema.expiryIndex >= 0
  const names = { '#p': form.partition, ...(expires ? { '#e': 'rk_expires' } : {}) }
  const values: Item = expires ? { ':now': { N: String(now) } } : {}
  if (kind === 'insert')
    return { text: `attribute_not_exists(#p)${expires ? ' OR #e <= :now' : ''}`, operators: expires ? 3 : 1, names, values }
  const isThere = `attribute_exists(#p)${expires ? ' AND (attribute_not_exists(#e) OR #e > :now)' : ''}`
  const versioned =
    version === undefined
      ? []
      : [{ text: '#v = :version', operators: 1, names: { '#v': versionAttribute }, values: { ':version': { S: version } } }]
  return allOf([{ text: isThere, operators: expires ? 5 : 1, names, values }, ...versioned, ...(others ?? [])])
}

/**
 * The additions of an update: how they are set, and the condition that no sum is outside of its column. A server adds numbers of 38 digits
 * exactly.
 */
function additionsOf(
  { schema, additions = [] }: Extract<Mutation, { kind: 'update' }>,
  format: ItemFormat,
): { readonly set: readonly string[]; readonly conditions: readonly Expression[] } | undefined {
  if (additions.length === 0) return undefined
  const set: string[] = []
  const conditions = additions.map(({ column: at, by }, i): Expression => {
    const column = schema.columns[at] as SchemaColumn
    const [name, amount, start, least, most] = [`#a${i}`, `:a${i}`, `:a${i}from`, `:a${i}least`, `:a${i}most`]
    set.push(`${name} = if_not_exists(${name}, ${start}) + ${amount}`)
    const { from, to } = summable(column, by)
    const within = `(${name} >= ${least} AND ${name} <= ${most})`
    const startsOutside = sumOf(column, null, by) === undefined
    const text = startsOutside ? within : `(attribute_not_exists(${name}) OR ${within})`
    const values: Item = {
      [amount]: { N: String(by) },
      [start]: format.attribute(at, startOf(column)),
      [least]: { N: from },
      [most]: { N: to },
    }
    return { text, operators: startsOutside ? 3 : 5, names: { [name]: column.physical }, values }
  })
  return { set, conditions }
}

/** Equality with the attributes of an item that was read, or their absence. */
export function sameAs(item: Item, names: readonly string[]): readonly Expression[] {
  return names.map((physical, i): Expression => {
    const attribute = Object.hasOwn(item, physical) ? item[physical] : undefined
    const common = { operators: 1, names: { [`#s${i}`]: physical } }
    if (attribute === undefined) return { ...common, text: `attribute_not_exists(#s${i})`, values: {} }
    // Compatible servers refuse empty operands, or compare sizes wrongly. Only an empty value is less than one zero.
    if (attribute.S?.length === 0) return { ...common, text: `#s${i} < :s${i}`, values: { [`:s${i}`]: { S: '\0' } } }
    if (attribute.B?.length === 0) return { ...common, text: `#s${i} < :s${i}`, values: { [`:s${i}`]: { B: new Uint8Array(1) } } }
    return { ...common, text: `#s${i} = :s${i}`, values: { [`:s${i}`]: attribute } }
  })
}

/** A condition as parameters of a command. */
function conditionInput(condition: Expression | undefined): {
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
