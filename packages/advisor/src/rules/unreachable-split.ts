// Tested by split-points.test.ts.
import { fromHex } from 'rowkey/codec'
import { counted, typeFacts } from 'rowkey/internal'
import type { AdviceRule } from '../finding.js'
import { factsOf, hintOf } from '../subject/store-profile.js'
import { figure, type Subject } from '../subject/subject.js'

/** Regions that are named in the evidence. */
const maxNamed = 3

/** Regions between split points where no key can be are empty for ever. */
export const unreachableSplit: AdviceRule = {
  code: 'unreachable-split',
  stage: 'store',
  guides: ['G-34'],
  find(subject) {
    const { store, schema } = subject
    const { splits: hint } = factsOf(store) ?? {}
    const splits = hint === undefined ? undefined : hintOf(schema, hint.store, hint.hint)
    if (!Array.isArray(splits) || !splits.every(isHex)) return []
    const points = splits.map((split) => split.toLowerCase()).sort()
    const first = firstBytes(subject)
    const regions = ['', ...points].map((from, at) => ({ from, to: points[at] }))
    const empty = regions.filter(({ from, to }) => !hasKeys(first, from, to))
    if (empty.length === 0) return []
    const named = empty.slice(0, maxNamed).map(({ from, to }) => `${from === '' ? 'the start' : from} to ${to ?? 'the end'}`)
    const more = empty.length > maxNamed ? ', …' : ''
    return [
      {
        severity: 'warning',
        evidence: `${figure(empty.length)} of ${counted(regions.length, 'region')} can have no key: ${named.join(', ')}${more}; keys begin with ${first.text}`,
        message: `No key of '${schema.name}' comes between these split points, so their regions stay empty and the others take everything.`,
        fix: `Cut where keys are: splits as a number for buckets, or rowkeys that layout.rowkey() makes of values.`,
      },
    ]
  },
}

const isHex = (split: unknown): split is string => typeof split === 'string' && /^(?:[0-9a-fA-F]{2})+$/.test(split)

/** What the first bytes of keys can be. */
interface FirstBytes {
  readonly text: string
  /** The first ones from some bytes on, those of the lowest key that is not before them; undefined if all keys are before them. */
  from(bytes: Uint8Array): readonly number[] | undefined
}

/** Whether there can be a key from one point on, and before another one. */
function hasKeys(first: FirstBytes, from: string, to: string | undefined): boolean {
  const lowest = first.from(fromHex(from))
  return lowest !== undefined && (to === undefined || isBefore(lowest, fromHex(to)))
}

function isBefore(a: readonly number[], b: Uint8Array): boolean {
  const differs = a.findIndex((byte, at) => byte !== b[at])
  return differs < 0 ? a.length < b.length : (a[differs] ?? 0) < (b[differs] ?? -1)
}

/** Those of the buckets, of printable text, otherwise all. */
function firstBytes({ schema }: Subject): FirstBytes {
  const [level] = schema.salt
  if (level?.decimalDigits !== undefined) return digits(level.decimalDigits, [[0x30, 0x39]], '30 to 39, digits')
  if (level?.digits !== undefined) return digits(level.digits, [[0x30, 0x39], [0x61, 0x66]], '30 to 39 and 61 to 66, hexadecimal digits') // prettier-ignore
  if (level !== undefined) return numbers(level.bytes ?? (level.count <= 256 ? 1 : 2), level.count)
  const type = schema.columns[0]?.type
  const storage = type === undefined ? undefined : typeFacts(type).storage
  const isText = storage?.class === 'text' && storage.format === undefined
  return isText && type !== undefined && !type.desc && !type.nullable ? digits(1, [[0x20, 0xf4]], '20 to f4') : digits(0, [], '')
}

/** So many bytes of some ranges, and any after them. */
const digits = (length: number, ranges: readonly (readonly [from: number, to: number])[], text: string): FirstBytes => ({
  text,
  from(bytes) {
    const next = (byte: number): number | undefined => {
      const range = ranges.find(([, to]) => byte <= to)
      return range === undefined ? undefined : Math.max(byte, range[0])
    }
    const lowest = next(0) ?? 0
    const found = [...bytes]
    for (let at = 0; at < length; at++) {
      const byte = next(bytes[at] ?? 0)
      if (byte !== undefined && byte === bytes[at]) continue
      if (byte !== undefined) return [...found.slice(0, at), byte, ...Array.from({ length: length - at - 1 }, () => lowest)]
      // None is so high here, so the one before has to be higher.
      for (let before = at - 1; before >= 0; before--) {
        const higher = next((bytes[before] ?? 0) + 1)
        if (higher !== undefined) return [...found.slice(0, before), higher, ...Array.from({ length: length - before - 1 }, () => lowest)]
      }
      return undefined
    }
    return found
  },
})

/** A number below a count in so many bytes, and any after them. */
const numbers = (length: number, count: number): FirstBytes => ({
  text: `${hex(0, length)} to ${hex(count - 1, length)}`,
  from(bytes) {
    const whole = Array.from({ length }, (_, at) => bytes[at] ?? 0)
    if (whole.reduce((number, byte) => number * 256 + byte, 0) >= count) return undefined
    return [...whole, ...bytes.subarray(length)]
  },
})

const hex = (number: number, bytes: number): string => number.toString(16).padStart(2 * bytes, '0')
