import { hexOf, isBytes, timeOf, view } from './built-in.js'
import { fitting, printable, seenInQuotes, visible } from './printable.js'

const maxShown = 48
/** The longest name that a model may have. */
const maxName = 255
const maxSaid = 500
/** The characters of a list of names, and of a path. */
const maxListed = 600
/** The characters of other lists. */
const maxText = 2000
const maxSteps = 20
/** Far beyond the largest integer that any column holds. Printing all digits of a longer one would take time. */
const widest = 2n ** 256n

/**
 * A value as it appears in a message: its type is visible, a long one is shortened, and characters that cannot be seen are escaped.
 *
 * @internal
 * @example
 * ```ts
 * show('1')                    //=> '"1"'
 * show(1n)                     //=> '1n'
 * show(new Uint8Array([1, 2])) //=> '0x0102'
 * ```
 */
export function show(value: unknown): string {
  // Of a long value, only the part that is shown is read.
  if (typeof value === 'string') {
    const [shown, isWhole] = fitting(value, maxShown - 1, seenInQuotes)
    return isWhole ? `"${shown}"` : `"${shown}… (${value.length} characters)`
  }
  if (isBytes(value) && value.length > 16) return `0x${hexOf(view(value, 0, 16))}… (${value.length} bytes)`
  if (typeof value === 'bigint' && (value >= widest || value <= -widest)) return `${value < 0n ? 'a negative' : 'a'} bigint beyond 256 bits`
  return printable(whole(value), maxShown)
}

/**
 * A name as it appears in a message: of a column, table, option, operator, class. An ordinary one is shown as it is. One from outside may be
 * anything, so it is cut and escaped like a value.
 *
 * @internal
 * @example
 * ```ts
 * showName('orders')       //=> 'orders'
 * showName('a\nERROR root') //=> 'a\\nERROR root'
 * showName(7)              //=> '7'
 * ```
 */
export const showName = (name: unknown): string => (typeof name === 'string' ? printable(name, maxName) : show(name))

/**
 * Names as a list for a message. Of a long list it names the first ones, and how many there are besides.
 *
 * @internal
 * @param quote what stands before and after each name
 * @example
 * ```ts
 * showNames(['user', 'no'], "'") //=> "'user', 'no'"
 * showNames(Array.from({ length: 500 }, () => 'x'.repeat(200))).endsWith(' and 498 more') //=> true
 * ```
 */
export const showNames = (names: readonly unknown[], quote = ''): string =>
  listed(names.length, (at) => `${quote}${showName(names[at])}${quote}`, ', ', maxListed)

/**
 * Texts that can be shown, as a list. Of a long list it has the first ones, and how many there are besides.
 *
 * @internal
 * @example
 * ```ts
 * showSome(['a = 1', 'b = 2'], ' and ') //=> 'a = 1 and b = 2'
 * ```
 */
export const showSome = (texts: readonly string[], separator: string): string =>
  listed(texts.length, (at) => texts[at] as string, separator, maxText)

function listed(count: number, textAt: (at: number) => string, separator: string, max: number): string {
  let text = ''
  for (let at = 0; at < count; at++) {
    const next = `${at === 0 ? '' : separator}${textAt(at)}`
    if (at > 0 && text.length + next.length > max) return `${text} and ${count - at} more`
    text += next
  }
  return text
}

/**
 * A path of many steps for a message: the first ones.
 *
 * @internal
 * @param steps as they stand one after the other, their names shown by {@link showName}
 * @example
 * ```ts
 * showPath(['items', '[3]', '.at']) //=> 'items[3].at'
 * ```
 */
export const showPath = (steps: readonly string[]): string =>
  printable(`${steps.slice(0, maxSteps).join('')}${steps.length > maxSteps ? '…' : ''}`, maxListed)

/**
 * A text that somebody else wrote, such as the message of a check, for a message.
 *
 * @internal
 * @example
 * ```ts
 * showText('Too short.') //=> 'Too short.'
 * ```
 */
export const showText = (text: unknown): string => (typeof text === 'string' ? printable(text, maxSaid) : show(text))

/**
 * What somebody else said, for a message: the text of an error that a server, a driver or an application threw, without its full stop.
 *
 * @internal
 * @example
 * ```ts
 * said(new Error('out of memory.')) //=> 'out of memory'
 * said('no')                        //=> 'no'
 * ```
 */
export function said(cause: unknown): string {
  const text: unknown =
    cause instanceof Error || (typeof cause === 'object' && cause !== null && 'message' in cause) ? cause.message : cause
  return showText(typeof text === 'string' && text.endsWith('.') ? text.slice(0, -1) : text)
}

/**
 * As {@link show}, but never shortened: two values of columns that differ have different texts.
 *
 * @internal
 * @example
 * ```ts
 * showWhole(new Uint8Array(20)) //=> '0x0000000000000000000000000000000000000000'
 * ```
 */
export const showWhole = (value: unknown): string => visible(typeof value === 'string' ? JSON.stringify(value) : whole(value))

function whole(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  const time = timeOf(value)
  if (time !== undefined) return Number.isNaN(time) ? 'an invalid Date' : new Date(time).toISOString()
  if (isBytes(value)) return `0x${hexOf(value)}`
  if (Object.is(value, -0)) return '-0'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'function') return 'a function'
  if (value instanceof Promise) return 'a promise (await it)'
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
}

/**
 * A number of things.
 *
 * @internal
 * @example
 * ```ts
 * [counted(1, 'row'), counted(2, 'row')] //=> [ '1 row', '2 rows' ]
 * ```
 */
export const counted = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`

/** Text in single quotes, as code has it; different texts look different. */
export const quoted = (text: string): string =>
  `'${visible(JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'"))}'`
