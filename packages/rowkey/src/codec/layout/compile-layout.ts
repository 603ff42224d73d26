// Tested by codegen.test.ts.
import type { Row } from '../type/column-type.js'
import type { LayoutParts } from './layout-parts.js'
import { isBytes } from '../built-in.js'
import { makeCode } from '../compile/make-code.js'
import { textReader, type TextReader } from '../compile/text-reader.js'
import { writeLong } from '../compile/text-writer.js'
import { layoutCode } from './layout-code.js'
import { copy, owned, scratch } from './scratch.js'

/**
 * The calls of a layout as code that was made for it. They handle the usual cases and leave the rest to the interpreter: for anything
 * unusual or wrong, writing returns -1 and reading undefined. So only the interpreter says what is wrong.
 */
export interface CompiledPaths {
  /** Where the partition columns ended in what {@link CompiledPaths.writeRow} wrote last; only in a layout that has such columns. */
  partitionEnd: number
  /** Into the scratch, a plain Uint8Array: a row, or a row without its partition columns. The offset after it, or -1. */
  writeRow(scratch: Uint8Array, at: number, row: Row): number
  writeRest(scratch: Uint8Array, at: number, row: Row): number
  readRow(bytes: Uint8Array): Row | undefined
  compare(a: Row, b: Row): number
  /** Counts a call that is not one of these; absent from a layout that is compiled or never will be. */
  count?(): void
  /**
   * The calls of a key layout, each made for it, so that the engine optimizes them for this layout alone and not for all layouts of the
   * process together. What the compiled code does not handle goes to `interpreter`. Absent until the layout is compiled.
   */
  calls?(interpreter: LayoutCalls): LayoutCalls
}

/** The calls of a key layout that are worth compiling. */
export interface LayoutCalls {
  encode(key: Record<string, unknown>): Uint8Array
  encodeInto(target: Uint8Array, offset: number, key: Record<string, unknown>): number
  decode(bytes: Uint8Array): Record<string, unknown>
  encodeRow(row: Row): Uint8Array
  encodeRowInto(target: Uint8Array, offset: number, row: Row): number
  decodeRow(bytes: Uint8Array): Row
}

/** What the text of a layout may name. */
interface Runtime {
  readonly text: TextReader
  readonly [name: string]: unknown
}

let shared: Runtime | null | undefined

/** Null if the host forbids code from text. It is asked once, because a browser reports every attempt. */
function runtime(): Runtime | null {
  if (shared !== undefined) return shared
  const text = textReader()
  shared = text === undefined ? null : { ...overlays(), copy, isBytes, owned, scratch, writeLong, text, salt: new Uint8Array(64) }
  return shared
}

/** One 8-byte memory seen as floats, as 64-bit integers and as two 32-bit words; `H` and `L` are the indexes of the high and the low one. */
function overlays(): Record<string, unknown> {
  const memory = new ArrayBuffer(8)
  const f64 = new Float64Array(memory)
  const w = new Int32Array(memory)
  f64[0] = 1 // 3ff00000 00000000
  const H = w[1] === 0 ? 0 : 1
  return { f64, f32: new Float32Array(memory), i64: new BigInt64Array(memory), u64: new BigUint64Array(memory), w, H, L: 1 - H }
}

/** With more columns the functions grow too large for the engine to optimize, and the interpreter is faster. */
const maxColumns = 64

/** Code for this layout, or undefined if the host forbids that. */
export function compileLayout(parts: LayoutParts): CompiledPaths | undefined {
  const names = runtime()
  if (names === null || parts.columns.length > maxColumns || parts.salts.some(({ size }) => size !== undefined)) return undefined
  const { text, uses } = layoutCode(parts)
  const scope: Record<string, unknown> = { ...names, ...uses, known: new Set(parts.columns.map(({ name }) => name)) }
  parts.salts.forEach((salt, i) => (scope[`s${i}`] = salt))
  return makeCode(scope, text) as CompiledPaths | undefined
}
