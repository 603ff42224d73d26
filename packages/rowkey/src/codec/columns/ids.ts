// Tested by decimals-and-ids.test.ts.
import type { ColumnType, NoDefault, TypeFactory, TypeOptions } from '../type/column-type.js'
import type { Encoding, TypeImpl } from '../type/type-impl.js'
import { hexOf } from '../built-in.js'
import { compareText } from '../compare.js'
import { quoted, show } from '../show.js'
import { invalidType, makeType } from '../type/make-type.js'
import { textConversion } from './text.js'

/**
 * The hex digits of a UUID, version digit first and the clock of version 1 from its high part to its low one.
 * Source: Apache Cassandra 5.0, UUIDType, byte-comparable form.
 */
function timedHex(uuid: string): string {
  const [low = '', middle = '', high = '', ...rest] = uuid.split('-')
  const first = high.startsWith('1') ? high + middle + low : `${high.slice(0, 1)}${low}${middle}${high.slice(1)}`
  return first + rest.join('')
}

/** The UUID of such digits. */
function untimed(hex: string): string {
  const parts = hex.startsWith('1')
    ? [hex.slice(8, 16), hex.slice(4, 8), hex.slice(0, 4)]
    : [hex.slice(1, 9), hex.slice(9, 13), hex.slice(0, 1) + hex.slice(13, 16)]
  return [...parts, hex.slice(16, 20), hex.slice(20)].join('-')
}

const hexDigit = (unit: number): number => (unit <= 0x39 ? unit - 0x30 : unit - 0x57)

function sixteenBytes(
  write: (target: Uint8Array, at: number, text: string) => void,
  read: (bytes: Uint8Array) => string,
): Encoding<string> {
  return {
    minBytes: 16,
    maxBytes: 16,
    size: () => 16,
    write(target, at, text) {
      write(target, at, text)
      return at + 16
    },
    read: (reader) => read(reader.copyFrom(reader.advance(16))),
  }
}

/** Hex digits as bytes; dashes between two bytes are skipped. */
function writeHex(target: Uint8Array, at: number, digits: string): void {
  for (let i = 0; i < digits.length; i += 2) {
    if (digits.charCodeAt(i) === 0x2d) i++
    target[at++] = (hexDigit(digits.charCodeAt(i)) << 4) | hexDigit(digits.charCodeAt(i + 1))
  }
}

/** The 16 bytes of a UUID in text order. */
const uuidEncoding: Encoding<string> = /* @__PURE__ */ sixteenBytes(writeHex, (bytes) => {
  const hex = hexOf(bytes)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
})

/** Version first, clocks from high to low. */
const timedUuidEncoding: Encoding<string> = /* @__PURE__ */ sixteenBytes(
  (target, at, text) => {
    writeHex(target, at, timedHex(text))
  },
  (bytes) => untimed(hexOf(bytes)),
)

const base32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const valueOf32 = /* @__PURE__ */ Object.fromEntries(Array.from(base32, (character, value) => [character, value]))

/** The 128 bits of a ULID. Its 26 characters hold 130: the first one has only three. Source: the ULID specification, binary layout. */
const ulidEncoding: Encoding<string> = /* @__PURE__ */ sixteenBytes(
  (target, at, text) => {
    let bits = 0
    let held = -2 // the two surplus bits come first and are zero
    for (const character of text) {
      bits = (bits << 5) | (valueOf32[character] as number)
      held += 5
      if (held < 8) continue
      held -= 8
      target[at++] = bits >>> held
      bits &= (1 << held) - 1
    }
  },
  (bytes) => {
    let text = ''
    let bits = 0
    let held = 2
    for (const byte of bytes) {
      bits = (bits << 8) | byte
      held += 8
      for (; held >= 5; bits &= (1 << held) - 1) {
        held -= 5
        text += base32[bits >>> held] as string
      }
    }
    return text
  },
)

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const ulidShape = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/

