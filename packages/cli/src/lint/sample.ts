// Tested by lint.test.ts.
import { sampleStats, type SampleOptions, type TableStats } from '@rowkey/advisor'
import { isRowkeyError } from 'rowkey/codec'
import type { TableSchema } from 'rowkey'
import { parse } from 'csv-parse'
import { createReadStream } from 'node:fs'
import { Failure, systemReason } from '../failure.js'
import { linesOf } from '../rows/row-lines.js'
import { jsonReader, parsedRow } from '../rows/row-text.js'

/** More rows say nothing more. */
const maxRows = 100_000

type Row = Readonly<Record<string, unknown>>

/**
 * The statistics of the rows in a file, its first 100,000: JSON, one object a line, or CSV with names in its first line. What is no column of the
 * table is passed over.
 *
 * @param file what messages call it
 * @throws Failure that names the line
 */
export async function sampleOf(schema: TableSchema, path: string, file: string, options: SampleOptions): Promise<TableStats> {
  const rows: Row[] = []
  const rowAt = rowMaker(schema)
  try {
    for await (const { line, values } of file.endsWith('.csv') ? csvRows(path) : jsonRows(path, file)) {
      rows.push(rowAt(values, `${file}:${line}`))
      if (rows.length === maxRows) break
    }
  } catch (error) {
    throw error instanceof Failure ? error : new Failure(`${file} cannot be read: ${systemReason(error)}.`, undefined, { cause: error })
  }
  return statsOf(schema, rows, file, options)
}

/** The same of rows as JSON has them. @throws Failure that names the row */
export function sampleOfRows(schema: TableSchema, rows: readonly object[], from: string, options: SampleOptions): TableStats {
  const rowAt = rowMaker(schema)
  return statsOf(
    schema,
    rows.slice(0, maxRows).map((row, at) => rowAt(row as Row, `row ${at + 1} of ${from}`)),
    from,
    options,
  )
}

function statsOf(schema: TableSchema, rows: readonly Row[], from: string, options: SampleOptions): TableStats {
  if (rows.length === 0) throw new Failure(`${from} has no row.`)
  const key = schema.columns.slice(0, schema.keyLength)
  const missing = key.find(({ name, type }) => type.of === undefined && !(name in (rows[0] as Row)))
  if (missing !== undefined) throw new Failure(`${from} has no column '${missing.name}', which is in the key of '${schema.name}'.`)
  return sampleStats(schema, rows, options)
}

interface Line {
  readonly line: number
  readonly values: Row
}

async function* jsonRows(path: string, file: string): AsyncGenerator<Line> {
  for await (const { number, text } of linesOf(createReadStream(path))) {
    if (text.trim() === '') continue
    try {
      yield { line: number, values: parsedRow(text) }
    } catch (error) {
      throw error instanceof Failure ? new Failure(`${file}:${number}: ${error.message}`, undefined, { cause: error }) : error
    }
  }
}

async function* csvRows(path: string): AsyncGenerator<Line> {
  const parser = parse({ columns: true, bom: true, info: true, skip_empty_lines: true })
  const input = createReadStream(path).on('error', (error) => parser.destroy(error))
  try {
    for await (const { record, info } of input.pipe(parser) as AsyncIterable<Parsed>) yield { line: info.lines, values: record }
  } finally {
    input.destroy()
  }
}

interface Parsed {
  readonly record: Row
  readonly info: { readonly lines: number }
}

/**
 * Makes rows of a table as the application has them. In CSV, nothing is null where a column can be null.
 *
 * @returns a function that throws Failure, which begins with the place
 */
function rowMaker({ columns, keyLength }: TableSchema): (values: Row, place: string) => Row {
  const known = columns.flatMap((column, at) =>
    at < keyLength || column.role === 'value' ? [{ column, at, read: jsonReader(column) }] : [],
  )
  return (values, place) => {
    try {
      return Object.fromEntries(
        known.flatMap(({ column: { name, type }, at, read }): readonly (readonly [string, unknown])[] => {
          const given = values[name] === '' && type.nullable ? null : values[name]
          return given === undefined || (at >= keyLength && given === null) ? [] : [[name, read(given)]]
        }),
      )
    } catch (error) {
      if (error instanceof Failure || isRowkeyError(error)) throw new Failure(`${place}: ${error.message}`, undefined, { cause: error })
      throw error
    }
  }
}
