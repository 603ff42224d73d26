import { RowkeyError, show, type TableSchema } from '@rowkey/store'

/** What a model may say about its table on this store: `stores: { dynamodb: { provisioned: { read: 10, write: 5 } } }`. */
export interface DynamoDBHints {
  /** Capacity units per second, paid for whether they are used or not. Without it the table is billed by request. */
  readonly provisioned?: { readonly read: number; readonly write: number }
}

/** @throws RowkeyError `INVALID_OPTION` */
export function hintsOf({ name, stores }: TableSchema): DynamoDBHints {
  const given = stores['dynamodb'] ?? {}
  const refuse = (option: string, value: unknown, remedy: string): Error =>
    new RowkeyError('INVALID_OPTION', `in the model of '${name}', stores.${option} cannot be ${show(value)}. ${remedy}`, {
      option: `stores.${option}`,
      value: show(value),
    })
  if (!isObject(given)) throw refuse('dynamodb', given, 'Give an object.')
  const { provisioned, ...others } = given
  const [unknown] = Object.entries(others)
  if (unknown !== undefined) throw refuse(`dynamodb.${unknown[0]}`, unknown[1], `There is 'provisioned' only.`)
  if (provisioned === undefined) return {}
  if (isObject(provisioned) && Object.keys(provisioned).sort().join() === 'read,write') {
    const { read, write } = provisioned
    if (isUnits(read) && isUnits(write)) return { provisioned: { read, write } }
  }
  throw refuse('dynamodb.provisioned', provisioned, 'Give { read, write }, both integers from 1.')
}

const isObject = (given: unknown): given is Record<string, unknown> => typeof given === 'object' && given !== null && !Array.isArray(given)

const isUnits = (given: unknown): given is number => typeof given === 'number' && Number.isSafeInteger(given) && given >= 1
