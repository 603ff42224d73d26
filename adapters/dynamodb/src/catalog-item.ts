import { GetItemCommand, type DynamoDBClient, type PutItemCommandInput } from '@aws-sdk/client-dynamodb'
import type { TableCatalog } from '@rowkey/store'
import { corrupt, isNamed } from './errors.js'
import { checkKeySchema, describe } from './native-table.js'
import { catalogKey } from './keys.js'

/** Where the item of a table that has no row's key holds what is known of the table, as JSON. */
const catalogAttribute = 'rk_catalog'

/** A catalog as it is stored. */
export interface StoredCatalog {
  readonly catalog: TableCatalog
  readonly text: string
}

/**
 * The catalog of a table: 'absent' without a table that can be read, 'bare' where the table has none yet.
 *
 * @throws RowkeyError `SCHEMA_MISMATCH` for a table with another key, `CORRUPT_ROW`
 */
export async function readCatalog(client: DynamoDBClient, table: string): Promise<StoredCatalog | 'absent' | 'bare'> {
  try {
    const { Item } = await client.send(new GetItemCommand({ TableName: table, Key: catalogKey, ConsistentRead: true }))
    if (Item === undefined) return 'bare'
    const text = Item[catalogAttribute]?.S
    const catalog = text === undefined ? undefined : parsed(text)
    if (text === undefined || catalog === undefined) throw corrupt(table, catalogAttribute, 'holds no catalog')
    return { catalog, text }
  } catch (error) {
    if (isNamed(error, 'ResourceNotFoundException')) return 'absent'
    // What is asked with a key of another form is refused as such.
    const found = isNamed(error, 'ValidationException') ? await describe(client, table) : undefined
    if (found !== undefined) checkKeySchema(table, found)
    throw error
  }
}

/** What stores a catalog, unless another one is there than the one that was `found`. */
export function catalogPut(table: string, catalog: TableCatalog, found: StoredCatalog | undefined): PutItemCommandInput {
  const Item = { ...catalogKey, [catalogAttribute]: { S: JSON.stringify(catalog) } }
  if (found === undefined) {
    return { TableName: table, Item, ConditionExpression: 'attribute_not_exists(#p)', ExpressionAttributeNames: { '#p': 'p' } }
  }
  return {
    TableName: table,
    Item,
    ConditionExpression: '#c = :found',
    ExpressionAttributeNames: { '#c': catalogAttribute },
    ExpressionAttributeValues: { ':found': { S: found.text } },
  }
}

function parsed(text: string): TableCatalog | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isCatalog = typeof value === 'object' && value !== null && 'schema' in value && 'values' in value && Array.isArray(value.values)
    return isCatalog ? (value as TableCatalog) : undefined
  } catch {
    return undefined
  }
}
