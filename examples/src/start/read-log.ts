import { createReadStream, statSync } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { InputError } from './arguments.js'
import { csvRecords, type CsvRecord, type Malformed } from './csv-records.js'
import { plural } from './display.js'
import { epochMilliseconds, isoMilliseconds } from './instant.js'
import { columnNames } from './text-columns.js'

/** A record of the file, ready for the model. */
export interface LogRecord {
  readonly line: number
  readonly host: string
  readonly event: string
  readonly ms: number
  readonly seq: number
  readonly texts: Readonly<Record<string, string>>
}

/** A log file: its text columns first, then its records. */
export interface LogFile {
  readonly textColumns: readonly string[]
  readonly records: AsyncIterable<LogRecord | Malformed>
}

interface Columns {
  readonly width: number
  readonly host: number
  readonly event: number
  readonly time: number
  readonly toMs: (text: string) => number
  readonly seq: number
  readonly texts: readonly (readonly [name: string, index: number])[]
}

/** Opens a CSV file. @throws InputError if it has no usable header or cannot be read */
export async function openLog(file: string, onProgress: (fraction: number) => void): Promise<LogFile> {
  const rows = readable(file, csvRecords(chunksOf(file, onProgress)))
  const first = await rows.next()
  if (first.done === true) throw new InputError(`${file} has no header line.`)
  if ('reason' in first.value)
    throw new InputError(`${file} has no header that can be read: line ${first.value.line}: ${first.value.reason}.`)
  const columns = columnsOf(file, first.value.fields)
  return { textColumns: columns.texts.map(([name]) => name), records: records(rows, columns) }
}

async function* chunksOf(file: string, onProgress: (fraction: number) => void): AsyncGenerator<Buffer> {
  const size = Math.max(1, statSync(file).size)
  const input = createReadStream(file)
  // An error of any stage reaches whoever iterates the last one.
  const output = file.endsWith('.gz') ? pipeline(input, createGunzip(), () => undefined) : input
  for await (const chunk of output) {
    onProgress(input.bytesRead / size)
    yield chunk as Buffer
  }
}

async function* readable<T>(file: string, rows: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* rows
  } catch (error) {
    throw new InputError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

function columnsOf(file: string, header: readonly string[]): Columns {
  const twice = header.find((name, i) => header.indexOf(name) < i)
  if (twice !== undefined) throw new InputError(`${file} has the column '${twice}' twice.`)
  const at = (name: string): number => header.indexOf(name)
  const time = at('ts_ms') >= 0 ? at('ts_ms') : at('ts')
  if (at('host') < 0 || at('event') < 0 || time < 0) {
    throw new InputError(`${file} needs the columns host, event, and ts_ms or ts. It has ${header.map((name) => `'${name}'`).join(', ')}.`)
  }
  const used = new Set([at('host'), at('event'), time, at('seq')])
  const others = header.map((_, i) => i).filter((i) => !used.has(i))
  const names = columnNames(others.map((i) => header[i] as string))
  return {
    width: header.length,
    host: at('host'),
    event: at('event'),
    time,
    toMs: at('ts_ms') >= 0 ? epochMilliseconds : isoMilliseconds,
    seq: at('seq'),
    texts: others.map((i, n) => [names[n] as string, i]),
  }
}

async function* records(rows: AsyncIterable<CsvRecord | Malformed>, columns: Columns): AsyncGenerator<LogRecord | Malformed> {
  for await (const row of rows) yield 'reason' in row ? row : recordOf(row, columns)
}

function recordOf({ fields, number, line }: CsvRecord, columns: Columns): LogRecord | Malformed {
  try {
    if (fields.length !== columns.width) throw new Error(`it has ${plural(fields.length, 'field')}, the header has ${columns.width}`)
    const [host, event, time] = [fields[columns.host] as string, fields[columns.event] as string, fields[columns.time] as string]
    const seq = columns.seq < 0 ? number : sequence(fields[columns.seq] as string)
    const texts = Object.fromEntries(columns.texts.map(([name, i]) => [name, fields[i] as string]))
    return { line, host, event, ms: columns.toMs(time), seq, texts }
  } catch (error) {
    return { line, reason: error instanceof Error ? error.message : String(error) }
  }
}

function sequence(text: string): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) >= 2 ** 32) throw new Error(`seq '${text}' is not an unsigned 32-bit integer`)
  return Number(text)
}
