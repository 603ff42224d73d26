import { createReadStream, statSync } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { InputError } from './arguments.js'
import { csvRecords, type CsvRecord, type Malformed } from './csv-records.js'
import { plural } from './display.js'
import type { Unit } from './instant.js'
import { columnNames } from './text-columns.js'
import { sampleSize, timeNames, timeReader, type TimeName, type TimeReader } from './time-column.js'

/** A record of the file, ready for the model. */
export interface LogRecord {
  readonly line: number
  readonly host: string
  readonly event: string
  /** In the unit of the log. */
  readonly at: bigint
  readonly seq: number
  readonly texts: Readonly<Record<string, string>>
}

/** A log file: its unit and its text columns first, then its records. */
export interface LogFile {
  readonly unit: Unit
  readonly textColumns: readonly string[]
  readonly records: AsyncIterable<LogRecord | Malformed>
}

interface Columns {
  readonly width: number
  readonly host: number
  readonly event: number
  readonly time: number
  readonly timeName: TimeName
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
  const sample = await firstOf(rows, sampleSize)
  const times = sample.flatMap((row) => ('reason' in row ? [] : (row.fields[columns.time] ?? [])))
  const reader = timeReader(columns.timeName, times)
  return {
    unit: reader.unit,
    textColumns: columns.texts.map(([name]) => name),
    records: records(sample, rows, columns, reader),
  }
}

/** The next items, and no more than these. */
async function firstOf<T>(items: AsyncIterator<T>, count: number): Promise<readonly T[]> {
  const first: T[] = []
  while (first.length < count) {
    const next = await items.next()
    if (next.done === true) break
    first.push(next.value)
  }
  return first
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
  const timeName = timeNames.find((name) => at(name) >= 0)
  if (at('host') < 0 || at('event') < 0 || timeName === undefined) {
    throw new InputError(
      `${file} needs the columns host, event, and ts (or ts_s, ts_ms, ts_us, ts_ns). It has ${header.map((name) => `'${name}'`).join(', ')}.`,
    )
  }
  const time = at(timeName)
  const used = new Set([at('host'), at('event'), time, at('seq')])
  const others = header.map((_, i) => i).filter((i) => !used.has(i))
  const names = columnNames(others.map((i) => header[i] as string))
  return {
    width: header.length,
    host: at('host'),
    event: at('event'),
    time,
    timeName,
    seq: at('seq'),
    texts: others.map((i, n) => [names[n] as string, i]),
  }
}

type Line = CsvRecord | Malformed

async function* records(
  first: readonly Line[],
  rest: AsyncIterable<Line>,
  columns: Columns,
  reader: TimeReader,
): AsyncGenerator<LogRecord | Malformed> {
  const read = (row: Line): LogRecord | Malformed => ('reason' in row ? row : recordOf(row, columns, reader))
  for (const row of first) yield read(row)
  for await (const row of rest) yield read(row)
}

function recordOf({ fields, number, line }: CsvRecord, columns: Columns, reader: TimeReader): LogRecord | Malformed {
  try {
    if (fields.length !== columns.width) throw new Error(`it has ${plural(fields.length, 'field')}, the header has ${columns.width}`)
    const [host, event, time] = [fields[columns.host] as string, fields[columns.event] as string, fields[columns.time] as string]
    const seq = columns.seq < 0 ? number : sequence(fields[columns.seq] as string)
    const texts = Object.fromEntries(columns.texts.map(([name, i]) => [name, fields[i] as string]))
    return { line, host, event, at: reader.ticks(time), seq, texts }
  } catch (error) {
    return { line, reason: error instanceof Error ? error.message : String(error) }
  }
}

function sequence(text: string): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) >= 2 ** 32) throw new Error(`seq '${text}' is not an unsigned 32-bit integer`)
  return Number(text)
}
