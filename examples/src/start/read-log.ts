import { parse, type Options } from 'csv-parse'
import { createReadStream, statSync } from 'node:fs'
import { pipeline, Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { InputError } from './arguments.js'
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

/** A record that is none. */
export interface Malformed {
  readonly line: number
  readonly reason: string
}

/** A log file: its text columns first, then its records. */
export interface LogFile {
  readonly textColumns: readonly string[]
  readonly records: AsyncIterable<LogRecord | Malformed>
}

interface Columns {
  readonly host: number
  readonly event: number
  readonly time: number
  readonly toMs: (text: string) => number
  readonly seq: number
  readonly texts: readonly (readonly [name: string, index: number])[]
}

/** A record in the file's own terms. */
interface Parsed {
  readonly fields: readonly string[]
  /** From 1, the header not counted, broken records counted. */
  readonly number: number
  /** Where the record ends. */
  readonly lastLine: number
}

/** Opens a CSV file. @throws InputError if it has no usable header or cannot be read */
export async function openLog(file: string, onProgress: (fraction: number) => void): Promise<LogFile> {
  const broken: Malformed[] = []
  const rows = readable(file, csvRows(file, onProgress, broken))
  const first = await rows.next()
  if (first.done === true) throw new InputError(`${file} has no header line.`)
  const columns = columnsOf(file, first.value.fields)
  return { textColumns: columns.texts.map(([name]) => name), records: records(rows, columns, broken) }
}

function csvRows(file: string, onProgress: (fraction: number) => void, broken: Malformed[]): AsyncIterable<Parsed> {
  const size = Math.max(1, statSync(file).size)
  let read = 0
  let number = -1 // the header is record 0
  const counter = new Transform({
    transform(chunk: Buffer, _, done) {
      onProgress((read += chunk.length) / size)
      done(null, chunk)
    },
  })
  const options: Options<Parsed, string[]> = {
    bom: true,
    relax_column_count: true, // counted below, with a message of our own
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_record: (fields, { lines }) => ({ fields, number: ++number, lastLine: lines }),
    on_skip(error) {
      number++
      broken.push({ line: Number(error?.lines ?? 0), reason: error?.message ?? 'not CSV' })
      return undefined
    },
  }
  const parser = parse(options as unknown as Options) // its types know on_record only with named columns
  const stages = file.endsWith('.gz')
    ? [createReadStream(file), counter, createGunzip(), parser]
    : [createReadStream(file), counter, parser]
  // An error of any stage reaches whoever iterates the parser.
  pipeline(stages, (error) => {
    if (error !== null && error !== undefined && !parser.destroyed) parser.destroy(error)
  })
  return parser as AsyncIterable<Parsed>
}

async function* readable(file: string, rows: AsyncIterable<Parsed>): AsyncGenerator<Parsed> {
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
    host: at('host'),
    event: at('event'),
    time,
    toMs: at('ts_ms') >= 0 ? epochMilliseconds : isoMilliseconds,
    seq: at('seq'),
    texts: others.map((i, n) => [names[n] as string, i]),
  }
}

async function* records(rows: AsyncIterable<Parsed>, columns: Columns, broken: Malformed[]): AsyncGenerator<LogRecord | Malformed> {
  const width = Math.max(columns.host, columns.event, columns.time, columns.seq, ...columns.texts.map(([, i]) => i)) + 1
  for await (const row of rows) {
    while (broken.length > 0) yield broken.shift() as Malformed
    yield recordOf(row, width, columns)
  }
  yield* broken
}

function recordOf({ fields, number, lastLine }: Parsed, width: number, columns: Columns): LogRecord | Malformed {
  // A quoted field may span lines; a person looks for the first of them.
  const line = lastLine - fields.join('').split('\n').length + 1
  try {
    if (fields.length !== width) throw new Error(`it has ${fields.length} fields, the header has ${width}`)
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
