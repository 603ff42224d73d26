// Tested by decode.test.ts.
import { isRowkeyError, keyLayout, type KeyPart, type Row, type Value } from 'rowkey/codec'
import type { TableSchema } from 'rowkey'
import { computedColumns, showName, type SchemaColumn } from 'rowkey/internal'
import type { ReadKey } from './key-forms.js'
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
 * What each table says to a key. Of the forms that its text can have, a table takes the first one that makes it a key.
 */
export function verdicts(target: Target, keys: readonly ReadKey[]): readonly Verdict[] {
  const [first] = keys
  if (first === undefined) return []
  return decodersOf(target).map((decoder) => {
    for (const key of keys) {
      const row = decoder.decode(key.bytes)
      if (typeof row !== 'string') return { decoder, key, row: [...row], reason: '' }
    }
    return { decoder, key: first, row: undefined, reason: String(decoder.decode(first.bytes)) }
  })
}

/** The parts of a key of a table, the salt included, also of a broken one. */
export function partsOf({ columns, keyLength, salt }: TableSchema, bytes: Uint8Array): readonly KeyPart[] {
  const key = columns.slice(0, keyLength).map(({ name, type }) => [name, type] as const)
  return keyLayout(key as never, { salt: salt as never }).inspect(bytes).parts
}
