import type { Item } from '../keys.js'

// What the service accepts of one expression. Emulators accept more, so all expressions are weighed here.
/** Max bytes, with placeholders as they are sent. */
export const maxExpressionBytes = 4096
/** Max operators and functions. AND, OR and every comparison count, parentheses do not. */
const maxOperators = 300
/** The same for conditions, which is less because compatible servers read a long one recursively and run out of stack. */
const maxConditionOperators = 150
/** Max operands of IN. */
export const maxIn = 100

/** A condition or a part of one. */
export interface Expression {
  /** ASCII, because names and values are placeholders. */
  readonly text: string
  readonly operators: number
  readonly names: Record<string, string>
  readonly values: Item
}

export const and = ' AND '

/** All parts, of which there is at least one. */
export function allOf(parts: readonly Expression[]): Expression {
  return {
    text: parts.map(({ text }) => text).join(and),
    operators: parts.reduce((sum, { operators }) => sum + operators + 1, -1),
    names: Object.assign({}, ...parts.map(({ names }) => names)) as Record<string, string>,
    values: Object.assign({}, ...parts.map(({ values }) => values)) as Item,
  }
}

/** Whether the service accepts what an update sets and removes. */
export const fitsUpdate = ({ text, operators }: Expression): boolean => text.length <= maxExpressionBytes && operators <= maxOperators

/** Whether it accepts a condition. */
export const fitsCondition = (condition: Expression): boolean => fitsUpdate(condition) && condition.operators <= maxConditionOperators

/** What is kept free for the other parts of a condition: that the row exists, its expiry, its version. */
const reserved = { bytes: 200, operators: 20 }

/** Whether it accepts a condition of these parts besides those that every condition has. */
export function fitsBesides(parts: readonly Expression[]): boolean {
  const { text, operators } = allOf(parts)
  return text.length <= maxExpressionBytes - reserved.bytes && operators <= maxConditionOperators - reserved.operators
}