export const uuidImpl: TypeImpl = {
  conversion({ order }) {
    const conversion = textConversion('a UUID in lower case, 8-4-4-4-12', (text) => uuidShape.test(text))
    return order === 'time' ? { ...conversion, compare: (a: string, b: string) => compareText(timedHex(a), timedHex(b)) } : conversion
  },
  storage: ({ order }) => ({ class: 'text', format: order === 'time' ? 'time-uuid' : 'uuid', restricted: true }),
  encoding: ({ order }) => (order === 'time' ? timedUuidEncoding : uuidEncoding),
  fromJSON: (options, { order }) => uuid(order === undefined ? options : { ...options, order: order as 'time' }),
  defaults: ['uuid'],
  beginsWithTime: ({ order }) => order === 'time',
  parameters: ({ order }) => (order === undefined ? [] : [`{ order: ${quoted(order)} }`]),
}

export const ulidImpl: TypeImpl = {
  conversion: () => textConversion('a ULID, 26 characters of base 32 in upper case, the first from 0 to 7', (text) => ulidShape.test(text)),
  storage: () => ({ class: 'text', format: 'ascii', restricted: true }),
  encoding: () => ulidEncoding,
  fromJSON: (options) => ulid(options),
  defaults: ['ulid'],
  beginsWithTime: () => true,
}

/** Options of {@link uuid}: `order: 'time'` puts UUIDs with a clock in order of time. */
export interface UuidOptions extends TypeOptions {
  readonly order?: 'time'
}

/**
 * A UUID as lower-case text. Bytes: the 16 bytes in text order, so byte order is text order. `default: 'uuid'` makes a random one (version 4) on
 * insert and put, in order of time (version 7) with `{ order: 'time' }`.
 *
 * With `{ order: 'time' }` the first eight bytes are rearranged: the version digit, then for version 1 the high, middle and low part of
 * its clock, for all others the other digits in text order. So those of version 1, 6 and 7 each sort by time, and predicates
 * compare in that order. The bytes are those of Cassandra's `uuid` in its byte-comparable form.
 *
 * @throws RowkeyError `INVALID_COLUMN_TYPE` for another order.
 * @example
 * ```ts
 * toHex(keyLayout([['id', uuid()]]).encode({ id: '00112233-4455-6677-8899-aabbccddeeff' })) //=> '00112233445566778899aabbccddeeff'
 * const timed = keyLayout([['id', uuid({ order: 'time' })]])
 * toHex(timed.encode({ id: '2a92d750-d8dc-11e6-a2de-cf8ecd4cf053' })) //=> '11e6d8dc2a92d750a2decf8ecd4cf053'
 * ```
 */
export function uuid(options?: UuidOptions & NoDefault): ColumnType<string, 'range'>
export function uuid(options: UuidOptions & { readonly default: string }): ColumnType<string, 'range' | 'default'>
export function uuid(options?: UuidOptions): ColumnType<string, 'range'> {
  const order = options?.order
  if (order === undefined) return makeType({ kind: 'uuid' }, uuidImpl, options, ['order'])
  if (order === 'time') return makeType({ kind: 'uuid', order }, uuidImpl, options, ['order'])
  throw invalidType('uuid', `uuid({ order: ${show(order)} }) is not supported. Use 'time', or leave it out for the order of the text.`)
}

/**
 * A ULID: 26 characters of Crockford's base 32 in upper case. Bytes: its 128 bits, 16 bytes, so byte order is text order, which is
 * order of time. `default: 'ulid'` makes one on insert and put.
 *
 * @example
 * ```ts
 * toHex(keyLayout([['id', ulid()]]).encode({ id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' })) //=> '01563e3ab5d3d6764c61efb99302bd5b'
 * ```
 */
export const ulid: TypeFactory<string, 'range', 'ulid'> = (options?: object) => makeType({ kind: 'ulid' }, ulidImpl, options)
