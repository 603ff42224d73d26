import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { serviceError } from './middleware.js'

// What the service refuses, and emulators accept: without this, a test against an emulator says nothing about large requests.

const maxExpressionBytes = 4096
const maxOperators = 300
const maxIn = 100
const maxPlaceholderBytes = 255
const maxSubstitutionBytes = 2 * 1024 * 1024
const maxItemBytes = 400 * 1024
const maxTransactionBytes = 4 * 1024 * 1024

type Input = Readonly<Record<string, unknown>>
type Item = Readonly<Record<string, AttributeValue>>

const expressions = [
  'ConditionExpression',
  'UpdateExpression',
  'FilterExpression',
  'KeyConditionExpression',
  'ProjectionExpression',
] as const

/** The largest of what a client has sent. */
export interface Largest {
  bytes: number
  operators: number
}

interface Stack {
  add(middleware: (next: (args: object) => Promise<object>) => (args: { input: Input }) => Promise<object>, options: object): void
}

/** Makes a client refuse, before it sends anything, what the service would refuse for its size. */
export function limited<C extends DynamoDBClient>(client: C, largest: Largest = { bytes: 0, operators: 0 }): C {
  ;(client.middlewareStack as unknown as Stack).add(
    (next) => (args) => {
      refuse(args.input, largest)
      return next(args)
    },
    { step: 'initialize', name: 'limitsOfTheService', override: true },
  )
  return client
}

function refuse(input: Input, largest: Largest): void {
  for (const part of partsOf(input)) {
    for (const expression of expressions) {
      const text = part[expression]
      if (typeof text === 'string') refuseExpression(expression, text, largest)
    }
    refuseSubstitutions(part)
    for (const key of [part['Key'], part['Item']]) if (key !== undefined) refuseKey(key as Item)
    if (part['Item'] !== undefined && itemBytes(part['Item'] as Item) > maxItemBytes)
      throw invalid('Item size has exceeded the maximum allowed size')
  }
  refuseBatches(input)
}

/** The request, and what it consists of. */
function partsOf(input: Input): readonly Input[] {
  const items = (input['TransactItems'] ?? []) as readonly Readonly<Record<string, Input>>[]
  const batch = Object.values((input['RequestItems'] ?? {}) as Readonly<Record<string, unknown>>)
  return [
    input,
    ...items.flatMap((one) => Object.values(one)),
    ...batch.flatMap((one) => (Array.isArray(one) ? one.flatMap(Object.values) : one) as Input[]),
  ]
}

function refuseExpression(kind: (typeof expressions)[number], text: string, largest: Largest): void {
  const bytes = Buffer.byteLength(text)
  const operators = kind === 'ProjectionExpression' ? 0 : operatorsIn(kind, text)
  largest.bytes = Math.max(largest.bytes, bytes)
  largest.operators = Math.max(largest.operators, operators)
  if (bytes > maxExpressionBytes) {
    throw invalid(`Invalid ${kind}: Expression size has exceeded the maximum allowed size; expression size: ${bytes}`)
  }
  if (operators > maxOperators) {
    throw invalid(`Invalid ${kind}: The expression contains too many operators; operator count: ${operators}`)
  }
  for (const [, operands = ''] of text.matchAll(/ IN \(([^)]*)\)/g)) {
    const count = operands.split(',').length
    if (count > maxIn)
      throw invalid(`Invalid ${kind}: Invalid number of operands for operator or function; operator: IN, number of operands: ${count}`)
  }
  if (/\(\([^()]*(\([^()]*\)[^()]*)*\)\)/.test(text)) throw invalid(`Invalid ${kind}: The expression has redundant parentheses`)
}

/** The AND of a BETWEEN and the `=` of a SET count here, though they may not in the service. */
export function operatorsIn(kind: string, text: string): number {
  const words = text.match(
    /<>|<=|>=|[=<>+]| - |\b(AND|OR|NOT|IN|BETWEEN)\b|\b(attribute_exists|attribute_not_exists|attribute_type|begins_with|contains|size|if_not_exists|list_append)\b/g,
  )
  const operands = [...text.matchAll(/ IN \(([^)]*)\)/g)].reduce((sum, [, list = '']) => sum + list.split(',').length - 1, 0)
  return (words?.length ?? 0) + (kind === 'FilterExpression' ? operands : 0)
}

function refuseSubstitutions({ ExpressionAttributeNames = {}, ExpressionAttributeValues = {} }: Input): void {
  const names = Object.entries(ExpressionAttributeNames as Readonly<Record<string, string>>)
  const values = Object.entries(ExpressionAttributeValues as Item)
  let bytes = 0
  for (const [placeholder, name] of names) {
    if (Buffer.byteLength(placeholder) > maxPlaceholderBytes) throw invalid(`ExpressionAttributeNames contains invalid key: ${placeholder}`)
    bytes += placeholder.length + Buffer.byteLength(name)
  }
  for (const [placeholder, value] of values) {
    if (Buffer.byteLength(placeholder) > maxPlaceholderBytes)
      throw invalid(`ExpressionAttributeValues contains invalid key: ${placeholder}`)
    bytes += placeholder.length + valueBytes(value)
  }
  if (bytes > maxSubstitutionBytes) throw invalid('Expression attribute names and values are larger than 2 MB')
}

function refuseKey({ rk_p, rk_s, p, s }: Item): void {
  const [partition, sort] = [(rk_p ?? p)?.B?.length ?? 0, (rk_s ?? s)?.B?.length ?? 0]
  if (partition < 1 || partition > 2048 || sort < 1 || sort > 1024) throw invalid('One or more parameter values were invalid: Size of key')
}

function refuseBatches(input: Input): void {
  const transaction = (input['TransactItems'] ?? []) as readonly Readonly<Record<string, Input>>[]
  if (transaction.length > 100) throw invalid('Member must have length less than or equal to 100')
  const bytes = transaction
    .flatMap((one) => Object.values(one))
    .reduce((sum, { Item: item }) => sum + (item === undefined ? 0 : itemBytes(item as Item)), 0)
  if (bytes > maxTransactionBytes) throw invalid('Transaction payload cannot exceed 4 MB')
  const batch = Object.values((input['RequestItems'] ?? {}) as Readonly<Record<string, unknown>>)
  const [writes, keys] = [
    batch.flatMap((one): readonly unknown[] => (Array.isArray(one) ? one : [])),
    batch.flatMap((one) => (one as { Keys?: object[] }).Keys ?? []),
  ]
  if (writes.length > 25 || keys.length > 100) throw invalid('Too many items requested for the call')
}

const itemBytes = (item: Item): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0)

const valueBytes = ({ S, B, N }: AttributeValue): number =>
  S !== undefined ? Buffer.byteLength(S) : (B?.length ?? (N === undefined ? 1 : (N.length >> 1) + 1))

const invalid = (message: string): Error => Object.assign(serviceError('ValidationException', 400), { message })
