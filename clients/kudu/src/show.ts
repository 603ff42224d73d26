const maxShown = 200

/** Text from outside, as messages show it: in quotes, in one line, without characters that a terminal would obey, and cut if it is long. */
export function show(text: string): string {
  const cut = text.length > maxShown ? `${text.slice(0, maxShown)}…` : text
  return `'${printable(cut)}'`
}

/** Text without control characters, marks of direction and halves of characters: they are shown as escapes. */
export const printable = (text: string): string =>
  // The second part of the pattern is a half of a character that stands alone.
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
