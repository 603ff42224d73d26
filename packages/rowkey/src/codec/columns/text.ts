// Tested by order.test.ts.
import type { ColumnCode, Emitter } from '../compile/column-code.js'
import type { TypeFactory } from '../type/column-type.js'
import type { Conversion, Encoding, Spelling, TypeImpl } from '../type/type-impl.js'
import { compareText } from '../compare.js'
import { plainCode } from '../compile/column-code.js'
import { makeType } from '../type/make-type.js'
import { readUtf8, utf8Length, writeUtf8 } from '../utf8.js'
import { readEscaped } from './bytes.js'

/** Text and what looks like text outside; always well-formed. */
export function textConversion(expected: string, fits: (text: string) => boolean): Conversion {
  const isFit = (given: unknown): given is string => typeof given === 'string' && given.isWellFormed() && fits(given)
  return { parse: (given) => (isFit(given) ? given : undefined), compare: compareText, expected }
}

/** Text that may be long. */
export const longTextConversion = (expected: string, fits: (text: string) => boolean): Conversion => ({
  ...textConversion(expected, fits),
  leastBytes: (given) => (typeof given === 'string' ? given.length : 0),
})

/** The text itself. */
export const textSpelling = (encoding: Encoding<string>): Spelling => ({ write: String, read: (text) => text, encoding })

/** UTF-8 in the escape of {@link bytes}. */
export const textEncoding: Encoding<string> = {
  minBytes: 2,
  maxBytes: Infinity,
  size(value) {
    let size = utf8Length(value) + 2
    for (let i = value.indexOf('\0'); i >= 0; i = value.indexOf('\0', i + 1)) size++
    return size
  },
  write(target, at, value) {
    const end = writeUtf8(target, at, value, true)
    target[end] = 0
    target[end + 1] = 0
    return end + 2
  },
  read: (reader) => readUtf8(readEscaped(reader)) ?? reader.fail('the text is not UTF-8'),
}

function textCode(emit: Emitter): ColumnCode {
  const other = (v: string): string => `${v}=text.other(b,s,${emit.mask});if(${v}===undefined)return;p=text.end;`
  // Reads ahead as long as it is ASCII, which is nearly always to the end.
  const ascii = (v: string): string =>
    `while(p<n&&(c=b[p])!==0&&c<128)p++;if(p+1<n&&c===0&&b[p+1]===0){${v}=text.ascii(b,s,p);p+=2}else{${other(v)}}`
  return {
    ...plainCode,
    uses: { compareText },
    misfit: (v) => `typeof ${v}!=="string"`,
    room: (v) => `(3*${v}.length+2)`,
    write: (v, writeText) => `p=${writeText}(b,p,${v},${emit.mask});if(p<0)return -1;`,
    read: (v) => `s=p;${emit.isDescending ? other(v) : ascii(v)}`,
    compare: emit.compareBy('compareText'),
  }
}

export const textImpl: TypeImpl = {
  conversion: () => longTextConversion('well-formed text (no lone surrogate)', () => true),
  storage: () => ({ class: 'text', restricted: false }),
  encoding: () => textEncoding,
  compile: (_, emit) => textCode(emit),
  fromJSON: (options) => text(options),
  startsWith: true,
  spelling: () => textSpelling(textEncoding),
  hashesAsText: () => true,
  kudu: 'raw',
}

/**
 * Text, ordered by code point. Bytes: UTF-8 with `00` → `00 01`, then `00 00`. Any well-formed string, NUL included.
 *
 * @throws RowkeyError `INVALID_VALUE` on encoding a string with a lone surrogate.
 * @example
 * ```ts
 * toHex(keyLayout([['host', text()]]).encode({ host: 'web' })) //=> '7765620000'
 * ```
 */
export const text: TypeFactory<string, 'range' | 'prefix'> = (options?: object) => makeType({ kind: 'text' }, textImpl, options)
