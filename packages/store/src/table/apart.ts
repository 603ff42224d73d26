/** A text that is shown whole, whatever it is compared with. */
const longest = 96
/** Of a longer one: its beginning, and what is before and after the first character that differs. */
const beginning = 24
const before = 16
const after = 40

/**
 * Two texts that differ, for a message: short, and the difference is in sight. Of a long one its beginning is shown, the place where they
 * part, and its length.
 */
export function apart(mine: string, theirs: string): readonly [mine: string, theirs: string] {
  let at = 0
  while (at < mine.length && at < theirs.length && mine[at] === theirs[at]) at++
  return [shown(mine, at), shown(theirs, at)]
}

function shown(text: string, at: number): string {
  if (text.length <= longest) return text
  const from = at - before
  const head = from <= beginning ? text.slice(0, at + after) : `${text.slice(0, beginning)}…${text.slice(from, at + after)}`
  const rest = at + after < text.length ? '…' : ''
  const place = at < text.length ? `the first that differs is number ${at + 1}` : 'the other one goes on'
  return `${head}${rest} (${text.length} characters, ${place})`.toWellFormed()
}

/** One text for a message, where there is nothing to compare it with. */
export function brief(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest - beginning).toWellFormed()}… (${text.length} characters)`
}
