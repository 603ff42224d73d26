import type { Mutation } from '@rowkey/store/adapter'
import { keyOf } from '@rowkey/store/adapter'
import { randomUUID } from 'node:crypto'
import { conditionInput, conditionOf, markAttribute, type NativeRequest } from './changes.js'
import { groupsOf, type Expression } from './expression.js'
import type { ItemFormat } from './rows.js'

/** What must hold of an item, in steps that the service accepts. */
interface Steps {
  /** Updates that check a part and mark the item. They change nothing of the row. */
  readonly marks: readonly NativeRequest[]
  /** What the change itself must check. */
  readonly seen: readonly Expression[]
}

/**
 * Equality with a hundred columns is more than the service accepts of one expression. Then the item is marked if the first columns are as they
 * were read, and changed if the others are as well and the mark is still there. Every write in between removes the mark, so together that is
 * one condition. A mark that is left over says nothing.
 */
export function inSteps(mutation: Mutation, format: ItemFormat, now: number, seen: readonly Expression[]): Steps {
  const groups = groupsOf(seen)
  if (groups.length < 2) return { marks: [], seen }
  const isMarked: Expression = {
    text: '#m = :m',
    operators: 1,
    names: { '#m': markAttribute },
    values: { ':m': { S: randomUUID() } },
  }
  const steps = groups.map((group, i) => (i === 0 ? group : [...group, isMarked]))
  return {
    marks: steps.slice(0, -1).map((step) => markIf(mutation, format, now, step, isMarked)),
    seen: steps.at(-1) ?? [],
  }
}

function markIf(mutation: Mutation, format: ItemFormat, now: number, step: readonly Expression[], mark: Expression): NativeRequest {
  const condition = conditionOf(mutation, now, step) as Expression
  const input = conditionInput({
    ...condition,
    names: { ...condition.names, ...mark.names },
    values: { ...condition.values, ...mark.values },
  })
  return {
    mutation: { kind: 'update', schema: mutation.schema, key: keyOf(mutation), row: mutation.row, set: [] },
    format,
    isConditional: true,
    isComputed: true,
    update: { TableName: mutation.schema.name, Key: format.keyToWrite(keyOf(mutation)), UpdateExpression: `SET ${mark.text}`, ...input },
  }
}
