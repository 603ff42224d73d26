import { viewForm, type BytesForm } from './bytes-form.js'

/**
 * `Bytes.toBytes(double)`: the 8 bytes of IEEE 754, big-endian. Not ordered: negative values sort after positive ones, the lowest last.
 * -0 and 0 differ. NaN has one form, that of Java's `Double.NaN`; JavaScript cannot distinguish others, so they are refused.
 *
 * @example
 * ```ts
 * toHex(bytesDouble.encode(100)) //=> '4059000000000000'
 * bytesDouble.decode(bytesDouble.encode(-0)) //=> -0
 * ```
 */
export const bytesDouble: BytesForm<number> = viewForm<number>('bytesDouble', 8, {
  fits: (given): given is number => typeof given === 'number',
  wants: 'a number',
  set(view, value) {
    if (Number.isNaN(value)) view.setUint32(0, 0x7ff80000)
    else view.setFloat64(0, value)
  },
  get(view, reader) {
    const value = view.getFloat64(0)
    const foreign = Number.isNaN(value) && (view.getUint32(0) !== 0x7ff80000 || view.getUint32(4) !== 0)
    return foreign ? reader.fail('NaN is written as 7ff8000000000000') : value
  },
})

/**
 * `Bytes.toBytes(float)`: the 4 bytes of IEEE 754, big-endian; a number that 32 bits hold exactly. Order, -0 and NaN as
 * {@link bytesDouble}.
 *
 * @example
 * ```ts
 * toHex(bytesFloat.encode(-1)) //=> 'bf800000'
 * bytesFloat.encode(0.1)       //=> throws INVALID_VALUE
 * ```
 */
export const bytesFloat: BytesForm<number> = viewForm<number>('bytesFloat', 4, {
  fits: (given): given is number => typeof given === 'number' && Object.is(Math.fround(given), given),
  wants: 'a number that 32-bit floats hold exactly (Math.fround)',
  set(view, value) {
    if (Number.isNaN(value)) view.setUint32(0, 0x7fc00000)
    else view.setFloat32(0, value)
  },
  get(view, reader) {
    const value = view.getFloat32(0)
    return Number.isNaN(value) && view.getUint32(0) !== 0x7fc00000 ? reader.fail('NaN is written as 7fc00000') : value
  },
})
