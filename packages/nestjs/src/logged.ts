import { said, showName } from 'rowkey/internal'

/** Max errors that are logged together, and max places of each. */
const maxCauses = 5
const maxPlaces = 20

/**
 * What an error and its causes say, and where they were thrown. Addresses and folders are in the causes, and only logs have them. A driver
 * repeats in its messages what clients sent, so no text of theirs is logged as it is.
 */
export function stacksOf(error: unknown): string {
  const causes: string[] = []
  for (let each = error; each instanceof Error && causes.length < maxCauses; each = each.cause) {
    causes.push([`${showName(each.name)}: ${said(each)}${placeOf(each)}`, ...framesOf(each)].join('\n'))
  }
  return causes.join('\nCaused by: ')
}

/** The folder or key that `STORE_UNUSABLE` is about. */
function placeOf(error: Error): string {
  const { path } = (error as { readonly details?: { readonly path?: unknown } }).details ?? {}
  return typeof path === 'string' ? ` (${showName(path)})` : ''
}

function framesOf({ stack = '', message }: Error): readonly string[] {
  const at = stack.indexOf(message)
  return stack
    .slice(at < 0 ? 0 : at + message.length)
    .split('\n', 1000)
    .filter((line) => /^ {4}at /.test(line))
    .slice(0, maxPlaces)
    .map((line) => `    ${said(line.trim())}`)
}
