import type { TypeFactory } from '../type/column-type.js'
import { plainCode } from '../compile/column-code.js'
import { makeType } from '../type/make-type.js'
import type { Encoding, TypeImpl } from '../type/type-impl.js'

/** `00` and `01`. */
const boolEncoding: Encoding<boolean> = {
  minBytes: 1,
  maxBytes: 1,
  size: () => 1,
  write(target, at, value) {
    target[at] = value ? 1 : 0
    return at + 1
  },
  read(reader) {
    const byte = reader.byte()
    if (byte > 1) reader.fail('a bool is 00 or 01')
    return byte === 1
  },
}

export const boolImpl: TypeImpl = {
  conversion: () => ({
    parse: (given) => (typeof given === 'boolean' ? given : undefined),
    compare: (a: boolean, b: boolean) => Number(a) - Number(b),
    expected: 'true or false',
  }),
  storage: () => ({ class: 'boolean' }),
  encoding: () => boolEncoding,
  compile: (_, emit) => ({
    ...plainCode,
    misfit: (v) => `typeof ${v}!=="boolean"`,
    room: () => '1',
    write: (v) => `${emit.put(`(${v}?1:0)`, 1)}p++;`,
    read: (v) => emit.fixed(1, `t=${emit.get(1)};if(t>1)return;${v}=t===1;`),
    compare: emit.compareValues,
  }),
  fromJSON: (options) => bool(options),
}

/**
 * `false` before `true`. Bytes: `00` or `01`.
 *
 * @example
 * ```ts
 * toHex(keyLayout([['done', bool()]]).encode({ done: true })) //=> '01'
 * ```
 */
export const bool: TypeFactory<boolean, 'range'> = (options?: object) => makeType({ kind: 'bool' }, boolImpl, options)
