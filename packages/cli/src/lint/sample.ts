// Tested by lint.test.ts.
import { sampleStats, type TableStats } from '@rowkey/advisor'
import { isRowkeyError } from '@rowkey/codec'
import { isPlainObject, show, typeFacts } from '@rowkey/codec/internal'
import type { SchemaColumn, TableSchema } from '@rowkey/model'
import { parse } from 'csv-parse'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { Failure, systemReason } from '../failure.js'
import { plainValue, valueFromText } from '../values/value-from-text.js'

/** More rows say nothing more. */
const maxRows = 100_000

type Row = Readonly<Record<string, unknown>>

/**
 * The statistics of the rows in a file, its first 100,000: JSON, one object a line, or CSV with names in its first line. What is no column of the
 * table is passed over.
 *
 * @throws Failure that names the line
 */
export async function sampleOf(schema: TableSchema, file: string, total: number | undefined): Promise<TableStats> {
  const key = schema.columns.slice(0, schema.keyLength)
  const rows: Row[] = []
  try {
    for await (const { line, values } of file.endsWith('.csv') ? csvRows(file) : jsonRows(file)) {
      rows.push(rowAt(schema, values, `${file}:${line}`))
      if (rows.length === maxRows) break
    }
  } catch (error) {
    throw error instanceof Failure ? error : new Failure(`${file} cannot be read: ${systemReason(error)}.`, undefined, { cause: error })
  }
  if (rows.length === 0) throw new Failure(`${file} has no row.`)
  const missing = key.find(({ name }) => !(name in (rows[0] as Row)))
  if (missing !== undefined) throw new Failure(`${file} has no column '${missing.name}', which is in the key of '${schema.name}'.`)
  return sampleStats(schema, rows, total)
}

interface Line {
  readonly line: number
  readonly values: Row
}

async function* jsonRows(file: string): AsyncGenerator<Line> {
  let line = 0
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    line++
    if (text.trim() === '') continue
    let values: unknown
    try {
      values = JSON.parse(text)
    } catch (error) {
      throw new Failure(`${file}:${line} is no JSON: ${(error as Error).message}. A sample has one row a line.`, undefined, {
        cause: error,
      })
    }
    if (!isPlainObject(values)) throw new Failure(`${file}:${line} is ${show(values)}, not an object with a row.`)
    yield { line, values }
  }
}

async function* csvRows(file: string): AsyncGenerator<Line> {
  const parser = parse({ columns: true, bom: true, info: true, skip_empty_lines: true })
  const input = createReadStream(file).on('error', (error) => parser.destroy(error))
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

/** @throws Failure that begins with the place */
function rowAt(schema: TableSchema, values: Row, place: string): Row {
  try {
    return rowOf(schema, values)
  } catch (error) {
    if (error instanceof Failure || isRowkeyError(error)) throw new Failure(`${place}: ${error.message}`, undefined, { cause: error })
    throw error
  }
}

/** The columns of a row as the application has them. */
function rowOf({ columns, keyLength }: TableSchema, values: Row): Row {
  return Object.fromEntries(
    columns.flatMap((column, at): readonly (readonly [string, unknown])[] => {
      const given = values[column.name]
      if (given === undefined || (at >= keyLength && (column.role !== 'value' || given === null))) return []
      return [[column.name, valueOf(column, given)]]
    }),
  )
}

/** A value of JSON or CSV. Numbers of JSON are text again, so that they are read like those of a command line. */
function valueOf(column: SchemaColumn, given: unknown): unknown {
  if (given === null) return null
  if (typeFacts(column.type).storage.class === 'json') return given
  if (typeof given === 'string') return column.type.nullable && given === '' ? valueFromText(column, 'null') : plainValue(column, given)
  if (typeof given === 'number' && Number.isInteger(given) && !Number.isSafeInteger(given)) {
    throw new Failure(`column '${column.name}' has ${given}, which JSON cannot say exactly. Write it as text.`)
  }
  return plainValue(column, typeof given === 'number' || typeof given === 'boolean' ? String(given) : JSON.stringify(given))
}
