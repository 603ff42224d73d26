// Tested by order.test.ts.
import type { ColumnCode, Emitter } from '../compile/column-code.js'
import type { ColumnType, NoDefault, TypeFactory, TypeOptions } from '../type/column-type.js'
import type { Reader } from '../type/reader.js'
import type { Encoding, TypeImpl } from '../type/type-impl.js'
import { isBytes } from '../built-in.js'
import { compareBytes } from '../compare.js'
import { plainCode } from '../compile/column-code.js'
import { writeBytes } from '../compile/text-writer.js'
import { show } from '../show.js'
import { invalidType, makeType } from '../type/make-type.js'

/** Bytes of any length: `00` → `00 01`, ended by `00 00`. */
const bytesEncoding: Encoding<Uint8Array> = {
  minBytes: 2,
  maxBytes: Infinity,
  size(value) {
    const { length } = value
    let size = length + 2
    for (let i = 0; i < length; i++) if (value[i] === 0) size++
    return size
  },
  write: (target, at, value) => writeBytes(target, at, value, 0),
  read: readEscaped,
}

/** Reads up to the end of the escape. */
export function readEscaped(reader: Reader): Uint8Array {
  const from = reader.at
  let escapes = 0
  for (;;) {
    reader.passZero()
    const next = reader.byte()
    if (next === 0) break
    if (next !== 1) reader.fail('00 is followed by 00 or 01')
    escapes++
  }
  const value = new Uint8Array(reader.at - from - 2 - escapes)
  if (escapes === 0) {
    reader.copyInto(value, from, value.length)
    return value
  }
  for (let i = from, to = 0; to < value.length; i++, to++) {
    const byte = reader.byteAt(i)
    value[to] = byte
    if (byte === 0) i++
  }
  return value
}

/** Expression: a byte on its way in or out. */
const byteCode = (emit: Emitter, byte: string): string => (emit.isDescending ? `(255^${byte})` : byte)

function bytesCode(emit: Emitter): ColumnCode {
  const next = byteCode(emit, 'b[p++]')
  /** Finds the end; `s` is where it began, `u` how many escapes are in it. */
  const scan = `s=p;u=0;for(;;){if(p>=n)return;c=${next};if(c!==0)continue;if(p>=n)return;c=${next};if(c===0)break;if(c!==1)return;u++}`
  return {
    ...plainCode,
    uses: { compareBytes, isBytes, writeBytes },
    misfit: (v) => `!isBytes(${v})`,
    mayOverlap: true,
    room: (v) => `(2*${v}.length+2)`,
    write: (v) => `p=writeBytes(b,p,${v},${emit.mask});`,
    read: (v) => `${scan}${v}=new Uint8Array(p-2-s-u);for(t=0;s<p-2;s++){c=${byteCode(emit, 'b[s]')};${v}[t++]=c;if(c===0)s++}`,
    compare: emit.compareBy('compareBytes'),
  }
}

export const bytesImpl: TypeImpl = {
  conversion: () => ({
    parse: (given) => (isBytes(given) ? given : undefined),
    leastBytes: (given) => (isBytes(given) ? given.length : 0),
    compare: compareBytes,
    expected: 'a Uint8Array',
  }),
  storage: () => ({ class: 'bytes' }),
  encoding: () => bytesEncoding,
  compile: (_, emit) => bytesCode(emit),
  fromJSON: (options) => bytes(options),
  kudu: 'raw',
}

/**
 * Bytes of any length, compared unsigned. Encoded like text: `00` → `00 01`, then `00 00`.
 *
 * @example
 * ```ts
 * toHex(keyLayout([['b', bytes()]]).encode({ b: new Uint8Array([0, 255]) })) //=> '0001ff0000'
 * ```
 */
export const bytes: TypeFactory<Uint8Array, 'range'> = (options?: object) => makeType({ kind: 'bytes' }, bytesImpl, options)

function fixedBytesEncoding(length: number): Encoding<Uint8Array> {
  return {
    minBytes: length,
    maxBytes: length,
    size: () => length,
    write(target, at, value) {
      target.set(value, at)
      return at + length
    },
    read: (reader) => reader.copyFrom(reader.advance(length)),
  }
}

/** So many bytes fit into locals. */
const fewBytes = 16

function fixedBytesCode(width: number, emit: Emitter): ColumnCode {
  const length = width | 0 // a number, whatever a forged type says: it becomes code
  const each = (code: (i: number) => string, separator: string): string => Array.from({ length }, (_, i) => code(i)).join(separator)
  const writing: Pick<ColumnCode, 'mayOverlap' | 'load' | 'write'> =
    length > fewBytes
      ? { mayOverlap: true, write: (v) => `for(t=0;t<${length};t++)b[p+t]=${byteCode(emit, `${v}[t]`)};p+=${length};` }
      : {
          load: (v) => `let ${each((i) => `${v}_${i}`, ',')};if(${v}!==null){${each((i) => `${v}_${i}=${v}[${i}]`, ';')}}`,
          write: (v) => `${each((i) => `b[p+${i}]=${byteCode(emit, `${v}_${i}`)}`, ';')};p+=${length};`,
        }
  return {
    ...plainCode,
    ...writing,
    uses: { compareBytes, isBytes },
    misfit: (v) => `!isBytes(${v})||${v}.length!==${length}`,
    room: () => String(length),
    read: (v) => emit.fixed(length, `${v}=new Uint8Array(${length});for(t=0;t<${length};t++)${v}[t]=${byteCode(emit, 'b[p+t]')};`),
    compare: emit.compareBy('compareBytes'),
  }
}

export const fixedBytesImpl: TypeImpl = {
  conversion: ({ width }) => ({
    parse: (given) => (isBytes(given) && given.length === width ? given : undefined),
    compare: compareBytes,
    expected: `a Uint8Array of ${width} bytes`,
  }),
  storage: ({ width = 0 }) => ({ class: 'bytes', length: width }),
  encoding: ({ width = 0 }) => fixedBytesEncoding(width),
  compile: ({ width = 0 }, emit) => fixedBytesCode(width, emit),
  fromJSON: (options, { width }) => fixedBytes(width as number, options),
  positional: ['width'],
  parameters: ({ width }) => [String(width)],
}

/**
 * Exactly `length` bytes, written as they are.
 *
 * @throws RowkeyError `INVALID_COLUMN_TYPE` if `length` is not from 1 to 1000.
 * @example
 * ```ts
 * toHex(keyLayout([['b', fixedBytes(2)]]).encode({ b: new Uint8Array([0, 255]) })) //=> '00ff'
 * ```
 */
export function fixedBytes(length: number, options?: NoDefault): ColumnType<Uint8Array, 'range'>
export function fixedBytes(
  length: number,
  options: TypeOptions & { readonly default: Uint8Array },
): ColumnType<Uint8Array, 'range' | 'default'>
export function fixedBytes(length: number, options?: TypeOptions): ColumnType<Uint8Array, 'range'> {
  if (!Number.isInteger(length) || length < 1 || length > 1000) {
    throw invalidType('fixedBytes', `fixedBytes(${show(length)}) needs a length from 1 to 1000.`)
  }
  return makeType({ kind: 'fixedBytes', width: length }, fixedBytesImpl, options)
}
