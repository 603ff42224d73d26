// Tested by layout.test.ts.
import stringWidth from 'string-width'
import { cut, padded } from '../text/wrap.js'
import type { LayoutDescription, LayoutPart } from './describe-layout.js'

/** Colours one part of the picture, by its number. */
export type Paint = (text: string, part: number) => string

const minBox = 3 // columns between two borders

/**
 * A picture of a key: a box for each part, as wide as its bytes in the example as far as there is room, with its offset above. Boxes of parts without a
 * fixed width have dots.
 */
export function ruler({ parts, minBytes, maxBytes }: LayoutDescription, columns: number, paint: Paint): readonly string[] {
  const end = minBytes === maxBytes ? String(minBytes) : `${minBytes}+`
  const widths = boxWidths(parts, columns - end.length) // the last offset begins at the last border
  if (widths === undefined) return []
  const line = (part: LayoutPart, width: number): string => (part.width === null ? '┄' : '─').repeat(width)
  const joined = (ends: string, between: string, text: (part: LayoutPart, width: number, at: number) => string): string =>
    (ends[0] as string) + parts.map((part, at) => text(part, widths[at] as number, at)).join(between) + (ends[1] as string)
  const edge = (left: string, middle: string, right: string): string =>
    joined(left + right, middle, (part, width, at) => paint(line(part, width), at))
  return [
    offsets(parts, widths, end),
    edge('├', '┼', '┤'),
    joined('││', '│', ({ name }, width, at) => paint(padded(` ${cut(name, width - 1)}`, width), at)),
    edge('└', '┴', '┘'),
  ]
}

/** The offsets at the left borders, and the end at the last one; those for which there is no room are left out. */
function offsets(parts: readonly LayoutPart[], widths: readonly number[], end: string): string {
  let text = ''
  let at = 0
  const put = (label: string): void => {
    if (text === '' || stringWidth(text) < at) text = padded(text, at) + label
  }
  for (const [number, { offset, isOffsetFixed }] of parts.entries()) {
    put(isOffsetFixed ? String(offset) : `${offset}+`)
    at += (widths[number] as number) + 1
  }
  put(end)
  return text
}

/** The columns inside each box; undefined if there are too many parts. */
function boxWidths(parts: readonly LayoutPart[], columns: number): readonly number[] | undefined {
  const room = columns - parts.length
  if (room < parts.length * minBox) return undefined
  const names = parts.map(({ name }) => Math.max(minBox, stringWidth(name) + 2))
  const wanted = parts.map(({ hex }, at) => Math.max(names[at] as number, hex.length + 1))
  return shrunk(
    shrunk(wanted, names, room),
    names.map(() => minBox),
    room,
  )
}

/** Widths that fit, the widest made smaller first, none below its least. */
function shrunk(widths: readonly number[], least: readonly number[], room: number): readonly number[] {
  const now = [...widths]
  for (let total = now.reduce((a, b) => a + b, 0); total > room; total--) {
    const candidates = now.map((width, at) => (width > (least[at] as number) ? width : -1))
    const widest = candidates.indexOf(Math.max(...candidates))
    if ((candidates[widest] as number) < 0) break
    now[widest] = (now[widest] as number) - 1
  }
  return now
}
