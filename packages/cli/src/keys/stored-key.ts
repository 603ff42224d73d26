// Tested by pasted.test.ts.
import { stores, type PrintedKeys } from '../store-list.js'
import type { ReadKey, Reading } from './key-forms.js'
import type { Unread } from './unread.js'
import { readBase64 } from './base64-text.js'
import { readLine } from './shell-lines.js'

/** How the stores whose tools print rowkeys print them. */
export const printedForms: readonly PrintedKeys[] = Object.values(stores).flatMap(({ printed }) => printed ?? [])

/** The stores whose tools print rowkeys. */
export const printingStores: readonly string[] = Object.keys(stores).filter((name) => stores[name]?.printed !== undefined)

/** Whether the keys that a store's tools print are rowkeys as they are. */
export const isPlainStore = (store: string | undefined): boolean =>
  store === undefined || Object.keys(stores[store]?.printed ?? {}).length === 0

const tagged = printedForms.flatMap(({ tag }) => tag ?? [])

const withoutTag = (bytes: Uint8Array, tag: number): Uint8Array | undefined => (bytes[0] === tag ? bytes.subarray(1) : undefined)

/** A key whose two attributes are known, each with the byte of the store before it. */
export function itemKey(
  [partition, sort]: readonly [string, string],
  p: Uint8Array | Unread | undefined,
  s: Uint8Array | Unread | undefined,
): Reading | 'nothing' {
  if (p === undefined || s === undefined)
    return { fault: `it has no bytes ${p === undefined ? partition : sort}, which is half of the key` }
  if ('fault' in p) return { fault: `${partition}: ${p.fault}` }
  if ('fault' in s) return { fault: `${sort}: ${s.fault}` }
  const { tag = 0, own } = printedForms.find(({ attributes }) => attributes !== undefined) ?? {}
  if (p[0] === own) return 'nothing'
  const parts = [withoutTag(p, tag), withoutTag(s, tag)]
  const [first, second] = parts
  if (first === undefined || second === undefined)
    return { fault: `${first === undefined ? partition : sort} does not begin with the byte 0${tag}, as the key attributes of rowkey do` }
  return { keys: [{ form: 'attribute', bytes: Uint8Array.of(...first, ...second), partition: first.length }] }
}

/**
 * What a reading means for a store: its own bytes are taken away. Without a store, bytes that begin as a key attribute does may also be one.
 */
export function asStored(reading: Reading, text: string, store: string | undefined): Reading | 'nothing' {
  if (store === undefined)
    return 'fault' in reading || !reading.keys.some(({ form }) => form === 'base64')
      ? reading
      : { ...reading, keys: reading.keys.flatMap((key) => [key, ...attributesIn(key)]) }
  const { tag, prefix, attributes } = stores[store]?.printed ?? {}
  if (prefix !== undefined) return afterPrefix(reading, prefix)
  return tag === undefined || attributes === undefined
    ? reading
    : ofAttributes(reading, text, tag, attributes[0] as readonly [string, string])
}

/** Hexadecimal digits are what rowkey itself prints, so they are not doubted. */
const attributesIn = ({ form, bytes, partition }: ReadKey): readonly ReadKey[] =>
  form !== 'base64' || partition !== undefined || bytes.length < 2 || !tagged.includes(bytes[0] as number)
    ? []
    : [{ form: 'attribute', bytes: bytes.subarray(1), partition: 0 }]

function afterPrefix(reading: Reading, prefix: number): Reading {
  if ('fault' in reading) return reading
  const keys = reading.keys.filter(({ bytes }) => bytes.length > prefix).map((key) => ({ ...key, bytes: key.bytes.subarray(prefix) }))
  return keys.length > 0
    ? { ...reading, keys }
    : { fault: `a key in this store begins with ${prefix} bytes of its table, and this one has no more` }
}

function ofAttributes(reading: Reading, text: string, tag: number, names: readonly [string, string]): Reading | 'nothing' {
  const parts = text.split(/[\s,|]+/).filter((part) => part !== '')
  if (parts.length === 2) {
    const [p, s] = parts.map((part) => attributeIn(part, tag) ?? partOf(readLine(part), tag))
    if (p !== undefined && s !== undefined) return itemKey(names, p, s)
  }
  if ('fault' in reading) return reading
  if (reading.keys.every(({ partition }) => partition !== undefined)) return reading
  const keys = reading.keys.flatMap(({ bytes }): readonly ReadKey[] => {
    const rest = withoutTag(bytes, tag)
    return rest === undefined ? [] : [{ form: 'attribute', bytes: rest, partition: 0 }]
  })
  return keys.length > 0 ? { keys } : { fault: `it does not begin with the byte 0${tag}, as the key attributes of rowkey do` }
}

/** An attribute as base64, whatever else it looks like. */
function attributeIn(text: string, tag: number): Uint8Array | undefined {
  const read = readBase64(text)?.read
  return read instanceof Uint8Array && read[0] === tag ? read : undefined
}

/** The bytes of an attribute: of what its text can be, those that begin as one does. */
function partOf(line: ReturnType<typeof readLine>, tag: number): Uint8Array | Unread | undefined {
  if (line === 'nothing' || 'fault' in line) return line === 'nothing' ? undefined : line
  return (line.keys.find(({ bytes }) => bytes[0] === tag) ?? line.keys[0])?.bytes
}
