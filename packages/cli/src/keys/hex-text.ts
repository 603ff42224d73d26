// Tested by pasted-forms.test.ts.
import { fromHex } from 'rowkey/codec'
import { show } from 'rowkey/internal'
import type { Unread } from './unread.js'

/** What a text is as hexadecimal digits. */
export interface HexText {
  readonly read: Uint8Array | Unread
  /** Whether it can be nothing else. */
  readonly isSure: boolean
}

/** A text of so many characters with so few others among its digits is a key with a slip of the hand. */
const [slipLength, slips] = [16, 2]
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Hexadecimal digits: together, after 0x, or in groups between spaces, colons, commas and dashes. Undefined for what is not written like them.
 *
 * @example
 * ```ts
 * readHex('77:65:62')?.read //=> Uint8Array(3) [ 119, 101, 98 ]
 * readHex('776')?.read      //=> { fault: '3 hexadecimal digits are an odd number, so half a byte is missing' }
 * ```
 */
export function readHex(text: string): HexText | undefined {
  const digits = /^(?:0x|U&|#)/i.test(text) && !/[ ,:]/.test(text) ? text.replace(/^0x/i, '') : text
  if (/^[0-9a-f]+$/i.test(digits)) return { read: wholeBytes(digits), isSure: true }
  if (digits !== text) return { read: notHex(digits, text.length - digits.length), isSure: true }
  if (uuid.test(text)) return { read: fromHex(text.replaceAll('-', '')), isSure: false }
  if (/^[0-9a-f]{2,}(?:\.{2,}|…)$/i.test(text)) return { read: { fault: 'it is cut off: it ends with dots' }, isSure: true }
  if (isSlip(text)) return { read: notHex(text, 0), isSure: true }
  return inGroups(text)
}

/** Digits that are together. */
export function wholeBytes(digits: string): Uint8Array | Unread {
  if (digits.length % 2 === 0) return fromHex(digits)
  return { fault: `${digits.length} hexadecimal digit${digits.length === 1 ? ' is' : 's are'} an odd number, so half a byte is missing` }
}

function notHex(digits: string, before: number): Unread {
  const at = digits.search(/[^0-9a-f]/i)
  if (at < 0) return { fault: 'it has no hexadecimal digits' }
  return {
    fault: `${show(String.fromCodePoint(digits.codePointAt(at) as number))} at character ${before + at + 1} is no hexadecimal digit`,
  }
}

function isSlip(text: string): boolean {
  const others = text.replace(/[0-9a-f]/gi, '')
  if (/^[a-z]$/i.test(others)) return text.length >= slipLength || (text.length >= slipLength / 2 && /\d/.test(text))
  if (text.length < slipLength || !/^[\x21-\x7e]+$/.test(text)) return false
  return others.length === 1 ? text.length >= 24 : others.length <= slips && /^[a-z]+$/i.test(others)
}

/** From so many groups on, it is no date, time or text in words. */
const sureGroups = 4

function inGroups(text: string): HexText | undefined {
  const groups = text.split(/[ ,:\t-]+/).filter((group) => group !== '')
  if (groups.length < 2) return undefined
  const bare = groups.map((group) => group.replace(/^0x(?=.)/i, ''))
  const isMarked = /^0x/i.test(text) && groups.every((group) => /^0x/i.test(group))
  if (isMarked) return ofBytes(bare)
  const width = widthOf(bare)
  if (width === undefined) return undefined
  const isSure = bare.length >= sureGroups
  const wrong = bare.findIndex((group, at) => !isGroup(group, width, at === bare.length - 1))
  if (wrong < 0) return { read: fromHex(bare.join('')), isSure }
  const fault = `group ${wrong + 1}, ${show(bare[wrong])}, is not ${width} hexadecimal digits`
  const isOdd = /^[0-9a-f]+$/i.test(bare[wrong] as string) && (bare[wrong] as string).length % 2 === 1
  return isSure || (isOdd && bare.length > 2) ? { read: { fault }, isSure: true } : undefined
}

/** A list in a program drops zeros: `0xc, 0x77`. */
function ofBytes(groups: readonly string[]): HexText {
  const wrong = groups.findIndex((group) => !/^[0-9a-f]{1,2}$/i.test(group))
  if (wrong >= 0)
    return { read: { fault: `entry ${wrong + 1}, ${show(groups[wrong])}, is not a byte in hexadecimal digits` }, isSure: true }
  return { read: fromHex(groups.map((group) => group.padStart(2, '0')).join('')), isSure: true }
}

const isGroup = (group: string, width: number, isLast: boolean): boolean =>
  /^[0-9a-f]+$/i.test(group) && (group.length === width || (isLast && group.length < width && group.length % 2 === 0))

/** The even number of digits that most groups have; undefined if most are no digits. */
function widthOf(groups: readonly string[]): number | undefined {
  return [2, 4, 8, 16].find((width) => {
    const same = groups.filter((group) => isGroup(group, width, false)).length
    return (
      same * 4 >= groups.length * 3 ||
      (same > 1 && same === groups.length - 1) ||
      (same === 1 && groups.length === 2 && isGroup(groups[1] as string, width, true))
    )
  })
}
