import stringWidth from 'string-width'

/** Text from a file, safe to print: what would steer the terminal, end the line, turn its direction or stay invisible is shown escaped. */
export function visible(text: string): string {
  return text.replace(unseen, (character) => shortEscapes.get(character) ?? escape(character))
}

// Selectors of variants are in ordinary emoji.
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?![\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}/gu

const shortEscapes = new Map([
  ['\n', String.raw`\n`],
  ['\r', String.raw`\r`],
  ['\t', String.raw`\t`],
])

function escape(character: string): string {
  const hex = (character.codePointAt(0) as number).toString(16)
  if (hex.length <= 2) return String.raw`\x${hex.padStart(2, '0')}`
  return hex.length <= 4 ? String.raw`\u${hex.padStart(4, '0')}` : String.raw`\u{${hex}}`
}

/** Columns of a terminal: wide characters take two. */
export const columnsOf = (text: string): number => stringWidth(text)

const segmenter = new Intl.Segmenter()

/** At most `width` columns of it. */
export function cut(text: string, width: number): string {
  if (columnsOf(text) <= width) return text
  let kept = ''
  let columns = 1 // the ellipsis
  for (const { segment } of segmenter.segment(text)) {
    columns += columnsOf(segment)
    if (columns > width) break
    kept += segment
  }
  return `${kept}…`
}

export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - columnsOf(text)))
}

/** Broken at spaces into lines of `width` columns where possible; all but the first begin with `hanging`. */
export function wrap(text: string, width: number, hanging = ''): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.match(/\s*\S+/g) ?? []) {
    if (line !== '' && columnsOf(line + word) > width) {
      lines.push(line)
      line = hanging + word.trimStart()
    } else line += word
  }
  return [...lines, line].join('\n')
}

export const indent = (text: string): string => text.replace(/^(?=.)/gm, '   ')

export const number = (value: number): string => value.toLocaleString('en-US')

export const plural = (count: number, what: string): string => `${number(count)} ${what}${count === 1 ? '' : 's'}`

export function duration(ms: number): string {
  if (ms >= 999.5) return `${(ms / 1000).toFixed(1)} s`
  return `${ms < 10 ? ms.toPrecision(2) : Math.round(ms)} ms`
}
