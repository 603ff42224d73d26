// Tested by schema.test.ts.
// Values in the bytes of the CQL binary protocol. The driver could encode them too, but it follows options of the client and the types that it
// remembers for a statement. Those are wrong after a table was dropped and created again with other types. It sends Buffers as they are.

export function int8(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(1)
  bytes.writeInt8(value)
  return bytes
}

export function int16(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(2)
  bytes.writeInt16BE(value)
  return bytes
}

export function int32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeInt32BE(value)
  return bytes
}

export function int64(value: bigint): Buffer {
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeBigInt64BE(value)
  return bytes
}

export function float(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeFloatBE(value)
  return bytes
}

export function double(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeDoubleBE(value)
  return bytes
}

/** A 64-bit integer, of a number that contains it exactly, without a bigint in between. @throws RangeError for a fraction or NaN */
export function int64Of(value: number): Buffer {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a safe integer`)
  const bytes = Buffer.allocUnsafe(8)
  const high = Math.floor(value / 2 ** 32)
  bytes.writeInt32BE(high)
  bytes.writeUInt32BE(value - high * 2 ** 32, 4)
  return bytes
}

export const boolean = (value: boolean): Buffer => Buffer.of(value ? 1 : 0)

export const text = (value: string): Buffer => Buffer.from(value, 'utf8')

/** Shares the memory, because values of rows do not change. */
export const blob = (value: Uint8Array): Buffer => Buffer.from(value.buffer, value.byteOffset, value.length)

export const uuid = (value: string): Buffer => Buffer.from(value.replaceAll('-', ''), 'hex')

/** Days from 1970, plus 2^31. */
export function date(days: number): Buffer {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeUInt32BE(days + 0x8000_0000)
  return bytes
}

/** The shortest two's complement. There must be only one form, because partitions are found by these bytes. */
export function varint(value: bigint): Buffer {
  let length = 1
  while (BigInt.asIntN(length * 8, value) !== value) length++
  const digits = BigInt.asUintN(length * 8, value).toString(16)
  return Buffer.from(digits.padStart(length * 2, '0'), 'hex')
}

/** Always with the scale of the column, so that a number has only one form. */
export function decimal(value: string, scale: number): Buffer {
  return unscaled(BigInt(value.replace('.', '')), scale)
}

/** A decimal as its digits and its scale. */
export const unscaled = (digits: bigint, scale: number): Buffer => Buffer.concat([int32(scale), varint(digits)])

/** A list of values, for `IN ?`. */
export const listOf = (items: readonly Buffer[]): Buffer =>
  Buffer.concat([int32(items.length), ...items.flatMap((bytes) => [int32(bytes.length), bytes])])
