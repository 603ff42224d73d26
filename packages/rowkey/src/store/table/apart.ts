/** The length of a text that is always shown whole. */
const maxLength = 96
/** The shown parts of a longer one: its beginning, and what is before and after the first different character. */
const beginning = 24
const before = 16
const after = 40

/**
 * Two texts that differ, shortened for a message so that the difference can be seen: of a long one the beginning, the place where they
 * differ, and the length.
 */
export function apart(mine: string, theirs: string): readonly [mine: string, theirs: string] {
  let at = 0
  while (at < mine.length && at < theirs.length && mine[at] === theirs[at]) at++
  return [shown(mine, at), shown(theirs, at)]
}

function shown(text: string, at: number): string {
  if (text.length <= maxLength) return text
  const from = at - before
  const head = from <= beginning ? text.slice(0, at + after) : `${text.slice(0, beginning)}…${text.slice(from, at + after)}`
  const rest = at + after < text.length ? '…' : ''
  const place = at < text.length ? `the first that differs is number ${at + 1}` : 'the other one goes on'
  return `${head}${rest} (${text.length} characters, ${place})`.toWellFormed()
}

/** One text, shortened for a message, if there is nothing to compare it with. */
export function brief(text: string): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - beginning).toWellFormed()}… (${text.length} characters)`
}
