import { fromHex, isRowkeyError, toHex, type ColumnType, type KeyLayout, type Salt } from '#codec'
import { defineTable } from '#model'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A layout and keys of it in hex, which may be broken. */
export interface Question {
  readonly layout: KeyLayout
  readonly columns: readonly (readonly [name: string, type: ColumnType])[]
  readonly salts: readonly Salt[]
  readonly keys: readonly string[]
  /** So many of them, from the first on, are as \`encode\` wrote them. */
  readonly good: number
}
/** A value as `decode.py` writes it. */
type Cell = string | number | boolean | null
/** A row of cells for each key; null = refused as malformed. */
export type Answer = readonly (readonly Cell[] | null)[]

/** Why Python cannot be asked; undefined if it can. */
export function whyNoPython(command = 'python3'): string | undefined {
  const { error, status } = spawnSync(command, ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))'])
  if (error !== undefined) return `there is no ${command} on the PATH`
  return status === 0 ? undefined : `the ${command} on the PATH is older than 3.9`
}

/** What the decoder in Python says, which shares nothing with the packages. One process for all questions. */
export function askPython(questions: readonly Question[]): readonly Answer[] {
  const script = fileURLToPath(new URL('decode.py', import.meta.url))
  const input = questions
    .map(({ columns, salts, keys }) => JSON.stringify({ columns: columnsAsJSON(columns), salt: salts, keys }))
    .join('\n')
  const { error, status, stdout, stderr } = spawnSync('python3', ['-B', script], { input, encoding: 'utf8', maxBuffer: 2 ** 30 })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`decode.py failed:\n${stderr}`)
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer)
}

/** What the codec says, in the same form. */
export const askCodec = ({ layout, columns, keys }: Question): Answer =>
  keys.map((hex) => {
    const key = decoded(layout, hex)
    return key === null ? null : columns.map(([name, type]) => cellOf(type, key[name]))
  })

function decoded(layout: KeyLayout, hex: string): Readonly<Record<string, unknown>> | null {
  try {
    return layout.decode(fromHex(hex))
  } catch (error) {
    if (isRowkeyError(error) && error.code === 'MALFORMED_KEY') return null
    throw error
  }
}

function cellOf({ kind: outer, inner }: Pick<ColumnType, 'kind' | 'inner'>, value: unknown): Cell {
  const kind = inner?.kind ?? outer
  if (value instanceof Uint8Array) return toHex(value)
  if (value instanceof Date) return String(kind === 'date' ? value.getTime() / 86_400_000 : value.getTime())
  if (typeof value === 'number' && kind.startsWith('float')) return Number.isFinite(value) ? value : String(value)
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : (value as Cell)
}

/** The JSON that a schema gives. Salts are not defined with it: a schema refuses levels that share columns, the format does not. */
function columnsAsJSON(columns: Question['columns']): unknown {
  const key = columns.map(([name]) => name)
  return defineTable('table', { columns: Object.fromEntries(columns), key: key as [string] }).toJSON().columns
}
