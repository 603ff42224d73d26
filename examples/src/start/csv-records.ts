import { parse, type Options } from 'csv-parse'
import { isUtf8 } from 'node:buffer'

/** A record of a CSV file, in the file's own terms. */
export interface CsvRecord {
  /** From 0, which is the header; malformed records are counted. */
  readonly number: number
  /** Where it begins, from 1. */
  readonly line: number
  readonly fields: readonly string[]
}

/** A record that is none. */
export interface Malformed {
  readonly line: number
  readonly reason: string
}

/** What the parser says of a record: where it ends, in bytes, and how many empty lines it has met so far. */
interface Cut {
  readonly fields: readonly string[]
  readonly end: number
  readonly emptyLines: number
}

const none = Buffer.alloc(0)
const byteOrderMark = Buffer.from('\ufeff')
const newline = 0x0a
const longest = 400_000 // bytes of a record: no row is that large, and an open quote must not take the whole file

/**
 * Cuts bytes into records, RFC 4180. A quote out of place costs its line, not the rest of the file: whatever the quote would
 * have swallowed, the next line begins a new record.
 */
export async function* csvRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<CsvRecord | Malformed> {
  const cutter = new Cutter()
  for await (const chunk of chunks) yield* cutter.cut(chunk, false)
  yield* cutter.cut(none, true)
}

class Cutter {
  /** What is not cut yet: it begins with the end of the last record, and is there for a second look. */
  private held = none
  private parser = new Parser()
  /** The parser's count of bytes and empty lines where `held` begins. */
  private from = 0
  private emptyLines = 0
  private started = false
  private skipping = false
  private line = 1
  private number = -1

  async *cut(chunk: Buffer, last: boolean): AsyncGenerator<CsvRecord | Malformed> {
    let unread = this.skipping ? this.afterLine(chunk) : this.started ? chunk : this.afterMark(chunk, last)
    if (unread === undefined) return
    this.held = Buffer.concat([this.held, unread])
    for (;;) {
      const { cuts, error } = await this.parser.feed(unread, last)
      for (const cut of cuts) yield this.record(cut)
      if (error === undefined) return
      yield this.brokenLine(error)
      if (this.skipping) return
      this.restart()
      unread = this.held
    }
  }

  /** The chunk without the byte order mark; undefined as long as it is too short to tell. */
  private afterMark(chunk: Buffer, last: boolean): Buffer | undefined {
    const bytes = Buffer.concat([this.held, chunk])
    this.started = last || bytes.length >= byteOrderMark.length
    this.held = this.started ? none : bytes
    if (!this.started) return undefined
    return bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? bytes.subarray(byteOrderMark.length) : bytes
  }

  /** The chunk without the end of a broken line; undefined as long as it goes on. */
  private afterLine(chunk: Buffer): Buffer | undefined {
    const end = chunk.indexOf(newline)
    if (end < 0) return undefined
    this.skipping = false
    this.line++
    this.restart()
    return chunk.subarray(end + 1)
  }

  private restart(): void {
    this.parser = new Parser()
    this.from = this.emptyLines = 0
  }

  private record({ fields, end, emptyLines }: Cut): CsvRecord | Malformed {
    const bytes = this.held.subarray(0, end - this.from)
    this.held = this.held.subarray(bytes.length)
    this.from = end
    const line = this.line + emptyLines - this.emptyLines
    this.emptyLines = emptyLines
    const text = fields.join('')
    this.line = line + (text.includes('\n') ? text.split('\n').length : 1)
    this.number++
    // What cannot be decoded becomes U+FFFD, which may also stand in the file.
    if (text.includes('\ufffd') && !isUtf8(bytes)) return { line, reason: 'it is not UTF-8' }
    return { number: this.number, line, fields }
  }

  /** Takes the first line of a broken record away. */
  private brokenLine(error: Error): Malformed {
    while (/^\r?\n/.test(this.held.toString('latin1', 0, 2))) this.nextLine()
    const line = this.line
    this.number++
    this.skipping = !this.held.includes(newline)
    if (this.skipping) this.held = none
    else this.nextLine()
    return { line, reason: reasonOf(error) }
  }

  private nextLine(): void {
    this.held = this.held.subarray(this.held.indexOf(newline) + 1)
    this.line++
  }
}

/** The parser of the library, a chunk at a time up to the first error. */
class Parser {
  private cuts: Cut[] = []
  private readonly parser

  constructor() {
    const options: Options<never, string[]> = {
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true, // counted by whoever knows the header, with a message of our own
      skip_empty_lines: true,
      max_record_size: longest,
      on_record: (fields, { bytes, empty_lines }) => {
        this.cuts.push({ fields, end: bytes, emptyLines: empty_lines })
        return undefined
      },
    }
    this.parser = parse(options as unknown as Options) // its types know on_record only with named columns
    this.parser.on('error', () => undefined) // write and end tell of it
    this.parser.resume()
  }

  async feed(bytes: Buffer, last: boolean): Promise<{ readonly cuts: readonly Cut[]; readonly error: Error | undefined }> {
    this.cuts = []
    const written = await new Promise<unknown>((done) => this.parser.write(bytes, done))
    const ended = last && !(written instanceof Error) ? await new Promise<unknown>((done) => this.parser.end(done)) : written
    return { cuts: this.cuts, error: ended instanceof Error ? ended : undefined }
  }
}

function reasonOf(error: Error): string {
  switch ((error as Error & { readonly code?: unknown }).code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'a quote is not closed'
    case 'CSV_INVALID_CLOSING_QUOTE':
      return 'a quote is not closed, or more text follows the closing one'
    case 'INVALID_OPENING_QUOTE':
      return 'a quote stands in a field that does not begin with one'
    case 'CSV_MAX_RECORD_SIZE':
      return `a quote is not closed, or the record is longer than ${longest.toLocaleString('en-US')} bytes`
    default:
      return error.message
  }
}
