import type { LayoutParts } from '../layout/layout-parts.js'
import type { Row } from '../values/value.js'
import { isBytes } from '../values/built-in.js'
import { copy, scratch } from '../layout/scratch.js'
import { layoutCode } from './layout-code.js'
import { makeCode } from './make-code.js'
import { textReader, type TextReader } from './read-text.js'
import { writeLong } from './write-text.js'

/**
 * The hot paths of a layout. They do the usual and leave the rest to the closures: writing gives -1 and reading undefined for all that
 * is unusual or wrong, so that there is one place that tells what is wrong.
 */
export interface HotPaths {
  /** Into the scratch, a plain Uint8Array: from a key object, a row, a row without its partition columns. The offset behind, or -1. */
  writeKey(scratch: Uint8Array, at: number, key: unknown): number
  writeRow(scratch: Uint8Array, at: number, row: Row): number
  writeRest(scratch: Uint8Array, at: number, row: Row): number
  /** Into what callers have, a Buffer perhaps: the same code once more, for the engine to learn it apart. Allocate nothing. */
  intoKey(target: Uint8Array, at: number, key: unknown): number
  intoRow(target: Uint8Array, at: number, row: Row): number
  readKey(bytes: Uint8Array): Record<string, unknown> | undefined
  readRow(bytes: Uint8Array): Row | undefined
  compare(a: Row, b: Row): number
}

/** What the text of a layout may name. */
interface Runtime {
  readonly text: TextReader
  readonly [name: string]: unknown
}

let shared: Runtime | null | undefined

/** Undefined where the host forbids code from text; asked once, for a browser reports every attempt. */
function runtime(): Runtime | null {
  if (shared !== undefined) return shared
  const text = textReader()
  shared = text === undefined ? null : { ...overlays(), copy, isBytes, scratch, writeLong, text, salt: new Uint8Array(8) }
  return shared
}

/** One 8-byte memory seen as floats, as 64-bit integers and as two 32-bit words; `H` and `L` are the places of the high and the low one. */
function overlays(): Record<string, unknown> {
  const memory = new ArrayBuffer(8)
  const f64 = new Float64Array(memory)
  const w = new Int32Array(memory)
  f64[0] = 1 // 3ff00000 00000000
  const H = w[1] === 0 ? 0 : 1
  return { f64, f32: new Float32Array(memory), i64: new BigInt64Array(memory), u64: new BigUint64Array(memory), w, H, L: 1 - H }
}

/** With more columns the functions grow too large for the engine to optimize, and closures are faster. */
const mostColumns = 64

/** The hot paths as code made for this layout, or undefined where the host forbids that, now or from now on. */
export function generate(parts: LayoutParts): HotPaths | undefined {
  const names = runtime()
  if (names === null || parts.columns.length > mostColumns) return undefined
  const { text, uses } = layoutCode(parts)
  const scope: Record<string, unknown> = { ...names, ...uses, known: new Set(parts.columns.map(({ name }) => name)) }
  parts.salts.forEach((salt, i) => (scope[`s${i}`] = salt))
  return makeCode(scope, text) as HotPaths | undefined
}
