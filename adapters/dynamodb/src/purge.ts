import { DeleteItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { inParallel, Progress, Sweep, type Cancellation, type Stretch } from 'rowkey/adapter'
import { checkedKey, checkedPage, nextStart } from './client/answers.js'
import type { TableContext } from './context.js'
import { isNamed, onTable } from './errors.js'
import { keyAttributes, keyNames, type KeyParts } from './keys.js'

const deletesAtOnce = 16
const names = { '#e': 'rk_expires' }

/** Deletes expired rows of one table. To find them, it reads the whole table. */
export class Purge {
  private readonly context: TableContext
  private readonly sweep = new Sweep<KeyParts>()

  constructor(context: TableContext) {
    this.context = context
  }

  /** Deletes up to `limit` rows and returns how many. @throws the reason of the cancellation, before it deletes more */
  run(now: number, limit: number, cancellation?: Cancellation): Promise<number> {
    const sweep = (): Promise<number> => this.sweep.run(limit, (part) => this.walk(part, now, cancellation))
    return onTable(this.context.schema.name, sweep, cancellation)
  }

  /** To the end of the table: items of different partitions have no defined order, so no walk can stop where another one started. */
  private async walk({ from, left, stopAt }: Stretch<KeyParts>, now: number, cancellation: Cancellation | undefined): Promise<number> {
    let deleted = 0
    let at = from
    const progress = new Progress()
    const stopIfOver = (): void => {
      if (cancellation?.isOver !== true) return
      stopAt(at)
      throw cancellation.reason
    }
    for (;;) {
      stopIfOver()
      const { expired, next } = await this.look(at, now, progress)
      while (expired.length > 0) {
        stopIfOver()
        const some = expired.splice(0, Math.min(deletesAtOnce, left - deleted))
        const answers = await inParallel(some, deletesAtOnce, (key) => this.delete(key, now))
        deleted += answers.filter((isDeleted) => isDeleted).length
        at = some.at(-1)
        if (deleted < left) continue
        stopAt(expired.length > 0 ? at : next)
        return deleted
      }
      if (next === undefined) return deleted
      at = next
    }
  }

  private async look(
    after: KeyParts | undefined,
    now: number,
    progress: Progress,
  ): Promise<{ readonly expired: KeyParts[]; readonly next: KeyParts | undefined }> {
    const { client, form, schema } = this.context
    const { name } = schema
    // Each delete checks the expiry again, so an eventually consistent read is enough. It costs half.
    const command = new ScanCommand({
      TableName: name,
      ExclusiveStartKey: after === undefined ? undefined : keyAttributes(form, after),
      FilterExpression: '#e <= :now',
      ProjectionExpression: '#p, #s',
      ExpressionAttributeNames: { ...keyNames(form), ...names },
      ExpressionAttributeValues: { ':now': { N: String(now) } },
    })
    const answer = await client.send(command)
    const { items } = checkedPage(name, answer, true)
    return {
      expired: items.map((item) => checkedKey(name, form, item)),
      next: nextStart(name, form, answer.LastEvaluatedKey, progress),
    }
  }

  /** Deletes a row if it still exists and has expired. Returns whether it did. */
  private async delete(key: KeyParts, now: number): Promise<boolean> {
    const { client, form, schema } = this.context
    try {
      await client.send(
        new DeleteItemCommand({
          TableName: schema.name,
          Key: keyAttributes(form, key),
          ConditionExpression: '#e <= :now',
          ExpressionAttributeNames: names,
          ExpressionAttributeValues: { ':now': { N: String(now) } },
        }),
      )
      return true
    } catch (error) {
      if (isNamed(error, 'ConditionalCheckFailedException')) return false
      throw error
    }
  }
}
