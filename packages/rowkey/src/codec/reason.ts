import { said, showSome } from './show.js'

/** How many errors of a list are told. */
const maxReasons = 3

/** What Node.js and drivers call an error of the system. Its message names what it was about. */
const systemCode = /^E[A-Z0-9_]{2,30}$/

/** Where something is: URLs, what a system error was about, absolute paths, addresses with or without a port, names of hosts. */
const places = [
  /\b[a-z][a-z0-9+.-]*:\/\/\S+/gi,
  /(?<=\bE[A-Z_]{4,30}:? )(?!E[A-Z]).*$/g,
  /(?<![\w…])(?:[a-z]:[\\/]|\\\\|~?\/)[^\s'"`,;)]+/gi,
  /\[?(?:[0-9a-f]{0,4}:){2,7}[0-9a-f.]*(?:%\w+)?\]?(?::\d{1,5})?/gi,
  /(?<![\w.-])[\w-][\w.-]*:\d{1,5}(?!\w)/g,
  /(?<![\w.-])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])/g,
  /(?<![\w.-])(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]+(?![\w-])/gi,
]

/**
 * What went wrong, for a message that a client may read in the end: what a system, a driver or a server said, without where it is. No
 * address, name of a host or folder: whoever may know them reads the `cause`.
 *
 * @internal
 * @example
 * ```ts
 * reasonOf(new Error('no answer from 10.0.0.7:6379'))                                           //=> 'no answer from …'
 * reasonOf(Object.assign(new Error('connect ECONNREFUSED ::1:6379'), { code: 'ECONNREFUSED' })) //=> 'ECONNREFUSED'
 * ```
 */
export function reasonOf(cause: unknown): string {
  const inner = innerErrors(cause)
  if (inner.length > 0) return showSome([...new Set(inner.slice(0, maxReasons).map(reasonOf))], ', ')
  const { code } = (typeof cause === 'object' && cause !== null ? cause : {}) as { readonly code?: unknown }
  if (typeof code === 'string' && systemCode.test(code)) return code
  return places.reduce((text, place) => text.replace(place, '…'), said(cause))
}

/** Of an AggregateError, and of the driver of Cassandra, which has one for each host. They are not nested. */
function innerErrors(cause: unknown): readonly unknown[] {
  if (typeof cause !== 'object' || cause === null) return []
  const { errors, innerErrors: byHost } = cause as { readonly errors?: unknown; readonly innerErrors?: unknown }
  const all = Array.isArray(errors) ? (errors as unknown[]) : typeof byHost === 'object' && byHost !== null ? Object.values(byHost) : []
  return all.filter((each) => each !== cause && innerErrors(each).length === 0)
}
