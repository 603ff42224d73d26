import { checkForStore, knownStores, type Definition, type StoreWithDdl } from 'rowkey/adapter'
import type { DynamoDBCode } from './advice.js'
import { capabilitiesOf } from './capabilities.js'
import { ddl, type DynamoDBStatement } from './ddl.js'
import { checkOptions, hints, name, names, type DynamoDBOptions } from './options.js'
import { opening } from './url.js'

type DynamoDBStore = StoreWithDdl<DynamoDBOptions, Definition<DynamoDBStatement, DynamoDBCode>>

/**
 * DynamoDB without a client: what that of Amazon can do and accepts, and the definition of a table in it. Of the options, `nativeTtl` matters
 * to the definition. An adapter with `transactions: false` has smaller capabilities.
 *
 * @example
 * ```ts
 * dynamodbStore.ddl(Orders).text // aws dynamodb create-table …
 * ```
 */
export const dynamodbStore: Required<Omit<DynamoDBStore, 'widens'>> = Object.freeze({
  name,
  capabilities: capabilitiesOf(true),
  hints,
  names,
  facts: knownStores.dynamodb,
  opening,
  ddl(schema, options = {}) {
    const { nativeTtl } = checkOptions(options)
    checkForStore(dynamodbStore, schema)
    return ddl(schema, nativeTtl)
  },
} satisfies DynamoDBStore)
