// Tested by pasted.test.ts.
import { fromHex } from 'rowkey/codec'
import { show } from 'rowkey/internal'

/** One line of a dump. */
export interface DumpLine {
  readonly offset: string
  /** None in the last line of hexdump and od, which has the length. */
  readonly bytes: readonly number[]
  /** Whether they were words of two bytes, the second one first. */
  readonly isWords: boolean
  readonly fault: string | undefined
}

/** `00000000: 0c77 6562  .web` of xxd and tcpdump. */
const xxd = /^\s*(?:0x)?([0-9a-f]{4,16}): +(\S+(?: \S+)*)(?: {2,}(.*))?$/i
/** `00000000  0c 77  |.w|` of hexdump -C, `0000000 0c 77  >.w<` of od. */
const bytewise = /^\s*([0-9a-f]{6,16}) {1,2}([0-9a-z]{2}(?: {1,2}[0-9a-z]{1,2})*) *(?:[|>](.*)[|<])?$/i
/** The same with a digit lost, or something else in its place. */
const slipped = /^\s*([0-9a-f]{8}) {1,3}([0-9a-z-]{1,2}(?: {1,3}[0-9a-z-]{1,2})*) *\|(.*)\|$/i
/** `0000000 770c 6265` of hexdump and od -x. */
const wordwise = /^\s*([0-9a-f]{6,8})((?: +[0-9a-z]{3,4})+) *$/i
const lengthAlone = /^\s*([0-9a-f]{6,16})$/i
/** Escapes and octal digits of od. */
const octal = /^\s*([0-7]{7})((?: {2,}\S+| [0-7]{3}| [0-7]{6})+)$/

/** A line as a part of a dump; undefined if it is none. */
export function lineOfDump(text: string): DumpLine | undefined {
  const end = lengthAlone.exec(text)
  if (end !== null) return { offset: end[1] as string, bytes: [], isWords: false, fault: undefined }
  const line = xxd.exec(text) ?? bytewise.exec(text) ?? slipped.exec(text)
  if (line !== null) {
    const [, offset = '', body = '', gutter] = line
    return ofDigits(offset, body.replaceAll(' ', ''), gutter)
  }
  const words = wordwise.exec(text)
  if (words !== null) {
    const { bytes, ...rest } = ofDigits(words[1] as string, (words[2] as string).replaceAll(' ', ''), undefined)
    return { ...rest, bytes: [...littleEndian(Uint8Array.from(bytes))], isWords: true }
  }
  const other = octal.exec(text)
  return other === null
    ? undefined
    : {
        offset: other[1] as string,
        bytes: [0],
        isWords: false,
        fault: 'the dump is not in hexadecimal digits. Print it with xxd or hexdump -C',
      }
}

/** Each pair of bytes in the other order. */
export function littleEndian(bytes: Uint8Array): Uint8Array {
  const turned = Uint8Array.from(bytes)
  for (let at = 0; at + 1 < turned.length; at += 2) [turned[at], turned[at + 1]] = [turned[at + 1] as number, turned[at] as number]
  return turned
}

function ofDigits(offset: string, digits: string, gutter: string | undefined): DumpLine {
  const line = (bytes: readonly number[], fault?: string): DumpLine => ({ offset, bytes, isWords: false, fault })
  // As many as were printed: the line with the length comes after them.
  const unread = Array.from({ length: Math.ceil(digits.length / 2) }, () => 0)
  const wrong = digits.search(/[^0-9a-f]/i)
  if (wrong >= 0) return line(unread, `the line at offset ${offset} has ${show(digits[wrong])}, which is no hexadecimal digit`)
  if (digits.length % 2 === 1) return line(unread, `the line at offset ${offset} has ${digits.length} hexadecimal digits, an odd number`)
  const bytes = [...fromHex(digits)]
  return line(bytes, gutter === undefined ? undefined : besides(offset, bytes, gutter))
}

/** What the characters next to the bytes say against them. Spaces at their start look like the space between both. */
function besides(offset: string, bytes: readonly number[], gutter: string): string | undefined {
  if (/[^\x20-\x7e]/.test(gutter)) return undefined
  const leading = bytes.findIndex((byte) => byte !== 0x20)
  for (let lost = leading < 0 ? bytes.length : leading; lost > 0; lost--) {
    if (contradiction(offset, bytes, ' '.repeat(lost) + gutter) === undefined) return undefined
  }
  return contradiction(offset, bytes, gutter)
}

function contradiction(offset: string, bytes: readonly number[], gutter: string): string | undefined {
  const count = bytes.length
  if (gutter.length > count || gutter.trimEnd().length > count || gutter.length < count - trailingSpaces(bytes))
    return `the line at offset ${offset} has ${count} bytes, and next to them ${gutter.length} characters`
  const at = bytes.findIndex((byte, i) => i < gutter.length && characterOf(byte) !== gutter[i])
  return at < 0
    ? undefined
    : `byte ${at} of the line at offset ${offset} is ${characterOf(bytes[at] as number) === '.' ? 'not printable' : show(characterOf(bytes[at] as number))}, and next to it is ${show(gutter[at])}`
}

const characterOf = (byte: number): string => (byte >= 0x20 && byte <= 0x7e ? String.fromCharCode(byte) : '.')

/** A paste may have lost spaces at the end of its lines. */
function trailingSpaces(bytes: readonly number[]): number {
  let count = 0
  while (count < bytes.length && bytes[bytes.length - 1 - count] === 0x20) count++
  return count
}
