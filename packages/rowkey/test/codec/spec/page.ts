import * as codec from '#codec'
import { readFileSync } from 'node:fs'

// The formatter pads cells.
const page = readFileSync(new URL('../../../../../docs/spec/key-format.md', import.meta.url), 'utf8').replaceAll(/ +\|/g, ' |')

/** The rows below a table's header in `docs/spec/key-format.md`, cells without backticks. */
export function rowsOf(header: string): string[][] {
  const start = page.indexOf(`\n${header}\n`)
  if (start < 0) throw new Error(`the page has no table '${header}'`)
  const lines = page
    .slice(start + 1)
    .split('\n')
    .slice(2)
  const end = lines.findIndex((line) => !line.startsWith('|'))
  return lines.slice(0, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  )
}

/** The headers of all its tables. */
export const headers = [...page.matchAll(/^(\|.*)\n\| -/gm)].map((match) => match[1] as string)

/** The code blocks of the page. */
export const blocks = [...page.matchAll(/^```ts\n(.*?)^```/gms)].map((match) => match[1] as string)

/** What an expression of the page gives, with the names of the codec. */
export function valueOf(expression: string): unknown {
  const evaluate = new Function(...Object.keys(codec), `'use strict'; return (${expression})`) as (...names: unknown[]) => unknown
  return evaluate(...Object.values(codec))
}
