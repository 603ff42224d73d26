import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { AttributeCodec } from './attribute-codec.js'
import { isSameNumber } from './number-text.js'

/** What N holds: nothing nearer to zero, and nothing from here on. */
const least = 1e-130
const most = 1e126

/** Floats of 4 or 8 bytes: N where it holds them exactly, else their bytes. */
export function floatCodec(width: 4 | 8): AttributeCodec {
  return {
    toAttribute: (value) => (isNumber(value as number) ? { N: String(value) } : { B: bytesOf(value as number, width) }),
    toValue({ N, B }: AttributeValue) {
      if (N !== undefined) return numberOf(N, width)
      return B?.length === width ? floatOf(B) : undefined
    },
  }
}

function isNumber(value: number): boolean {
  const size = Math.abs(value)
  return (size >= least && size < most) || Object.is(value, 0)
}

/** Of what others may have written: a number that the column would have to round is none of its. */
function numberOf(text: string, width: 4 | 8): number | undefined {
  const value = Number(text) + 0 // no −0: N has one zero
  const isHeld = isNumber(value) && (width === 8 || Math.fround(value) === value)
  return isHeld && isSameNumber(text, String(value)) ? value : undefined
}

function bytesOf(value: number, width: 4 | 8): Uint8Array {
  const bytes = new Uint8Array(width)
  const view = new DataView(bytes.buffer)
  if (width === 4) view.setFloat32(0, value)
  else view.setFloat64(0, value)
  return bytes
}

function floatOf(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const value = bytes.length === 4 ? view.getFloat32(0) : view.getFloat64(0)
  return Number.isNaN(value) ? NaN : value // no payload
}
