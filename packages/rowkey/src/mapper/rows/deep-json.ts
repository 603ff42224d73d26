/**
 * How many levels of lists and objects within each other JSON may have that a check sees. A column holds 1,000, but validators call
 * themselves for each level, and the call stack ends somewhere above 900 levels of class-validator.
 */
export const maxCheckedLevels = 100

/** Whether JSON text has more levels than checks may see. Nothing is parsed, and nothing calls itself. */
export function isTooDeep(json: string): boolean {
  if (json.length <= 2 * maxCheckedLevels) return false // each level has two brackets
  let levels = 0
  for (let at = 0; at < json.length; at++) {
    const character = json.charCodeAt(at)
    if (character === quote) at = endOfString(json, at)
    else if (character === openBrace || character === openBracket) {
      if (++levels > maxCheckedLevels) return true
    } else if (character === closeBrace || character === closeBracket) levels--
  }
  return false
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [34, 92, 91, 93, 123, 125]

/** Where the string ends that begins at a place. */
function endOfString(json: string, begin: number): number {
  for (let at = begin + 1; at < json.length; at++) {
    const character = json.charCodeAt(at)
    if (character === quote) return at
    if (character === backslash) at++
  }
  return json.length
}
