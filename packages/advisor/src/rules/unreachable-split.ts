import type { AdviceRule, RuleFinding } from '../finding.js'
import { typeFacts } from 'rowkey/internal'
import { factsOf, hintOf } from '../subject/store-profile.js'
import { figure, type Subject } from '../subject/subject.js'

/** Regions between split points that no key can reach are empty for ever. */
export const unreachableSplit: AdviceRule = {
  code: 'unreachable-split',
  stage: 'store',
  guides: ['G-34'],
  find(subject) {
    const { store, schema } = subject
    const { splits: hint } = factsOf(store) ?? {}
    const splits = hint === undefined ? undefined : hintOf(schema, hint.store, hint.hint)
    if (!Array.isArray(splits)) return []
    const range = firstBytes(subject)
    const outside = splits.filter((split): split is string => {
      const byte = typeof split === 'string' ? Number.parseInt(split.slice(0, 2), 16) : NaN
      return byte > range.max || byte < range.min
    })
    if (outside.length === 0) return []
    const found: RuleFinding = {
      severity: 'warning',
      evidence: `${figure(outside.length)} of ${figure(splits.length)} split points outside ${hex(range.min)} to ${hex(range.max)}, the first bytes of keys`,
      message: `No key of '${schema.name}' comes near these split points, so their regions stay empty and the others take everything.`,
      fix: `Cut where keys are: splits as a number for buckets, or rowkeys that layout.rowkey() makes of values.`,
    }
    return [found]
  },
}

const hex = (byte: number): string => byte.toString(16).padStart(2, '0')

/** The first bytes that keys can have: of the buckets, of printable text, otherwise all. */
function firstBytes({ schema }: Subject): { readonly min: number; readonly max: number } {
  const [level] = schema.salt
  if (level?.decimalDigits !== undefined) return { min: 0x30, max: 0x39 }
  if (level !== undefined && level.digits === undefined) {
    const bytes = level.bytes ?? (level.count <= 256 ? 1 : 2)
    return { min: 0, max: Math.floor((level.count - 1) / 256 ** (bytes - 1)) }
  }
  if (level !== undefined) return { min: 0x30, max: 0x66 }
  const type = schema.columns[0]?.type
  const storage = type === undefined ? undefined : typeFacts(type).storage
  const isText = storage?.class === 'text' && storage.format === undefined
  return isText && type !== undefined && !type.desc && !type.nullable ? { min: 0x20, max: 0xf4 } : { min: 0, max: 255 }
}
