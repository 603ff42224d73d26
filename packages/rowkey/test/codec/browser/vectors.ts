import * as codec from '#codec'
import { readFileSync } from 'node:fs'

// The formatter pads cells.
const page = readFileSync(new URL('../../../../../docs/spec/key-format.md', import.meta.url), 'utf8').replaceAll(/ +\|/g, ' |')

function rowsBelow(header: string): string[][] {
  const [, table = ''] = page.split(`\n${header}\n`)
  const end = table.indexOf('\n\n')
  const lines = table.slice(0, end).split('\n').slice(1)
  return lines.map((line) => [...line.matchAll(/`([^`]*)`/g)].map(([, cell]) => cell as string))
}

const columns = rowsBelow('| type | value | hex |').map(([type, value, hex]) => [`keyLayout([['c', ${type}]])`, `{ c: ${value} }`, hex])
const keys = rowsBelow('| layout | key | hex |')

/** The bytes of the specification, in the order of {@link vectorModule}. */
export const expectedHex: readonly string[] = [...columns, ...keys].map(([, , hex]) => hex as string)

/** The specification's tables of keys as a module: a policy may forbid a page to evaluate their text itself. */
export const vectorModule = `export const vectors = ({ ${Object.keys(codec).join(', ')} }) => [
${[...columns, ...keys].map(([layout, key]) => `[${layout}, ${key}],`).join('\n')}
]
`
