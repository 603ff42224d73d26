// Tested by pasted.test.ts.
import { isPlainObject } from 'rowkey/internal'
import { readBase64 } from './base64-text.js'
import type { Reading } from './key-forms.js'
import { readLine } from './shell-lines.js'
import { itemKey, printedForms } from './stored-key.js'

/** The longest JSON that is kept until it is closed. */
const maxLength = 1 << 27

/** JSON of several lines, as `aws dynamodb` prints it. */
export class OpenDocument {
  private readonly lines: string[] = []
  private length = 0
  private depth = 0
  private isText = false

  /** Whether a line may begin JSON: it has an open brace or bracket and JSON after it. */
  static mayBegin(text: string): boolean {
    return /^\s*(?:\{\s*(?:"|\}|$)|\[\s*(?:[[{"\d\]]|$))/.test(text)
  }

  /** Takes a line. True if the JSON is closed with it. */
  take(line: string): boolean {
    this.lines.push(line)
    this.length += line.length
    for (let at = 0; at < line.length; at++) {
      const unit = line.charCodeAt(at)
      if (this.isText) {
        if (unit === 0x5c) at++
        else if (unit === 0x22) this.isText = false
      } else if (unit === 0x22) this.isText = true
      else if (unit === 0x7b || unit === 0x5b) this.depth++
      else if (unit === 0x7d || unit === 0x5d) this.depth--
    }
    return this.depth <= 0 || this.length > maxLength
  }

  get isOneLine(): boolean {
    return this.lines.length === 1
  }

  /** The JSON; undefined if it is none. */
  parsed(): { readonly json: unknown } | undefined {
    try {
      return { json: JSON.parse(this.lines.join('\n')) as unknown }
    } catch {
      return undefined
    }
  }

  get fault(): string {
    if (this.length > maxLength) return `the JSON has more than ${maxLength} characters. Give its items one a line: jq -c '.Items[]'`
    return this.depth > 0 || this.isText ? 'the JSON is cut off: it is not closed' : 'it is no JSON'
  }
}

/** One key in JSON, and the text to tell of it. */
export interface Found {
  readonly text: string
  readonly reading: Reading | 'nothing'
}

/** The keys in JSON: those of items, byte arrays, and of texts if the JSON is nothing but texts. */
export function keysIn(json: unknown): readonly Found[] {
  const bytes = bytesOf(json)
  if (bytes !== undefined)
    return [{ text: JSON.stringify(json), reading: 'fault' in bytes ? bytes : { keys: [{ form: 'base64', bytes }] } }]
  if (typeof json === 'string') return [{ text: json, reading: readLine(json) }]
  if (Array.isArray(json)) return json.flatMap((each: unknown) => (isInside(each) ? keysIn(each) : []))
  return isPlainObject(json) ? inObject(json) : []
}

const isInside = (json: unknown): boolean => typeof json === 'string' || (typeof json === 'object' && json !== null)

function inObject(json: Readonly<Record<string, unknown>>): readonly Found[] {
  for (const { attributes = [] } of printedForms) {
    for (const [partition, sort] of attributes) {
      if (!isAttribute(json[partition]) && !isAttribute(json[sort])) continue
      const [p, s] = [json[partition], json[sort]].map((value) => (value === undefined ? undefined : bytesOf(value)))
      const text = JSON.stringify({ [partition]: json[partition], [sort]: json[sort] })
      return [{ text, reading: itemKey([partition, sort], p, s) }]
    }
  }
  // A record of a stream has the key once more in its images, and an answer has its last key twice.
  const only = isPlainObject(json['Keys']) ? ['Keys'] : Object.keys(json).filter((name) => !isSecond(name, json))
  return only.flatMap((name) => {
    const value = json[name]
    return typeof value === 'object' && value !== null ? keysIn(value) : []
  })
}

const isSecond = (name: string, { Items: items }: Readonly<Record<string, unknown>>): boolean =>
  name === 'LastEvaluatedKey' && Array.isArray(items) && items.length > 0

const isAttribute = (value: unknown): boolean => value !== undefined && bytesOf(value) !== undefined

/** Bytes as JSON has them: a list of numbers, what `JSON.stringify` makes of a Buffer or a Uint8Array, or an attribute of DynamoDB. */
function bytesOf(json: unknown): Uint8Array | { readonly fault: string } | undefined {
  if (Array.isArray(json)) return listOf(json)
  if (!isPlainObject(json)) return undefined
  const names = Object.keys(json)
  if (names.length === 2 && json['type'] === 'Buffer' && Array.isArray(json['data']))
    return listOf(json['data']) ?? { fault: 'its data are no bytes' }
  if (names.length === 1 && typeof json['B'] === 'string') return readBase64(json['B'])?.read ?? { fault: 'its B is no base64' }
  if (names.length === 1 && json['B'] !== undefined) return bytesOf(json['B'])
  return names.length > 0 && names.every((name, at) => name === String(at)) ? listOf(Object.values(json)) : undefined
}

const listOf = (list: readonly unknown[]): Uint8Array | undefined =>
  list.length > 0 && list.every((byte) => Number.isInteger(byte) && (byte as number) >= -128 && (byte as number) <= 255)
    ? Uint8Array.from(list as readonly number[])
    : undefined
