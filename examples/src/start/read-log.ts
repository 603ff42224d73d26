import type { Info } from 'csv-parse'
import { parse } from 'csv-parse'
import { createReadStream, statSync } from 'node:fs'
import { pipeline, Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { UsageError } from './arguments.js'
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

interface Parsed {
  readonly record: readonly string[]
  readonly info: Info
}

/** Opens a CSV file. @throws UsageError if it has no usable header */
export async function openLog(file: string, onProgress: (fraction: number) => void): Promise<LogFile> {
  const skipped: Malformed[] = []
  const rows = csvRows(file, onProgress, skipped)[Symbol.asyncIterator]()
  const first = await rows.next()
  if (first.done === true) throw new UsageError(`${file} has no header line.`)
  const columns = columnsOf(file, first.value.record)
  return { textColumns: columns.texts.map(([name]) => name), records: records(rows, columns, skipped) }
}

function csvRows(file: string, onProgress: (fraction: number) => void, skipped: Malformed[]): AsyncIterable<Parsed> {
  const size = Math.max(1, statSync(file).size)
  let read = 0
  const counter = new Transform({
    transform(chunk: Buffer, _, done) {
      onProgress((read += chunk.length) / size)
      done(null, chunk)
    },
  })
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true, // counted below, with a message of our own
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip(error) {
      skipped.push({ line: Number(error?.lines ?? 0), reason: error?.message ?? 'not CSV' })
      return undefined
    },
  })
  const stages = file.endsWith('.gz') ? [createReadStream(file), counter, createGunzip(), parser] : [createReadStream(file), counter, parser]
  // An error of any stage reaches whoever iterates the parser.
  pipeline(stages, (error) => {
    if (error !== null && error !== undefined && !parser.destroyed) parser.destroy(error)
  })
  return parser as AsyncIterable<Parsed>
}

function columnsOf(file: string, header: readonly string[]): Columns {
  const twice = header.find((name, i) => header.indexOf(name) < i)
  if (twice !== undefined) throw new UsageError(`${file} has the column '${twice}' twice.`)
  const at = (name: string): number => header.indexOf(name)
  const time = at('ts_ms') >= 0 ? at('ts_ms') : at('ts')
  if (at('host') < 0 || at('event') < 0 || time < 0) {
    throw new UsageError(`${file} needs the columns host, event, and ts_ms or ts. It has ${header.map((name) => `'${name}'`).join(', ')}.`)
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

async function* records(rows: AsyncIterator<Parsed>, columns: Columns, skipped: Malformed[]): AsyncGenerator<LogRecord | Malformed> {
  const width = Math.max(columns.host, columns.event, columns.time, columns.seq, ...columns.texts.map(([, i]) => i)) + 1
  for (let number = 1; ; number++) {
    const next = await rows.next()
    for (; skipped.length > 0; number++) yield skipped.shift() as Malformed
    if (next.done === true) return
    const { record, info } = next.value
    yield recordOf(record, info.lines, number, width, columns)
  }
}

function recordOf(record: readonly string[], line: number, number: number, width: number, columns: Columns): LogRecord | Malformed {
  try {
    if (record.length !== width) throw new Error(`it has ${record.length} fields, the header has ${width}`)
    const [host, event, time] = [record[columns.host] as string, record[columns.event] as string, record[columns.time] as string]
    const seq = columns.seq < 0 ? number : sequence(record[columns.seq] as string)
    const texts = Object.fromEntries(columns.texts.map(([name, i]) => [name, record[i] as string]))
    return { line, host, event, ms: columns.toMs(time), seq, texts }
  } catch (error) {
    return { line, reason: error instanceof Error ? error.message : String(error) }
  }
}

function sequence(text: string): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) >= 2 ** 32) throw new Error(`seq '${text}' is not an unsigned 32-bit integer`)
  return Number(text)
}
