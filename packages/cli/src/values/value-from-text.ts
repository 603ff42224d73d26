import { fromHex, type TypeData, type Value } from 'rowkey/codec'
import { derived, type SchemaColumn, show, showName, type Storage, typeFacts, valueFromJSON, values } from 'rowkey/internal'
import { Failure } from '../failure.js'
import { dayOf, instantOf } from './instants.js'

/** What a text can mean for a column. */
interface Read {
  /** The canonical value; undefined if the text is none. */
  readonly value: Value | undefined
  /** Completes "Give …". */
  readonly expected: string
}

/**
 * A value as the application has it, from text as people write it. `null` is null for a column that can be null. Text that begins with a
 * double quote is a JSON string.
 *
 * @throws Failure for text that the column cannot hold; RowkeyError `INVALID_VALUE`
 * @example
 * ```ts
 * valueFromText({ name: 'n', type: uint8() }, '7') //=> 7
 * ```
 */
export function valueFromText(column: Pick<SchemaColumn, 'name' | 'type'>, text: string): unknown {
  if (text === 'null' && column.type.nullable) return null
  return plainValue(column, unquoted(column.name, text))
}

/** The same of text without quotes, which is never null. */
export const plainValue = (column: Pick<SchemaColumn, 'name' | 'type'>, text: string): unknown => plainReader(column)(text)

/** Reads many texts of one column as {@link plainValue} does. */
export function plainReader({ name, type }: Pick<SchemaColumn, 'name' | 'type'>): (text: string) => unknown {
  const { toValue } = values(derived(type, { nullable: false }), name)
  return (text) => {
    const { value, expected } = read(type, text)
    if (value === undefined) throw new Failure(`column '${showName(name)}' cannot hold ${show(text)}. Give ${expected}.`)
    const given = ofApplication(type, value)
    toValue(given) // refuses what is out of range
    return given
  }
}

function unquoted(name: string, text: string): string {
  if (!text.startsWith('"')) return text
  try {
    const inner: unknown = JSON.parse(text)
    if (typeof inner === 'string') return inner
  } catch {
    // refused below
  }
  throw new Failure(`the value of column '${showName(name)}' begins with a double quote, but ${show(text)} is not a JSON string.`)
}

function read(type: TypeData, text: string): Read {
  const { storage } = typeFacts(type)
  switch (storage.class) {
    case 'boolean':
      return { value: text === 'true' ? true : text === 'false' ? false : undefined, expected: 'true or false' }
    case 'int':
      return integer(storage, text)
    case 'bigint':
      return large(storage, text)
    case 'float':
      return { value: numberOf(text), expected: 'a number, such as 1.5, NaN or -Infinity' }
    case 'decimal':
      return { value: decimalOf(text, storage.scale), expected: `a decimal number with at most ${storage.scale} digits after the point` }
    case 'bytes':
      return { value: bytesOf(text), expected: 'bytes as hexadecimal digits, such as 00ff' }
    case 'json':
    case 'text':
      return { value: storage.class === 'text' && storage.format?.endsWith('uuid') === true ? text.toLowerCase() : text, expected: 'text' }
  }
}

function integer({ counts, min, max }: Extract<Storage, { class: 'int' }>, text: string): Read {
  if (counts === 'days') return { value: dayOf(text), expected: 'a day, such as 2026-01-31' }
  if (counts === 'ms') {
    const ms = instantOf(text, 'ms')
    return { value: ms === undefined ? undefined : Number(ms), expected: instantExpected }
  }
  return { value: /^[+-]?\d{1,20}$/.test(text) ? Number(text) : undefined, expected: `an integer from ${min} to ${max}` }
}

function large({ counts, min, max }: Extract<Storage, { class: 'bigint' }>, text: string): Read {
  if (counts !== undefined) return { value: instantOf(text, counts), expected: instantExpected }
  return { value: /^-?\d{1,20}n?$/.test(text) ? BigInt(text.replace('n', '')) : undefined, expected: `an integer from ${min} to ${max}` }
}

const instantExpected = 'an instant, such as 2026-01-31T12:00:00Z, or a number of units since 1970'

function numberOf(text: string): number | undefined {
  if (/^(?:NaN|[+-]?Infinity)$/.test(text)) return Number(text)
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return undefined
  const number = Number(text)
  // What is beyond the numbers that there are would become another one.
  return Number.isFinite(number) && (number !== 0 || !/^[^e]*[1-9]/i.test(text)) ? number : undefined
}

/** With exactly the digits after the point that the column has. */
function decimalOf(text: string, scale: number): string | undefined {
  const [, sign = '', whole = '', fraction = ''] = /^([+-]?)(\d{1,40})(?:\.(\d{1,40}))?$/.exec(text) ?? []
  if (whole === '' || fraction.length > scale) return undefined
  const digits = `${whole.replace(/^0+(?=\d)/, '')}${scale === 0 ? '' : `.${fraction.padEnd(scale, '0')}`}`
  return sign === '-' && /[1-9]/.test(digits) ? `-${digits}` : digits
}

function bytesOf(text: string): Uint8Array | undefined {
  const digits = text.replace(/^0x/i, '')
  return /^(?:[0-9a-f]{2})*$/i.test(digits) ? fromHex(digits) : undefined
}

/** A canonical value as the application has it, which is what conditions and keys are made of. */
function ofApplication(type: TypeData, value: Value): unknown {
  const { storage, jsType } = typeFacts(type)
  switch (jsType) {
    case 'Date':
      return new Date(Number(value) * (storage.class === 'int' && storage.counts === 'days' ? 86_400_000 : 1))
    case 'bigint':
      return typeof value === 'bigint' ? value : BigInt(value as number)
    case 'number':
      return Number(value)
    case 'string':
      return String(value)
    case 'boolean':
    case 'Uint8Array':
    case undefined:
      return storage.class === 'json' ? valueFromJSON(value as string) : value
  }
}
