// Tested by order.test.ts, strict.test.ts and malformed.test.ts.
import type { ColumnCode, Emitter } from '../compile/column-code.js'
import type { ColumnType, NoDefault, TypeOptions } from '../type/column-type.js'
import type { Encoding, TypeImpl } from '../type/type-impl.js'
import { view } from '../built-in.js'
import { compareText } from '../compare.js'
import { plainCode } from '../compile/column-code.js'
import { show } from '../show.js'
import { invalidType, makeType } from '../type/make-type.js'
import { readUtf8, utf8Length, writeUtf8 } from '../utf8.js'
import { textConversion, textSpelling } from './text.js'

function fixedTextEncoding(width: number): Encoding<string> {
  return {
    minBytes: width,
    maxBytes: width,
    size: () => width,
    write: (target, at, value) => writeUtf8(target, at, value, false),
    read: (reader) => readUtf8(reader.copyFrom(reader.advance(width))) ?? reader.fail(`the text is not ${width} bytes of UTF-8`),
  }
}

const flip = (byte: number): number => 255 ^ byte

function fixedTextCode(width: number, emit: Emitter): ColumnCode {
  const length = width | 0 // a number, whatever a forged type says: it becomes code
  const bytes = emit.isDescending ? `new Uint8Array(view(b,p,p+${length})).map(flip)` : `view(b,p,p+${length})`
  return {
    ...plainCode,
    uses: { compareText, flip, readUtf8, utf8Length, view, writeUtf8 },
    misfit: (v) => `typeof ${v}!=="string"||!${v}.isWellFormed()||utf8Length(${v})!==${length}`,
    room: () => String(length),
    write: (v) => `t=p;p=writeUtf8(b,p,${v},false);${emit.isDescending ? 'for(;t<p;t++)b[t]^=255;' : ''}`,
    read: (v) => emit.fixed(length, `${v}=readUtf8(${bytes});if(${v}===undefined)return;`),
    compare: emit.compareBy('compareText'),
  }
}

export const fixedTextImpl: TypeImpl = {
  conversion({ width = 0 }) {
    return textConversion(`text of exactly ${width} bytes of UTF-8`, (text) => text.length <= width && utf8Length(text) === width)
  },
  storage: () => ({ class: 'text', restricted: true }),
  encoding: ({ width = 0 }) => fixedTextEncoding(width),
  compile: ({ width = 0 }, emit) => fixedTextCode(width, emit),
  spelling: ({ width = 0 }) => textSpelling(fixedTextEncoding(width)),
  fromJSON: (options, { width }) => fixedText(width as number, options),
  hashesAsText: () => true,
  positional: ['width'],
  parameters: ({ width }) => [String(width)],
}

/**
 * Text of exactly `width` bytes of UTF-8, without a terminator: numbers with leading zeros, dates as `20260131`, codes of one length. It has
 * the order of its values, and ranges.
 *
 * @throws RowkeyError `INVALID_COLUMN_TYPE` if `width` is not from 1 to 1000; on encoding `INVALID_VALUE` for text of another length.
 * @example
 * ```ts
 * toHex(keyLayout([['day', fixedText(8)]]).encode({ day: '20260131' })) //=> '3230323630313331'
 * ```
 */
export function fixedText(width: number, options?: NoDefault): ColumnType<string, 'range'>
export function fixedText(width: number, options: TypeOptions & { readonly default: string }): ColumnType<string, 'range' | 'default'>
export function fixedText(width: number, options?: TypeOptions): ColumnType<string, 'range'> {
  if (!Number.isInteger(width) || width < 1 || width > 1000) {
    throw invalidType('fixedText', `fixedText(${show(width)}) needs a width from 1 to 1000.`)
  }
  return makeType({ kind: 'fixedText', width }, fixedTextImpl, options)
}
