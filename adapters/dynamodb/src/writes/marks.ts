// Tested by wide-tables.test.ts.
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { keyOf, type Mutation, type WriteOptions } from 'rowkey/adapter'
import { randomUUID } from 'node:crypto'
import { checkedItem, isMap } from '../client/answers.js'
import { markAttribute, sameAs, versionAttribute } from '../changes.js'
import { inRequest, unlogged } from '../client/requests.js'
import type { TableContext } from '../context.js'
import { badAnswer, isNamed, onTable } from '../errors.js'
import { fitsBesides, type Expression } from '../client/expression.js'
import { currentItem } from '../get.js'
import { keyAttributes, type Item } from '../keys.js'

/** An item, and by what a change that is computed from it sees that it is still the same. */
export interface Seen {
  /** undefined if there is none. */
  readonly item: Item | undefined
  readonly same: readonly Expression[]
}

/**
 * Reads the item of a change.
 *
 * Usually it is the same if all attributes from which the change is computed are. Equality with a hundred attributes is more than the service
 * accepts of one condition. Then it is the same if it still has its version, or else its mark. Every change of an item removes the mark, and
 * a mark that is there stays until then. So all who want to change an item share its mark, and one of them wins.
 *
 * @param names the attributes from which the change is computed
 * @throws RowkeyError `TABLE_NOT_FOUND`, `STORE_UNAVAILABLE`, `ADAPTER_FAULT`
 */
export async function readToChange(
  table: TableContext,
  mutation: Mutation,
  names: readonly string[],
  options: WriteOptions,
): Promise<Seen> {
  const isWide = !fitsBesides(sameAs({}, names))
  if (!isWide || mutation.schema.versionIndex >= 0) {
    const item = await currentItem(table, mutation, options)
    if (item === undefined) return { item, same: [] }
    if (!isWide) return { item, same: sameAs(item, names) }
    if (Object.hasOwn(item, versionAttribute)) return { item, same: sameAs(item, [versionAttribute]) }
    // It was written before the table had versions.
  }
  const item = await markedItem(table, mutation, options)
  return { item, same: item === undefined ? [] : sameAs(item, [markAttribute]) }
}

/** The item as it is now, with a mark: the one that it has, or else a new one. Nothing of the row is changed. */
async function markedItem(
  { client, schema: { name }, form, format }: TableContext,
  mutation: Mutation,
  options: WriteOptions,
): Promise<Item | undefined> {
  const key = format.keyToWrite(keyOf(mutation))
  // The client may repeat it, because a second mark would be the first one.
  const command = unlogged(
    new UpdateItemCommand({
      TableName: name,
      Key: keyAttributes(form, key),
      UpdateExpression: 'SET #m = if_not_exists(#m, :m)',
      ConditionExpression: 'attribute_exists(#p)',
      ExpressionAttributeNames: { '#m': markAttribute, '#p': form.partition },
      ExpressionAttributeValues: { ':m': { S: randomUUID() } },
      ReturnValues: 'ALL_NEW',
    }),
  )
  return onTable(name, async () => {
    try {
      const { Attributes } = await inRequest(options, (how) => client.send(command, how))
      const item = checkedItem(name, form, Attributes, key)
      const mark = Object.hasOwn(item, markAttribute) ? item[markAttribute] : undefined
      if (!isMap(mark) || typeof mark.S !== 'string') throw badAnswer(name, 'an item without the mark that it was given')
      return item
    } catch (error) {
      if (isNamed(error, 'ConditionalCheckFailedException')) return undefined
      throw error
    }
  })
}
