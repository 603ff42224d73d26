import { BatchGetItemCommand, GetItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { inParallel, latin1String, pause, pauseMs, storeUnavailable, type ReadOptions, type Row } from '@rowkey/store/adapter'
import { inRequest, unlogged } from './client/requests.js'
import { itemKey, type ItemKey } from './keys.js'
import type { Item, ItemFormat, ItemReader } from './rows.js'

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

/** One item. The client repeats failed requests. */
export async function getItem({ client, format, reader, options }: Asked, key: ItemKey): Promise<Item | undefined> {
  const command = unlogged(
    new GetItemCommand({
      TableName: format.schema.name,
      Key: key,
      ConsistentRead: options.consistency === 'strong',
      ...reader.projection,
    }),
  )
  const { Item } = await inRequest(options, (request) => client.send(command, request))
  return Item
}

/** Identifies an item. Partition keys are prefix-free, so the concatenation is unique. */
export const addressOf = (p: Uint8Array, s: Uint8Array): string => latin1String(p) + latin1String(s)

async function getItems(asked: Asked, keys: readonly ItemKey[]): Promise<ReadonlyMap<string, Item>> {
  const found = new Map<string, Item>()
  const chunks = Array.from({ length: Math.ceil(keys.length / maxKeys) }, (_, i) => keys.slice(i * maxKeys, (i + 1) * maxKeys))
  await inParallel(chunks, batchesAtOnce, (chunk) => getChunk(asked, chunk, found))
  return found
}

async function getChunk({ client, format, reader, options }: Asked, keys: readonly ItemKey[], found: Map<string, Item>): Promise<void> {
  const { name } = format.schema
  const read = { ConsistentRead: options.consistency === 'strong', ...reader.projection }
  let left: Item[] = [...keys]
  for (let attempt = 1; ; attempt++) {
    const command = unlogged(new BatchGetItemCommand({ RequestItems: { [name]: { ...read, Keys: left } } }))
    const { Responses, UnprocessedKeys } = await inRequest(options, (request) => client.send(command, request))
    for (const item of Object.values(Responses ?? {}).flat())
      found.set(addressOf(item['p']?.B as Uint8Array, item['s']?.B as Uint8Array), item)
    const unprocessed = UnprocessedKeys?.[name]?.Keys ?? []
    if (unprocessed.length === 0) return
    if (unprocessed.length < left.length) attempt = 1 // it makes progress
    if (attempt >= attempts) {
      const left = unprocessed.length
      throw storeUnavailable(
        'dynamodb',
        'refused',
        new Error(`it returned ${left} keys of '${name}' as unprocessed ${attempts} times in a row`),
      )
    }
    await pause(pauseMs(attempt, Math.random), options.cancellation)
    left = unprocessed
  }
}
