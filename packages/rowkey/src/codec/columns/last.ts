// Tested by order.test.ts and open-end.test.ts.
import type { ColumnCode, Emitter } from '../compile/column-code.js'
import type { TypeFactory } from '../type/column-type.js'
import type { Encoding, TypeImpl } from '../type/type-impl.js'
import { isBytes, view } from '../built-in.js'
import { compareBytes, compareText } from '../compare.js'
import { plainCode } from '../compile/column-code.js'
import { makeType } from '../type/make-type.js'
import { lastEnd } from '../type/open-end.js'
import { rawBytes, rawText } from '../type/raw-encoding.js'
import { readUtf8, writeUtf8 } from '../utf8.js'
import { longTextConversion, textSpelling } from './text.js'

// A key is never empty, and the column may be all of it.
const notEmpty = <V extends string | Uint8Array>(raw: Encoding<V>): Encoding<V> => ({
  ...raw,
  openEnd: lastEnd,
  minBytes: 1,
  read: (reader) => (reader.left === 0 ? reader.fail('the last column is empty') : raw.read(reader)),
})
const lastTextEncoding = /* @__PURE__ */ notEmpty(rawText)
const lastBytesEncoding = /* @__PURE__ */ notEmpty(rawBytes)

function lastTextCode(emit: Emitter): ColumnCode {
  return {
    ...plainCode,
    uses: { compareText, readUtf8, view, writeUtf8 },
    misfit: (v) => `typeof ${v}!=="string"||${v}.length===0||!${v}.isWellFormed()`,
    room: (v) => `3*${v}.length`,
    write: (v) => `p=writeUtf8(b,p,${v},false);`,
    read: (v) =>
      `s=p;if(s>=n)return;while(p<n&&b[p]<128)p++;if(p===n)${v}=text.ascii(b,s,n);else{${v}=readUtf8(view(b,s,n));if(${v}===undefined)return;p=n}`,
    compare: emit.compareBy('compareText'),
  }
}

function lastBytesCode(emit: Emitter): ColumnCode {
  return {
    ...plainCode,
    uses: { compareBytes, isBytes, view },
    misfit: (v) => `!isBytes(${v})||${v}.length===0`,
    mayOverlap: true,
    room: (v) => `${v}.length`,
    write: (v) => `b.set(${v},p);p+=${v}.length;`,
    read: (v) => `if(p>=n)return;${v}=new Uint8Array(view(b,p,n));p=n;`,
    compare: emit.compareBy('compareBytes'),
  }
}

export const lastTextImpl: TypeImpl = {
  conversion: () => longTextConversion('well-formed text (no lone surrogate) that is not empty', (text) => text !== ''),
  storage: () => ({ class: 'text', restricted: true }),
  encoding: () => lastTextEncoding,
  compile: (_, emit) => lastTextCode(emit),
  spelling: () => textSpelling(lastTextEncoding),
  fromJSON: (options) => lastText(options),
  startsWith: true,
  hashesAsText: () => true,
  kudu: 'encoded',
}

/**
 * Text at the end of a key: its UTF-8 without escapes and terminator, as programs write the last part of a key. Only the last column can have
 * this type. It has the order of its values, ranges and `startsWith`, and is not empty. The key is the beginning of other keys.
 *
 * @throws RowkeyError `INVALID_VALUE` on encoding empty text or a lone surrogate.
 * @example
 * ```ts
 * toHex(keyLayout([['host', text()], ['path', lastText()]]).encode({ host: 'web', path: '/a' })) //=> '77656200002f61'
 * keyLayout([['path', lastText()], ['n', uint8()]])                                             //=> throws INVALID_LAYOUT
 * ```
 */
export const lastText: TypeFactory<string, 'range' | 'prefix'> = (options?: object) => makeType({ kind: 'lastText' }, lastTextImpl, options)

export const lastBytesImpl: TypeImpl = {
  conversion: () => ({
    parse: (given) => (isBytes(given) && given.length > 0 ? given : undefined),
    leastBytes: (given) => (isBytes(given) ? given.length : 0),
    compare: compareBytes,
    expected: 'a Uint8Array that is not empty',
  }),
  storage: () => ({ class: 'bytes' }),
  encoding: () => lastBytesEncoding,
  compile: (_, emit) => lastBytesCode(emit),
  fromJSON: (options) => lastBytes(options),
  kudu: 'encoded',
}

/**
 * Bytes at the end of a key, as they are. Like {@link lastText}, only the last column can have this type. It has the order of its values and
 * ranges, and is not empty. The key is the beginning of other keys.
 *
 * @throws RowkeyError `INVALID_VALUE` on encoding no bytes.
 * @example
 * ```ts
 * toHex(keyLayout([['b', lastBytes()]]).encode({ b: new Uint8Array([0, 255]) })) //=> '00ff'
 * ```
 */
export const lastBytes: TypeFactory<Uint8Array, 'range'> = (options?: object) => makeType({ kind: 'lastBytes' }, lastBytesImpl, options)
