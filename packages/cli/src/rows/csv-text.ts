// Tested by csv.test.ts.
import { showName, typeFacts, type SchemaColumn } from 'rowkey/internal'
import type { TableSchema } from 'rowkey'
import { Failure } from '../failure.js'
import { plainReader } from '../values/value-from-text.js'
import type { CsvField } from './csv-lines.js'
import { expiresName, expiryFrom, type ReadRow } from './row-text.js'

/**
 * Reads rows from the fields that `csvLines()` makes. A field is read as its column says and by nothing else: `7` is text in a column of text.
 *
 * @returns a function that throws Failure or RowkeyError `INVALID_VALUE`, with the name of the column
 */
export function csvReader(schema: TableSchema): (text: string) => ReadRow {
  const readers = new Map(schema.columns.map((column) => [column.name, fieldReader(column)]))
  return (text) => {
    let expiresAt: Date | null | undefined
    const values: [string, unknown][] = []
    for (const [name, field] of JSON.parse(text) as readonly CsvField[]) {
      if (name === expiresName && schema.expiryIndex >= 0)
        expiresAt = field === null ? undefined : expiryFrom(field === 'null' ? null : field)
      else values.push([name, readers.get(name)?.(field)])
    }
    return { values: Object.fromEntries(values), expiresAt }
  }
}

function fieldReader(column: SchemaColumn): (field: string | null) => unknown {
  const { class: kind } = typeFacts(column.type).storage
  const ofText = plainReader(column)
  const name = showName(column.name)
  return (field) => {
    if (field === null && column.type.nullable) return null
    // Most programs write empty text without quotes.
    if (field === null && kind !== 'text' && kind !== 'bytes') throw new Failure(`column '${name}' is empty, and it cannot be null.`)
    if (kind !== 'json') return ofText(field ?? '')
    try {
      return JSON.parse(field ?? '') as unknown
    } catch (error) {
      throw new Failure(`column '${name}' is no JSON: ${(error as Error).message}.`, undefined, { cause: error })
    }
  }
}
