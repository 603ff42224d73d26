import { isPlainObject } from './built-in.js'
import { printable } from './printable.js'

/** The maximum length of a message, and of a text in its details, in characters. */
const maxMessage = 4000

/**
 * The text of an error. Whatever its parts contain, a line stays a line, and nothing in it moves the cursor of a terminal.
 *
 * @param lines one each
 */
export function messageOf(code: string, lines: readonly string[]): string {
  const [first = '', ...rest] = lines
  let text = printable(`${code}: ${first}`, maxMessage)
  for (const [i, line] of rest.entries()) {
    const next = printable(line, maxMessage)
    if (text.length + next.length >= maxMessage) return `${text}\n… and ${rest.length - i} more lines`
    text += `\n${next}`
  }
  return text
}

/** Details that a program passes on to another call, as they are: a key as the row has it, where a scan stands. */
const forCalls: ReadonlySet<string> = new Set(['key', 'cursor'])

/** Details with all texts in them cut and escaped like a message, because details go to logs too. Anything but plain data stays as it is. */
export function detailsOf<T>(details: T): T {
  return plain(details, 0) as T
}

function plain(given: unknown, depth: number): unknown {
  if (typeof given === 'string') return printable(given, maxMessage)
  if (depth === maxDepth) return given
  if (Array.isArray(given)) {
    const items = given.map((item) => plain(item, depth + 1))
    return items.every((item, i) => item === given[i]) ? given : Object.freeze(items)
  }
  if (!isPlainObject(given)) return given
  const entries = Object.entries(given).map(([name, value]) => [name, forCalls.has(name) ? value : plain(value, depth + 1)] as const)
  return entries.every(([name, value]) => value === given[name]) ? given : Object.freeze(Object.fromEntries(entries))
}

/** Lists of details contain objects with texts and lists of texts, never more. */
const maxDepth = 5
