// Tested by csv.test.ts.
import { nearestName, show, showName } from 'rowkey/internal'
import type { TableSchema } from 'rowkey'
import { parse } from 'csv-parse'
import { Readable } from 'node:stream'
import { Failure } from '../failure.js'
import type { Line } from './row-lines.js'
import { expiresName } from './row-text.js'

/** A field with nothing between its commas is null here; one with two quotes is empty text. */
export type CsvField = readonly [name: string, text: string | null]

interface Field {
  readonly text: string
  readonly isQuoted: boolean
}

interface Parsed {
  readonly record: readonly Field[]
  readonly info: { readonly lines: number }
}

/**
 * The rows of CSV (RFC 4180) as lines of JSON: a list of {@link CsvField}. The first row has the names of columns. The number of a line is that in which its
 * row begins.
 *
 * @throws Failure that names the line for what is no CSV, no UTF-8, or has other fields than the first row
 */
export async function* csvLines(input: Readable, schema: TableSchema): AsyncGenerator<Line, undefined> {
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    cast: (text, { quoting }) => ({ text, isQuoted: quoting }),
  })
  const source = Readable.from(textOf(input)).on('error', (error) => parser.destroy(error))
  let names: readonly string[] | undefined
  try {
    for await (const { record, info } of source.pipe(parser) as AsyncIterable<Parsed>) {
      const number = info.lines - record.reduce((count, { text }) => count + text.split('\n').length - 1, 0)
      if (names === undefined) {
        names = namesIn(record, schema)
        continue
      }
      if (record.length !== names.length)
        throw new Failure(
          `line ${number} has ${record.length} fields, and the first line has ${names.length}. A comma in a field needs quotes around the field.`,
        )
      const fields = record.map(({ text, isQuoted }, at): CsvField => [names?.[at] as string, text === '' && !isQuoted ? null : text])
      yield { number, text: JSON.stringify(fields) }
    }
  } catch (error) {
    throw isCsvError(error)
      ? new Failure(`line ${error.lines} is no CSV: ${reasons[error.code] ?? error.message}.`, undefined, { cause: error })
      : error
  } finally {
    source.destroy()
  }
  if (names === undefined) throw new Failure('it has no line. The first one has the names of columns.')
}

const reasons: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed before the end',
  CSV_INVALID_CLOSING_QUOTE: 'a field goes on after its closing quote. A quote inside a field is written twice',
  INVALID_OPENING_QUOTE: 'a quote is inside a field that does not begin with one. Put the field in quotes, and write the quote twice',
}

const isCsvError = (error: unknown): error is Error & { readonly code: string; readonly lines: number } =>
  error instanceof Error && 'lines' in error && 'code' in error

/** Bytes as text, of which none is replaced. */
async function* textOf(input: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let lines = 1
  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
    } catch (error) {
      throw new Failure(`the text after line ${lines} is not UTF-8.`, undefined, { cause: error })
    }
  }
  for await (const chunk of input as AsyncIterable<Buffer>) {
    const text = decode(chunk)
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
    yield text
  }
  yield decode()
}

/** The columns of the fields. @throws Failure for what is no column of the table, twice or missing */
function namesIn(record: readonly Field[], schema: TableSchema): readonly string[] {
  const { name: table, columns, keyLength, expiryIndex, versionIndex } = schema
  const names = record.map(({ text }) => text)
  const known = [
    ...columns.flatMap(({ name }, at) => (at === expiryIndex || at === versionIndex ? [] : [name])),
    ...(expiryIndex < 0 ? [] : [expiresName]),
  ]
  for (const [at, name] of names.entries()) {
    if (names.indexOf(name) < at)
      throw new Failure(`line 1 has the column '${showName(name)}' twice, in fields ${names.indexOf(name) + 1} and ${at + 1}.`)
    if (known.includes(name)) continue
    const separator = names.length === 1 ? [';', '\t', '|'].find((each) => name.includes(each)) : undefined
    if (separator !== undefined) throw new Failure(`line 1 is separated by ${show(separator)}. CSV is separated by commas.`)
    if (columns[versionIndex]?.name === name)
      throw new Failure(`line 1, field ${at + 1}: '${showName(name)}' is the version of the row, which the store makes. Leave it out.`)
    const nearest = nearestName(name, known)
    const meant = nearest === undefined ? '' : ` Did you mean '${showName(nearest)}'?`
    throw new Failure(
      `line 1, field ${at + 1}: '${table}' has no column '${showName(name)}'.${meant} There are: ${known.map(showName).join(', ')}.`,
    )
  }
  const missing = columns.slice(0, keyLength).find(({ name, type }) => type.of === undefined && !names.includes(name))
  if (missing !== undefined) throw new Failure(`line 1 has no column '${showName(missing.name)}', which is in the key of '${table}'.`)
  return names
}
