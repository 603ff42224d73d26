// Tested by order.test.ts.
import type { ColumnCode, Emitter } from '../compile/column-code.js'
import type { TypeFactory } from '../type/column-type.js'
import type { Encoding, TypeImpl } from '../type/type-impl.js'
import { compareFloats } from '../compare.js'
import { plainCode } from '../compile/column-code.js'
import { makeType } from '../type/make-type.js'

function float(kind: 'float32' | 'float64', bytes: 4 | 8, expected: string): TypeImpl {
  const fits = bytes === 8 ? () => true : (given: number) => Object.is(Math.fround(given), given)
  const encoding = floatEncoding(bytes)
  const impl: TypeImpl = {
    conversion: () => ({
      // A NaN may have a payload, which stores would keep or lose. -0 stays: only in keys it becomes 0, by its encoding.
      parse: (given) => (typeof given === 'number' && fits(given) ? (Number.isNaN(given) ? NaN : given) : undefined),
      compare: compareFloats,
      expected,
    }),
    storage: () => ({ class: 'float', bytes }),
    encoding: () => encoding,
    compile: (_, emit) => (bytes === 4 ? float32Code(emit) : float64Code(emit)),
    fromJSON: (options) => makeType({ kind }, impl, options),
  }
  return impl
}

const eightBytes = /* @__PURE__ */ new ArrayBuffer(8)
const memory = /* @__PURE__ */ new DataView(eightBytes)
const memoryBytes = /* @__PURE__ */ new Uint8Array(eightBytes)

/** IEEE 754 big-endian; positive: sign bit flipped, negative: all bits complemented. NaN has one form, above Infinity. */
function floatEncoding(bytes: 4 | 8): Encoding<number> {
  return {
    minBytes: bytes,
    maxBytes: bytes,
    size: () => bytes,
    write(target, at, value) {
      if (Number.isNaN(value))
        setCanonicalNaN(bytes) // engines may keep a payload
      else if (bytes === 4)
        memory.setFloat32(0, value + 0) // -0 + 0 is 0
      else memory.setFloat64(0, value + 0)
      const flip = (memoryBytes[0] as number) >= 0x80 ? 0xff : 0
      for (let i = 0; i < bytes; i++) target[at + i] = (memoryBytes[i] as number) ^ flip
      if (flip === 0) target[at] = (target[at] as number) ^ 0x80
      return at + bytes
    },
    read(reader) {
      reader.copyInto(memoryBytes, reader.advance(bytes), bytes)
      const first = memoryBytes[0] as number
      if (first >= 0x80) memoryBytes[0] = first ^ 0x80
      else for (let i = 0; i < bytes; i++) memoryBytes[i] = (memoryBytes[i] as number) ^ 0xff
      const value = bytes === 4 ? memory.getFloat32(0) : memory.getFloat64(0)
      if (Object.is(value, -0)) reader.fail('-0 is written as 0')
      if (Number.isNaN(value) && !isCanonicalNaN(bytes)) reader.fail('this is not the one encoding of NaN')
      return value
    },
  }
}

function setCanonicalNaN(bytes: 4 | 8): void {
  memory.setUint32(0, bytes === 4 ? 0x7fc00000 : 0x7ff80000)
  memory.setUint32(4, 0)
}

function isCanonicalNaN(bytes: 4 | 8): boolean {
  return bytes === 4 ? memory.getUint32(0) === 0x7fc00000 : memory.getUint32(0) === 0x7ff80000 && memory.getUint32(4) === 0
}

/** NaN has one form and is rare: the interpreter writes and reads it. */
function float64Code(emit: Emitter): ColumnCode {
  return {
    ...plainCode,
    uses: { compareFloats },
    misfit: (v) => `typeof ${v}!=="number"||${v}!==${v}`,
    room: () => '8',
    write: (v) => `f64[0]=${v}+0;t=w[H];u=w[L];if(t<0){t=~t;u=~u}else t^=-2147483648;${emit.put('t', 4)}${emit.put('u', 4, 4)}p+=8;`,
    read: (v) =>
      emit.fixed(
        8,
        `t=${emit.get(4)};u=${emit.get(4, 4)};if(t<0)t^=-2147483648;else{t=~t;u=~u}w[H]=t;w[L]=u;${v}=f64[0];${oneForm(v, 't|u')}`,
      ),
    compare: emit.compareBy('compareFloats'),
  }
}

function float32Code(emit: Emitter): ColumnCode {
  return {
    ...plainCode,
    uses: { compareFloats },
    misfit: (v) => `typeof ${v}!=="number"||Math.fround(${v})!==${v}`,
    room: () => '4',
    write: (v) => `f32[0]=${v}+0;t=w[0];if(t<0)t=~t;else t^=-2147483648;${emit.put('t', 4)}p+=4;`,
    read: (v) => emit.fixed(4, `t=${emit.get(4)};if(t<0)t^=-2147483648;else t=~t;w[0]=t;${v}=f32[0];${oneForm(v, 't')}`),
    compare: emit.compareBy('compareFloats'),
  }
}

/** NaN and -0 are for the interpreter. */
const oneForm = (v: string, bits: string): string => `if(${v}!==${v}||(${v}===0&&(${bits})!==0))return;`

export const float32Impl: TypeImpl = /* @__PURE__ */ float('float32', 4, 'a number that 32-bit floats hold exactly (Math.fround)')
export const float64Impl: TypeImpl = /* @__PURE__ */ float('float64', 8, 'a number')

/**
 * 32-bit float; only numbers that it holds exactly. Bytes: IEEE 754 big-endian, sign bit flipped, negatives complemented; -0 is
 * written as 0, NaN as `ffc00000`, above Infinity.
 *
 * @example
 * ```ts
 * toHex(keyLayout([['x', float32()]]).encode({ x: 1.5 })) //=> 'bfc00000'
 * ```
 */
export const float32: TypeFactory<number, 'range'> = (options?: object) => makeType({ kind: 'float32' }, float32Impl, options)
/**
 * 64-bit float. Bytes: as {@link float32} in 8 bytes; NaN is `fff8000000000000`.
 *
 * @example
 * ```ts
 * toHex(keyLayout([['x', float64()]]).encode({ x: -1 })) //=> '400fffffffffffff'
 * ```
 */
export const float64: TypeFactory<number, 'range'> = (options?: object) => makeType({ kind: 'float64' }, float64Impl, options)
