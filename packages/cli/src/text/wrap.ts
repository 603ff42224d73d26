import stringWidth from 'string-width'

/**
 * Lines that are at most `columns` wide. What follows in a new line is indented by `hang`; a word that is longer is left as it is.
 *
 * @example
 * ```ts
 * wrap('one two three', 9) //=> [ 'one two', '  three' ]
 * ```
 */
export function wrap(line: string, columns: number, hang = '  '): readonly string[] {
  if (stringWidth(line) <= columns) return [line]
  const [start = ''] = /^\s*/.exec(line) ?? []
  const lines: string[] = []
  let current = start
  let isEmpty = true
  for (const word of line.slice(start.length).split(' ')) {
    const longer = isEmpty ? current + word : `${current} ${word}`
    if (!isEmpty && stringWidth(longer) > columns) {
      lines.push(current)
      current = hang + word
    } else {
      current = longer
    }
    isEmpty = false
  }
  return [...lines, current]
}

/** Text that is padded on its right to so many columns. */
export const padded = (text: string, columns: number): string => text + ' '.repeat(Math.max(0, columns - stringWidth(text)))

/** Text that is cut to so many columns. */
export function cut(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text
  let shown = ''
  for (const character of text) {
    if (stringWidth(shown + character) > columns - 1) break
    shown += character
  }
  return `${shown}…`
}

/**
 * Text without spaces in lines of at most so many columns, broken between its units.
 *
 * @param units what is not broken: two hex digits, an escape
 */
export function folded(text: string, units: RegExp, columns: number): readonly string[] {
  const lines: string[] = []
  let current = ''
  for (const [unit] of text.matchAll(units)) {
    if (current !== '' && current.length + unit.length > columns) {
      lines.push(current)
      current = ''
    }
    current += unit
  }
  return [...lines, current]
}
