import type { CreateTableCommandInput, PutItemCommandInput, UpdateTimeToLiveCommandInput } from '@aws-sdk/client-dynamodb'
import {
  catalogToJSON,
  findingText,
  newCatalog,
  schemaLines,
  showNames,
  visible,
  type Definition,
  type TableCatalog,
  type TableSchema,
} from 'rowkey/adapter'
import { warningsOf, type DynamoDBCode } from './advice.js'
import { catalogKey, keyAttributes, rowkeyForm, withForm, type RowForm } from './keys.js'
import { dynamodbHints } from './options.js'
import { ttlAttribute } from './rows.js'

/** A call of DynamoDB: the name of its operation and its input. */
export type DynamoDBStatement =
  | { readonly operation: 'CreateTable'; readonly input: CreateTableCommandInput }
  | { readonly operation: 'UpdateTimeToLive'; readonly input: UpdateTimeToLiveCommandInput }
  | { readonly operation: 'PutItem'; readonly input: PutItemCommandInput }

/** What `ensureTable` does for a schema, ready to be sent. */
export interface TableDefinition {
  readonly create: CreateTableCommandInput
  /** For tables whose rows can expire. */
  readonly ttl: UpdateTimeToLiveCommandInput | undefined
  readonly catalog: TableCatalog
}

/** @throws RowkeyError `INVALID_OPTION`, `NOT_SUPPORTED` */
export function definitionOf(schema: TableSchema, nativeTtl: boolean): TableDefinition {
  const { provisioned } = dynamodbHints(schema)
  const { partition, sort } = rowkeyForm
  const create: CreateTableCommandInput = {
    TableName: schema.name,
    AttributeDefinitions: [
      { AttributeName: partition, AttributeType: 'B' },
      { AttributeName: sort, AttributeType: 'B' },
    ],
    KeySchema: [
      { AttributeName: partition, KeyType: 'HASH' },
      { AttributeName: sort, KeyType: 'RANGE' },
    ],
    ...(provisioned === undefined
      ? { BillingMode: 'PAY_PER_REQUEST' }
      : {
          BillingMode: 'PROVISIONED',
          ProvisionedThroughput: { ReadCapacityUnits: provisioned.read, WriteCapacityUnits: provisioned.write },
        }),
  }
  const ttl =
    schema.expiryIndex >= 0 && nativeTtl
      ? { TableName: schema.name, TimeToLiveSpecification: { Enabled: true, AttributeName: ttlAttribute } }
      : undefined
  return { create, ttl, catalog: withForm(newCatalog(schema), rowkeyForm) }
}

/** The definition of a table, as data and as text. @throws RowkeyError `INVALID_OPTION`, `NOT_SUPPORTED` */
export function ddl(schema: TableSchema, nativeTtl: boolean): Definition<DynamoDBStatement, DynamoDBCode> {
  const { create, ttl, catalog } = definitionOf(schema, nativeTtl)
  const put = catalogPut(schema.name, rowkeyForm, catalog, undefined)
  const statements: readonly DynamoDBStatement[] = [
    { operation: 'CreateTable', input: create },
    ...(ttl === undefined ? [] : [{ operation: 'UpdateTimeToLive', input: ttl } as const]),
    { operation: 'PutItem', input: put },
  ]
  const commands = [
    [...createComments(schema), command('create-table', create)],
    ttl === undefined ? [] : [...ttlComments, command('update-time-to-live', ttl)],
    [...catalogComments, ...schemaLines(schema).map((line) => `#   ${line}`), command('put-item', put)],
  ]
  const warnings = warningsOf(schema)
  const warned = warnings.map((warning) => `# Warning: ${findingText(warning)}`)
  return { statements, text: [...warned, ...commands.flat()].join('\n'), warnings }
}

function createComments(schema: TableSchema): readonly string[] {
  const { buckets } = schema.layout
  const partition = schema.columns.slice(0, schema.partitionLength).map(({ physical }) => physical)
  const rest = schema.columns.slice(schema.partitionLength, schema.keyLength).map(({ physical }) => physical)
  const parts = [...(buckets > 1 ? [`the bucket (${buckets})`] : []), ...partition]
  return [
    `# rk_p: 01, then ${parts.length === 0 ? 'nothing, the same for all rows' : showNames(parts)}. Items with the same rk_p are sorted by rk_s. The byte 01 is there because DynamoDB refuses an empty rk_p.`,
    `# rk_s: 01, then ${rest.length === 0 ? 'nothing, because each row has an rk_p of its own' : showNames(rest)}.`,
    '# Each other column is an attribute with its name. DynamoDB does not declare these.',
  ]
}

const ttlComments = [
  `# DynamoDB deletes items some time after ${ttlAttribute} (seconds, rounded up). Until then, reads skip them by rk_expires (milliseconds).`,
]
const catalogComments = ['# The catalog of the table, in an item whose key no row has. ensureTables() writes it too:']

/** A command of the AWS CLI. Bytes are in base64, as it expects them. */
function command(name: string, input: object): string {
  const json = JSON.stringify(input, (_, value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value))
  return `aws dynamodb ${name} --cli-input-json ${shellWord(json)}`
}

/**
 * JSON as one argument for a shell. Characters that a terminal would obey are escaped as JSON does it, so the data stays the same.
 *
 * @example
 * ```ts
 * shellWord('{"a":"it\'s"}') //=> `'{"a":"it'\\''s"}'`
 * ```
 */
export const shellWord = (json: string): string => `'${visible(json).replaceAll("'", `'\\''`)}'`

/** The attribute that contains the catalog as JSON, in the item with {@link catalogKey}. */
export const catalogAttribute = 'rk_catalog'

/** The request that stores a catalog. Its condition: the stored catalog is still the text `found`. */
export function catalogPut(table: string, form: RowForm, catalog: TableCatalog, found: string | undefined): PutItemCommandInput {
  const Item = { ...keyAttributes(form, catalogKey), [catalogAttribute]: { S: JSON.stringify(catalogToJSON(catalog)) } }
  if (found === undefined) {
    return {
      TableName: table,
      Item,
      ConditionExpression: 'attribute_not_exists(#p)',
      ExpressionAttributeNames: { '#p': form.partition },
    }
  }
  return {
    TableName: table,
    Item,
    ConditionExpression: '#c = :found',
    ExpressionAttributeNames: { '#c': catalogAttribute },
    ExpressionAttributeValues: { ':found': { S: found } },
  }
}
