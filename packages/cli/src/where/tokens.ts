// Tested by where-of.test.ts.
import { Failure } from '../failure.js'

/** A part of a text of conditions. */
export interface Token {
  /** `word`: bare. `text`: in quotes. `sign`: an operator or punctuation. `end`: after the last one. */
  readonly kind: 'word' | 'text' | 'sign' | 'end'
  /** Without quotes. */
  readonly text: string
  readonly from: number
  readonly to: number
}

/** Operators, the longer ones first, and those of other languages, which are refused with what to write instead. */
const signs = ['>=', '<=', '!=', '<>', '==', '=', '>', '<', '(', ')', ',']

/**
 * The parts of a text, and the end.
 *
 * @throws Failure that points at what cannot be read
 * @example
 * ```ts
 * tokensOf('a >= 1').map(({ text }) => text) //=> [ 'a', '>=', '1', '' ]
 * ```
 */
export function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < source.length) {
    if (/\s/.test(source[at] as string)) {
      at++
      continue
    }
    const token = quoted(source, at) ?? sign(source, at) ?? word(source, at)
    tokens.push(token)
    at = token.to
  }
  return [...tokens, { kind: 'end', text: '', from: source.length, to: source.length }]
}

/** Text in single or double quotes; the quote itself is written twice, as in SQL. */
function quoted(source: string, from: number): Token | undefined {
  const quote = source[from] as string
  if (quote !== "'" && quote !== '"') return undefined
  let text = ''
  for (let at = from + 1; at < source.length; at++) {
    if (source[at] !== quote) {
      text += source[at] as string
    } else if (source[at + 1] === quote) {
      text += quote
      at++
    } else {
      return { kind: 'text', text, from, to: at + 1 }
    }
  }
  throw pointed(source, from, `this ${quote} is not closed.`)
}

function sign(source: string, from: number): Token | undefined {
  const text = signs.find((each) => source.startsWith(each, from))
  return text === undefined ? undefined : { kind: 'sign', text, from, to: from + text.length }
}

function word(source: string, from: number): Token {
  const [text = ''] = /^[^\s'"=<>(),!]+/.exec(source.slice(from)) ?? []
  if (text === '')
    throw pointed(source, from, `${source[from] as string} has no meaning here. Put values with special characters into quotes.`)
  return { kind: 'word', text, from, to: from + text.length }
}

const shownBefore = 56
const shownAfter = 18

/** An error with the text and a mark below its place; of a long text it shows what is around it. */
export function pointed(source: string, at: number, why: string): Failure {
  const clean = source.replace(/\s/g, ' ')
  const start = at > shownBefore ? at - shownBefore + 1 : 0
  const isCut = clean.length > at + shownAfter
  const line = `${start > 0 ? '…' : ''}${clean.slice(start, isCut ? at + shownAfter : undefined)}${isCut ? '…' : ''}`
  return new Failure(`${why}\n  ${line}\n  ${' '.repeat(at - start + (start > 0 ? 1 : 0))}^`)
}
