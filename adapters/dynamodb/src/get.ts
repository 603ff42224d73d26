// Tested by batches.test.ts.
import { BatchGetItemCommand, GetItemCommand, type BatchGetItemCommandOutput, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { inParallel, keyOf, pause, pauseMs, storeUnavailable } from '@rowkey/store/adapter'
import type { Mutation, ReadOptions, Row, WriteOptions } from '@rowkey/store/adapter'
import { checkedItem, isList, isMap } from './client/answers.js'
import { inRequest, unlogged } from './client/requests.js'
import { badAnswer, onTable } from './errors.js'
import { addressOf, itemKey, type ItemKey, type Item } from './keys.js'
import type { ItemFormat, ItemReader } from './rows.js'

/** Max keys of one BatchGetItem. */
const maxKeys = 100
const batchesAtOnce = 4
/** Max attempts in a row in which the server returns no item. */
const attempts = 8

/** What a read by key needs. */
interface Asked {
  readonly client: DynamoDBClient
  readonly format: ItemFormat
  readonly reader: ItemReader
  readonly options: ReadOptions
}

/** The rows of keys: one by GetItem, several by BatchGetItem, which costs the same per row. */
export async function getRows(asked: Asked, keys: readonly Row[]): Promise<readonly (Row | undefined)[]> {
  const { format, reader } = asked
  const native = keys.map((key) => itemKey(format.schema.layout.encodeKey(key)))
  const [first] = native
  if (keys.length === 1) {
    const item = first === undefined ? undefined : await getItem(asked, first)
    return [item === undefined ? undefined : format.rowOf(keys[0] as Row, item, reader)]
  }
  const items = await getItems(
    asked,
    native.filter((key) => key !== undefined),
  )
  return keys.map((key, i) => {
    const at = native[i]
    const item = at === undefined ? undefined : items.get(addressOf(at.p.B, at.s.B))
    return item === undefined ? undefined : format.rowOf(key, item, reader)
  })
}

/** One item. The client repeats failed requests. @throws RowkeyError `TABLE_NOT_FOUND`, `STORE_UNAVAILABLE`, `ADAPTER_FAULT` */
async function getItem({ client, format, reader, options }: Asked, key: ItemKey): Promise<Item | undefined> {
  const { name } = format.schema
  const command = unlogged(
    new GetItemCommand({ TableName: name, Key: key, ConsistentRead: options.consistency === 'strong', ...reader.projection }),
  )
  return onTable(name, async () => {
    const { Item } = await inRequest(options, (request) => client.send(command, request))
    return Item === undefined ? undefined : checkedItem(name, Item, key)
  })
}

/** The item that a mutation is about, as it is now. @throws RowkeyError `TABLE_NOT_FOUND`, `STORE_UNAVAILABLE`, `ADAPTER_FAULT` */
export function currentItem(
  client: DynamoDBClient,
  { mutation, format }: { readonly mutation: Mutation; readonly format: ItemFormat },
  options: WriteOptions,
): Promise<Item | undefined> {
  const read = { ...options, consistency: 'strong' as const }
  return getItem({ client, format, reader: format.reader(), options: read }, format.keyToWrite(keyOf(mutation)))
}

/** Identifies an item of an answer. */
const addressIn = ({ p, s }: Item): string => addressOf(p?.B as Uint8Array, s?.B as Uint8Array)

async function getItems(asked: Asked, keys: readonly ItemKey[]): Promise<ReadonlyMap<string, Item>> {
  const found = new Map<string, Item>()
  const chunks = Array.from({ length: Math.ceil(keys.length / maxKeys) }, (_, i) => keys.slice(i * maxKeys, (i + 1) * maxKeys))
  await onTable(asked.format.schema.name, () => inParallel(chunks, batchesAtOnce, (chunk) => getChunk(asked, chunk, found)))
  return found
}

async function getChunk({ client, format, reader, options }: Asked, keys: readonly ItemKey[], found: Map<string, Item>): Promise<void> {
  const { name } = format.schema
  const read = { ConsistentRead: options.consistency === 'strong', ...reader.projection }
  let left = new Map(keys.map((key) => [addressIn(key), key]))
  for (let attempt = 1; ; attempt++) {
    const command = unlogged(new BatchGetItemCommand({ RequestItems: { [name]: { ...read, Keys: [...left.values()] } } }))
    const answer = await inRequest(options, (request) => client.send(command, request))
    const unprocessed = takeAnswer(name, answer, left, found)
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
  { Responses, UnprocessedKeys = {} }: BatchGetItemCommandOutput,
  asked: ReadonlyMap<string, ItemKey>,
  found: Map<string, Item>,
): Map<string, ItemKey> {
  const unprocessed = new Map<string, ItemKey>()
  if (!isMap(Responses) || !isMap(UnprocessedKeys)) throw badAnswer(table, 'a batch without items')
  for (const part of [Responses, UnprocessedKeys])
    if (Object.keys(part).some((name) => name !== table)) throw badAnswer(table, 'items of another table')
  const { Keys = [] } = own(UnprocessedKeys, table) ?? {}
  const items = own(Responses, table) ?? []
  if (!isList(items) || !isList(Keys)) throw badAnswer(table, 'a batch whose items are not a list')
  for (const item of items) {
    const address = addressIn(checkedItem(table, item))
    if (!asked.has(address) || found.has(address)) throw badAnswer(table, 'an item that was not requested, or twice the same')
    found.set(address, item)
  }
  for (const key of Keys) {
    const address = addressIn(checkedItem(table, key))
    const wanted = asked.get(address)
    if (wanted === undefined || found.has(address))
      throw badAnswer(table, 'an unprocessed key that was not requested, or whose item is there')
    unprocessed.set(address, wanted)
  }
  return unprocessed
}

/** A table may be called constructor. */
const own = <T>(map: Readonly<Record<string, T>>, table: string): T | undefined => (Object.hasOwn(map, table) ? map[table] : undefined)
