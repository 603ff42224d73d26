// Tested by batches.test.ts.
import { BatchGetItemCommand, GetItemCommand, type BatchGetItemCommandOutput } from '@aws-sdk/client-dynamodb'
import {
  inParallel,
  keyOf,
  type Mutation,
  pause,
  pauseMs,
  type ReadOptions,
  type Row,
  storeUnavailable,
  type WriteOptions,
} from 'rowkey/adapter'
import { checkedItem, checkedKey, isList, isMap } from './client/answers.js'
import { inRequest, unlogged } from './client/requests.js'
import type { TableContext } from './context.js'
import { badAnswer, onTable } from './errors.js'
import { addressOf, keyAttributes, keyParts, type Item, type KeyParts, type RowForm } from './keys.js'
import type { ItemReader } from './rows.js'

/** Max keys of one BatchGetItem. */
const maxKeys = 100
const batchesAtOnce = 4
/** Max attempts in a row in which the server returns no item. */
const attempts = 8

/** The rows of keys: one by GetItem, several by BatchGetItem, which costs the same per row. */
export async function getRows(table: TableContext, keys: readonly Row[], options: ReadOptions): Promise<readonly (Row | undefined)[]> {
  const { schema, form, format } = table
  const reader = format.reader(options.columns)
  const native = keys.map((key) => keyParts(form, schema.layout.encodeKey(key)))
  const [first] = native
  if (keys.length === 1) {
    const item = first === undefined ? undefined : await getItem(table, reader, first, options)
    return [item === undefined ? undefined : format.rowOf(keys[0] as Row, item, reader)]
  }
  const items = await getItems(
    table,
    reader,
    native.filter((key) => key !== undefined),
    options,
  )
  return keys.map((key, i) => {
    const at = native[i]
    const item = at === undefined ? undefined : items.get(addressOf(at))
    return item === undefined ? undefined : format.rowOf(key, item, reader)
  })
}

/** One item. The client repeats failed requests. @throws RowkeyError `TABLE_NOT_FOUND`, `STORE_UNAVAILABLE`, `ADAPTER_FAULT` */
async function getItem(
  { client, form, schema: { name } }: TableContext,
  { projection }: ItemReader,
  key: KeyParts,
  options: ReadOptions,
): Promise<Item | undefined> {
  const command = unlogged(
    new GetItemCommand({
      TableName: name,
      Key: keyAttributes(form, key),
      ConsistentRead: options.consistency === 'strong',
      ...projection,
    }),
  )
  const run = async (): Promise<Item | undefined> => {
    const { Item } = await inRequest(options, (request) => client.send(command, request))
    return Item === undefined ? undefined : checkedItem(name, form, Item, key)
  }
  return onTable(name, run, options.cancellation)
}

/** The item that a mutation is about, as it is now. @throws RowkeyError `TABLE_NOT_FOUND`, `STORE_UNAVAILABLE`, `ADAPTER_FAULT` */
export function currentItem(table: TableContext, mutation: Mutation, options: WriteOptions): Promise<Item | undefined> {
  const { format } = table
  return getItem(table, format.reader(), format.keyToWrite(keyOf(mutation)), { ...options, consistency: 'strong' })
}

async function getItems(
  table: TableContext,
  reader: ItemReader,
  keys: readonly KeyParts[],
  options: ReadOptions,
): Promise<ReadonlyMap<string, Item>> {
  const found = new Map<string, Item>()
  const chunks = Array.from({ length: Math.ceil(keys.length / maxKeys) }, (_, i) => keys.slice(i * maxKeys, (i + 1) * maxKeys))
  await onTable(
    table.schema.name,
    () => inParallel(chunks, batchesAtOnce, (chunk) => getChunk(table, reader, chunk, found, options)),
    options.cancellation,
  )
  return found
}

async function getChunk(
  { client, form, schema: { name } }: TableContext,
  { projection }: ItemReader,
  keys: readonly KeyParts[],
  found: Map<string, Item>,
  options: ReadOptions,
): Promise<void> {
  const read = { ConsistentRead: options.consistency === 'strong', ...projection }
  let left = new Map(keys.map((key) => [addressOf(key), key]))
  for (let attempt = 1; ; attempt++) {
    const command = unlogged(
      new BatchGetItemCommand({ RequestItems: { [name]: { ...read, Keys: [...left.values()].map((key) => keyAttributes(form, key)) } } }),
    )
    const answer = await inRequest(options, (request) => client.send(command, request))
    const unprocessed = takeAnswer(name, form, answer, left, found)
    if (unprocessed.size === 0) return
    if (unprocessed.size < left.size) attempt = 1 // it makes progress
    if (attempt >= attempts) {
      const what = `it returned ${unprocessed.size} keys of '${name}' as unprocessed ${attempts} times in a row`
      throw storeUnavailable('dynamodb', 'refused', new Error(what))
    }
    await pause(pauseMs(attempt, Math.random), options.cancellation)
    left = unprocessed
  }
}

/** Adds the items of an answer to those found. Returns what is unprocessed. @throws RowkeyError `ADAPTER_FAULT` */
function takeAnswer(
  table: string,
  form: RowForm,
  { Responses, UnprocessedKeys = {} }: BatchGetItemCommandOutput,
  asked: ReadonlyMap<string, KeyParts>,
  found: Map<string, Item>,
): Map<string, KeyParts> {
  const unprocessed = new Map<string, KeyParts>()
  if (!isMap(Responses) || !isMap(UnprocessedKeys)) throw badAnswer(table, 'a batch without items')
  for (const part of [Responses, UnprocessedKeys])
    if (Object.keys(part).some((name) => name !== table)) throw badAnswer(table, 'items of another table')
  const { Keys = [] } = own(UnprocessedKeys, table) ?? {}
  const items = own(Responses, table) ?? []
  if (!isList(items) || !isList(Keys)) throw badAnswer(table, 'a batch whose items are not a list')
  for (const item of items) {
    const address = addressOf(checkedKey(table, form, item))
    if (!asked.has(address) || found.has(address)) throw badAnswer(table, 'an item that was not requested, or twice the same')
    found.set(address, item)
  }
  for (const key of Keys) {
    const address = addressOf(checkedKey(table, form, key))
    const wanted = asked.get(address)
    if (wanted === undefined || found.has(address))
      throw badAnswer(table, 'an unprocessed key that was not requested, or whose item is there')
    unprocessed.set(address, wanted)
  }
  return unprocessed
}

/** A table may be called constructor. */
const own = <T>(map: Readonly<Record<string, T>>, table: string): T | undefined => (Object.hasOwn(map, table) ? map[table] : undefined)
