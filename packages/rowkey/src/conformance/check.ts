import { isRowkeyError, type RowkeyError } from '#codec'
import { show, showText, visible } from '#codec/internal'
import { textOf } from './text-of.js'

/** Thrown if a store does not do what the rule says. */
export class RuleBroken extends Error {
  override readonly name = 'RuleBroken'

  constructor(message: string, options?: ErrorOptions) {
    super(linesOf(message), options)
  }
}

/** The lines of a message, whose values are from the adapter. */
export const linesOf = (message: string): string => message.split('\n').map(visible).join('\n')

/** What was thrown, by the adapter or by somebody else. */
export const thrown = (error: unknown): string => (error instanceof Error ? `${error.name}: ${showText(error.message)}` : show(error))

/** Throws unless a condition holds. */
export function check(holds: boolean, message: string): asserts holds {
  if (!holds) throw new RuleBroken(message)
}

/** Throws unless both are equal: bytes and dates by content, −0 different from 0, NaN equal to itself. */
export function same(actual: unknown, expected: unknown, what: string): void {
  const [got, wanted] = [textOf(actual), textOf(expected)]
  if (got !== wanted) throw new RuleBroken(`${what}\n  expected ${shortened(wanted)}\n  got      ${shortened(got)}`)
}

/** The error of rowkey that a call rejects with. */
export async function refusalOf(what: string, run: () => unknown): Promise<RowkeyError> {
  try {
    await run()
  } catch (error) {
    if (isRowkeyError(error)) return error
    throw new RuleBroken(`${what} failed, but not with an error of rowkey: ${thrown(error)}`, { cause: error })
  }
  throw new RuleBroken(`${what} was not refused`)
}

/** Throws unless a call rejects with one of these codes. */
export async function refused(what: string, run: () => unknown, ...codes: readonly string[]): Promise<void> {
  const error = await refusalOf(what, run)
  if (!codes.includes(error.code)) {
    throw new RuleBroken(`${what} was refused with ${error.code}, not with ${codes.join(' or ')}: ${error.message}`, { cause: error })
  }
}

const max = 2000

const shortened = (text: string): string => (text.length <= max ? text : `${text.slice(0, max)}… (${text.length} characters)`)
