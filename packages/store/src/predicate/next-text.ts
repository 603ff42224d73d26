/**
 * The smallest text after every text that starts with `prefix`, in code point order; undefined if there is none. `startsWith p` is the
 * range from p to this text.
 */
export function nextText(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) as number)
  while (points.at(-1) === 0x10ffff) points.pop()
  const last = points.pop()
  if (last === undefined) return undefined
  // U+D800 to U+DFFF are surrogates, not code points of text.
  return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1)
}
