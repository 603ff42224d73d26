// Tested by decode.test.ts.
import { compareKeys, isRowkeyError, keyLayout, type KeyPart, type Row, type Value } from 'rowkey/codec'
import type { TableSchema } from 'rowkey'
import { computedColumns, showName, type SchemaColumn } from 'rowkey/internal'
import type { ReadKey, Reading } from './key-forms.js'
import type { Unread } from './unread.js'
import { textsOf, type TextOf } from '../values/text-of-value.js'
import { keyColumns } from './key-of-values.js'

/** A table whose keys are decoded. */
export interface Decoder {
  readonly schema: TableSchema
  /** The columns as `host=web-1 at=…`. */
  line(key: Row): string
  /** The columns as the members of a JSON object. */
  json(key: Row): string
  /** The key; a text that says why it is none of this table. */
  decode(bytes: Uint8Array): Row | string
}

/**
 * A decoder for one table.
 *
 * @example
 * ```ts
 * const { decode } = decoderOf(schema)
 * decode(new Uint8Array()) //=> "column 'host' at byte 0: …"
 * ```
 */
export function decoderOf(schema: TableSchema): Decoder {
  const columns = keyColumns(schema)
  const lines = joined(columns.map(({ name, type }, at) => [`${at === 0 ? '' : ' '}${name}=`, textsOf(type).line]))
  const members = joined(columns.map(({ name, type }, at) => [`${at === 0 ? '' : ','}${JSON.stringify(name)}:`, textsOf(type).json]))
  const wrongPeriod = wrongPeriodOf(schema)
  const into: Value[] = []
  return {
    schema,
    line: lines,
    json: members,
    decode(bytes) {
      try {
        schema.layout.decode(bytes, into)
        const wrong = wrongPeriod?.(into)
        return wrong === undefined ? into : `${wrong}: ${lines(into)}`
      } catch (error) {
        if (!isRowkeyError(error, 'MALFORMED_KEY')) throw error
        const { column, offset, reason } = error.details
        return `byte ${offset}, ${column === 'salt' ? 'the salt' : `column '${column}'`}: ${reason}`
      }
    },
  }
}

/** What is wrong with the period of a key, which decodes but is none that rowkey makes; undefined for tables without periods. */
function wrongPeriodOf(schema: TableSchema): ((key: Row) => string | undefined) | undefined {
  const wrong = computedColumns(schema).map(({ position, source, from }) => {
    const { compare } = schema.layout.column(position)
    const [column, of] = [schema.columns[position], schema.columns[source]] as [SchemaColumn, SchemaColumn]
    const [text, textOfSource] = [textsOf(column.type).line, textsOf(of.type).line]
    return (key: Row): string | undefined => {
      const [value, instant] = [key[position], key[source]] as [Value, Value]
      const right = from(instant)
      return compare(value, right) === 0
        ? undefined
        : `column '${showName(column.name)}' is ${text(value)}, but '${showName(of.name)}' is ${textOfSource(instant)}, which makes it ${text(right)}`
    }
  })
  return wrong.length === 0 ? undefined : (key) => wrong.map((each) => each(key)).find((text) => text !== undefined)
}

/** Values with a text before each. */
function joined(parts: readonly (readonly [before: string, text: TextOf])[]): (key: Row) => string {
  const before = parts.map(([text]) => text)
  const texts = parts.map(([, text]) => text)
  return (key) => {
    let line = ''
    for (let at = 0; at < texts.length; at++) line += (before[at] as string) + (texts[at] as TextOf)(key[at] as Value)
    return line
  }
}

/** Whose keys are decoded: those of the one table that the caller has named, or of any table, each of which is tried. */
export type Target = { readonly one: Decoder } | { readonly any: readonly Decoder[] }

const decodersOf = (target: Target): readonly Decoder[] => ('one' in target ? [target.one] : target.any)

/** One table's answer to one key. */
export interface Verdict {
  readonly decoder: Decoder
  readonly key: ReadKey
  /** The columns; undefined if it is no key of this table. */
  readonly row: Row | undefined
  readonly reason: string
}

/**
 * What each table says to a key; nothing if its text could not be read. A table takes a text that only one of its forms makes a key. Of a text that several
 * do, it says which forms these are, because a guess would be silent.
 */
export function verdicts(target: Target, reading: Reading): readonly Verdict[] {
  if ('fault' in reading) return []
  return decodersOf(target).map((decoder) => judged(decoder, reading))
}

function judged(decoder: Decoder, { keys, others = [], isPadded }: Exclude<Reading, Unread>): Verdict {
  let found: { readonly key: ReadKey; readonly row: Row } | undefined
  let refused: string | undefined
  for (const key of keys) {
    const row = rowOf(decoder, key)
    if (typeof row === 'string') {
      refused ??= row
      continue
    }
    if (found === undefined) found = { key, row: [...row] }
    else if (!isPadded && compareKeys(found.key.bytes, key.bytes) !== 0) {
      const ways = [found, { key, row: [...row] }].map((way) => `${formNames[way.key.form]} it is ${decoder.line(way.row)}`)
      return {
        decoder,
        key: found.key,
        row: undefined,
        reason: `it is ambiguous: ${ways.join(', and ')}. Say which: ${remedyOf([found.key, key])}`,
      }
    }
    if (isPadded) break
  }
  const [first] = keys as readonly [ReadKey]
  if (found !== undefined) return { decoder, ...found, reason: '' }
  return { decoder, key: first, row: undefined, reason: `${refused ?? ''}${hintOf(decoder, first, others)}` }
}

const formNames: Readonly<Record<ReadKey['form'], string>> = {
  hex: 'as hexadecimal digits',
  escaped: 'as text',
  base64: 'as base64',
  attribute: 'as a key attribute of DynamoDB',
}

const remedyOf = (keys: readonly ReadKey[]): string =>
  keys.map(({ form }) => (form === 'attribute' ? '--store dynamodb' : `--from ${form}`)).join(' or ')

/** The columns of a key; a text that says why it is none. */
function rowOf({ schema, decode }: Decoder, { bytes, partition }: ReadKey): Row | string {
  if (partition === undefined) return decode(bytes)
  const hasPartition = schema.salt.length > 0 || schema.partitionLength > 0
  if (partition === 0 && hasPartition)
    return 'it is one of two key attributes, and the key needs both: give "rk_p rk_s", or the item in JSON'
  const row = decode(bytes)
  if (typeof row === 'string') return row
  const { partitionBytes } = schema.layout.encodeKey(row)
  return partitionBytes === partition ? row : `the partition of this key has ${partitionBytes} bytes, and rk_p has ${partition}`
}

/** What a text would be if it were written otherwise, for whoever meant that. */
function hintOf(decoder: Decoder, { bytes, form }: ReadKey, others: readonly ReadKey[]): string {
  const other = others.find((key) => typeof rowOf(decoder, key) !== 'string')
  if (other !== undefined) return `. ${capital(formNames[other.form])} it is a key: ${remedyOf([other])}`
  const { salt, partitionLength } = decoder.schema
  if (form !== 'base64' || bytes[0] !== 1 || (salt.length === 0 && partitionLength === 0)) return ''
  return '. If DynamoDB printed it, it is one of two attributes: give "rk_p rk_s" with --store dynamodb, or the item in JSON'
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The parts of a key of a table, the salt included, also of a broken one. */
export function partsOf({ columns, keyLength, salt }: TableSchema, bytes: Uint8Array): readonly KeyPart[] {
  const key = columns.slice(0, keyLength).map(({ name, type }) => [name, type] as const)
  return keyLayout(key as never, { salt: salt as never }).inspect(bytes).parts
}
