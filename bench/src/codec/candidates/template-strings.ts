import type { Cell, Kind } from '../workloads.js'
import type { Candidate, Codec } from './candidate.js'

/** What applications write by hand: columns as text, a bar between them, integers padded. No escape, and no order for much of it. */
export const templateStrings: Candidate = {
  name: 'template strings',
  takesPart: ({ salt }) => salt === undefined,
  codec: async ({ columns }): Promise<Codec<readonly Cell[], string>> => {
    const kinds = columns.map(({ kind }) => kind)
    const parts = kinds.map((kind, i) => `\${${written(kind, `cells[${i}]`)}}`)
    const reads = kinds.map((kind, i) => read(kind, `parts[${i}]`))
    // One literal per layout, as it would stand in an application.
    const encode = new Function('cells', `return \`${parts.join('|')}\``) as (cells: readonly Cell[]) => string
    const decode = new Function('text', `const parts = text.split('|'); return [${reads.join(', ')}]`) as (text: string) => unknown[]
    return { toKey: (cells) => cells, encode, decode }
  },
}

function written(kind: Kind, cell: string): string {
  if (kind === 'integer' || kind === 'instant' || kind === 'uint32') return `String(${cell}).padStart(16, '0')`
  if (kind === 'id' || kind === 'bytes') return `${cell}.toString('hex')`
  return cell
}

function read(kind: Kind, part: string): string {
  if (kind === 'text') return part
  if (kind === 'id' || kind === 'bytes') return `Buffer.from(${part}, 'hex')`
  if (kind === 'flag') return `${part} === 'true'`
  if (kind === 'bigint') return `BigInt(${part})`
  return kind === 'nullable flag' ? `JSON.parse(${part})` : `Number(${part})`
}
