// Tested by value-from-text.test.ts.
import { toHex, type TypeData, type Value } from 'rowkey/codec'
import { typeFacts, visible } from 'rowkey/internal'
import { dayText, instantText } from './instants.js'

/** Canonical values of one column as text that {@link valueFromText} reads again. */
export type TextOf = (value: Value) => string

/** Characters that can stand in a line without quotes, and cannot be taken for anything else. */
const plainCharacters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:;/+@#%&*~^!?$-'
const plain = Array.from({ length: 128 }, (_, unit) => plainCharacters.includes(String.fromCharCode(unit)))

/** Whether a UTF-16 unit needs no quotes in a line, and no escape in JSON. */
export const isPlain = (unit: number): boolean => unit < 128 && plain[unit] === true

/** Whether a text can stand in a line as it is. */
function isBare(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (!isPlain(text.charCodeAt(at))) return false
  return text !== '' && text !== 'null'
}

/**
 * How values of a column are written in a line: bare words if that is clear, otherwise JSON strings.
 *
 * @example
 * ```ts
 * const { line, json } = textsOf(text())
 * line('web-1') //=> 'web-1'
 * line('a b')   //=> '"a b"'
 * json('a b')   //=> '"a b"'
 * ```
 */
export function textsOf(type: TypeData): { readonly line: TextOf; readonly json: TextOf; readonly bare: TextOf } {
  const { storage } = typeFacts(type)
  const isText = storage.class === 'text' || storage.class === 'json'
  const isLiteral = storage.class === 'boolean' || (storage.class === 'int' && storage.counts === undefined)
  const bare = bareText(type)
  const quote = (text: string): string => visible(JSON.stringify(text))
  const line: TextOf = !isText ? bare : (value) => (isBare(value as string) ? (value as string) : quote(value as string))
  const json: TextOf = isLiteral
    ? bare
    : isText
      ? (value) => JSON.stringify(value)
      : (value) => (storage.class === 'float' && Number.isFinite(value) && !Object.is(value, -0) ? String(value) : `"${bare(value)}"`)
  const orNull =
    (text: TextOf): TextOf =>
    (value) =>
      value === null ? 'null' : text(value)
  return type.nullable ? { line: orNull(line), json: orNull(json), bare: orNull(bare) } : { line, json, bare }
}

function bareText(type: TypeData): TextOf {
  const { storage } = typeFacts(type)
  if (storage.class === 'bytes') return (value) => `0x${toHex(value as Uint8Array)}`
  if (storage.class === 'int' && storage.counts === 'ms') return (value) => new Date(value as number).toISOString()
  if (storage.class === 'int' && storage.counts === 'days') return (value) => dayText(value as number)
  if (storage.class === 'bigint' && storage.counts !== undefined) {
    const unit = storage.counts
    return (value) => instantText(value as bigint, unit)
  }
  return (value) => (Object.is(value, -0) ? '-0' : String(value))
}
