import type { Encoding } from './encoding.js'
import { lastInstant } from '../values/integer-range.js'

/** `00` and `01`. */
export const boolEncoding: Encoding<boolean> = {
  minBytes: 1,
  maxBytes: 1,
  size: () => 1,
  write(target, at, value) {
    target[at] = value ? 1 : 0
    return at + 1
  },
  read(reader, flip) {
    const byte = (reader.bytes[reader.take(1)] as number) ^ flip
    if (byte > 1) reader.fail('a bool is 00 or 01')
    return byte === 1
  },
}

/** Integers of 1, 2 or 4 bytes, big-endian; signed ones with the sign bit flipped. */
export function integerEncoding(bytes: 1 | 2 | 4, signed: boolean): Encoding<number> {
  const bias = signed ? 2 ** (bytes * 8 - 1) : 0
  return {
    minBytes: bytes,
    maxBytes: bytes,
    size: () => bytes,
    write(target, at, value) {
      const unsigned = value + bias
      for (let i = 0; i < bytes; i++) target[at + i] = unsigned >>> (8 * (bytes - 1 - i))
      return at + bytes
    },
    read(reader, flip) {
      const from = reader.take(bytes)
      let unsigned = 0
      for (let i = 0; i < bytes; i++) unsigned = unsigned * 256 + ((reader.bytes[from + i] as number) ^ flip)
      return unsigned - bias
    },
  }
}

const scratch = new DataView(new ArrayBuffer(8))
const scratchBytes = new Uint8Array(scratch.buffer)

function fill(bytes: Uint8Array, from: number, flip: number, length: number): void {
  for (let i = 0; i < length; i++) scratchBytes[i] = (bytes[from + i] as number) ^ flip
}

/** 64-bit integers as bigint. The sign bit is flipped in the bytes, not by bigint arithmetic. */
export function wideEncoding(signed: boolean): Encoding<bigint> {
  const sign = signed ? 0x80 : 0
  return {
    minBytes: 8,
    maxBytes: 8,
    size: () => 8,
    write(target, at, value) {
      scratch.setBigUint64(0, value) // takes the low 64 bits, so negative values come out in two's complement
      target[at] = (scratchBytes[0] as number) ^ sign
      for (let i = 1; i < 8; i++) target[at + i] = scratchBytes[i] as number
      return at + 8
    },
    read(reader, flip) {
      fill(reader.bytes, reader.take(8), flip, 8)
      scratchBytes[0] = (scratchBytes[0] as number) ^ sign
      return signed ? scratch.getBigInt64(0) : scratch.getBigUint64(0)
    },
  }
}

/** Epoch milliseconds as a number, in the bytes of an int64. */
export const millisecondsEncoding: Encoding<number> = {
  minBytes: 8,
  maxBytes: 8,
  size: () => 8,
  write(target, at, value) {
    const high = Math.floor(value / 2 ** 32) ^ 0x80000000
    for (let i = 0; i < 4; i++) target[at + i] = high >>> (24 - 8 * i)
    for (let i = 0; i < 4; i++) target[at + 4 + i] = (value % 2 ** 32) >>> (24 - 8 * i)
    return at + 8
  },
  read(reader, flip) {
    fill(reader.bytes, reader.take(8), flip, 8)
    const value = (scratch.getInt32(0) ^ 0x80000000) * 2 ** 32 + scratch.getUint32(4)
    if (Math.abs(value) > lastInstant) reader.fail('the instant is beyond ±8.64e15 ms')
    return value
  },
}

const lastDay = lastInstant / 86_400_000

/** Days since 1970-01-01 in the bytes of an int32. */
export const dateEncoding: Encoding<number> = {
  ...integerEncoding(4, true),
  read(reader, flip) {
    const days = integerEncoding(4, true).read(reader, flip)
    if (Math.abs(days) > lastDay) reader.fail('the day is beyond ±100,000,000')
    return days
  },
}

/** IEEE 754 big-endian; positive: sign bit flipped, negative: all bits complemented. NaN has one form, above Infinity. */
export function floatEncoding(bytes: 4 | 8): Encoding<number> {
  const set =
    bytes === 4
      ? (value: number) => {
          scratch.setFloat32(0, value)
        }
      : (value: number) => {
          scratch.setFloat64(0, value)
        }
  const get = bytes === 4 ? () => scratch.getFloat32(0) : () => scratch.getFloat64(0)
  return {
    minBytes: bytes,
    maxBytes: bytes,
    size: () => bytes,
    write(target, at, value) {
      if (Number.isNaN(value))
        setCanonicalNaN(bytes) // engines may keep a payload
      else set(value + 0) // -0 + 0 is 0
      const flip = (scratchBytes[0] as number) >= 0x80 ? 0xff : 0
      for (let i = 0; i < bytes; i++) target[at + i] = (scratchBytes[i] as number) ^ flip
      if (flip === 0) target[at] = (target[at] as number) ^ 0x80
      return at + bytes
    },
    read(reader, flip) {
      fill(reader.bytes, reader.take(bytes), flip, bytes)
      const first = scratchBytes[0] as number
      if (first >= 0x80) scratchBytes[0] = first ^ 0x80
      else for (let i = 0; i < bytes; i++) scratchBytes[i] = (scratchBytes[i] as number) ^ 0xff
      const value = get()
      if (Object.is(value, -0)) reader.fail('-0 is written as 0')
      if (Number.isNaN(value) && !isCanonicalNaN(bytes)) reader.fail('NaN has one form')
      return value
    },
  }
}

function setCanonicalNaN(bytes: 4 | 8): void {
  scratch.setUint32(0, bytes === 4 ? 0x7fc00000 : 0x7ff80000)
  scratch.setUint32(4, 0)
}

function isCanonicalNaN(bytes: 4 | 8): boolean {
  return bytes === 4 ? scratch.getUint32(0) === 0x7fc00000 : scratch.getUint32(0) === 0x7ff80000 && scratch.getUint32(4) === 0
}
