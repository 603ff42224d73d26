// Tested by decode-stream.test.ts.
import type { Row, TypeData, Value } from 'rowkey/codec'
import type { TableSchema } from 'rowkey'
import { typeFacts } from 'rowkey/internal'
import { isPlain, textsOf, type TextOf } from '../values/text-of-value.js'
import { InstantWriter } from './instant-writer.js'
import { keyColumns } from './key-of-values.js'

/** Writes a value as UTF-8 at `at`, where there is room, and returns the offset after it. */
type WriteValue = (target: Buffer, at: number, value: Value) => number

/** Bytes that are written before they are needed: a text is at most this long, or goes another way. */
const room = 1 << 16
const chunk = 1 << 18

/**
 * Collects lines of keys as bytes. It writes the same as the texts of {@link textsOf}, without making a text per key, because a pipe may have many
 * millions of them.
 */
export class LineWriter {
  private target: Buffer = Buffer.allocUnsafe(chunk)
  /** Where the bytes begin that have not been taken, and where they end. */
  private from = 0
  private at = 0
  private full: Buffer[] = []
  private readonly before: readonly Buffer[]
  private readonly writers: readonly WriteValue[]
  private readonly after: Buffer

  /** @param schema of keys; undefined if only texts are written */
  constructor(schema: TableSchema | undefined, isJson: boolean) {
    const columns = schema === undefined ? [] : keyColumns(schema)
    const start = isJson ? `{"rowkey":1,"table":${JSON.stringify(schema?.name)},"key":{` : ''
    this.before = columns.map(({ name }, at) => {
      const separator = at === 0 ? start : isJson ? ',' : ' '
      return Buffer.from(separator + (isJson ? `${JSON.stringify(name)}:` : `${name}=`))
    })
    this.writers = columns.map(({ type }) => writerOf(type, isJson))
    this.after = Buffer.from(isJson ? '}}\n' : '\n')
  }

  /** The line of one key. */
  key(row: Row): void {
    const { before, writers } = this
    let { target, at } = this
    for (let i = 0; i < writers.length; i++) {
      const value = row[i] as Value
      const write = writers[i] as WriteValue
      at = copied(before[i] as Buffer, target, at)
      const isLong = typeof value === 'string' && value.length > 1000
      if (!isLong) at = write(target, at, value)
      if (!isLong && at <= chunk - room) continue
      this.at = at
      if (isLong) this.text(textOfLong(value, write))
      else this.end()
      ;({ target, at } = this)
    }
    this.at = copied(this.after, target, at)
  }

  /** Text that is ready. */
  text(text: string): void {
    this.end()
    this.full.push(Buffer.from(text))
  }

  /** What has been written since the last call; undefined for nothing. */
  take(): Buffer | undefined {
    this.end()
    const { full } = this
    if (full.length === 0) return undefined
    this.full = []
    return full.length === 1 ? full[0] : Buffer.concat(full)
  }

  /** Puts aside what has been written, and begins a new target where there is no room for a text. */
  private end(): void {
    if (this.at > this.from) this.full.push(this.target.subarray(this.from, this.at))
    this.from = this.at
    if (this.at <= chunk - room) return
    this.target = Buffer.allocUnsafe(chunk)
    this.from = this.at = 0
  }
}

/** A long text by way of a buffer that is long enough. */
function textOfLong(value: string, write: WriteValue): string {
  const target = Buffer.allocUnsafe(value.length * 6 + 2)
  return target.toString('utf8', 0, write(target, 0, value))
}

function copied(from: Buffer, target: Buffer, at: number): number {
  for (let i = 0; i < from.length; i++) target[at + i] = from[i] as number
  return at + from.length
}

function writerOf(type: TypeData, isJson: boolean): WriteValue {
  const { storage } = typeFacts(type)
  const texts = textsOf(type)
  const other = textWriter(isJson ? texts.json : texts.line)
  if (type.nullable) return other
  if (storage.class === 'int' && storage.counts === 'ms') return isJson ? quotedWriter(instantWriter()) : instantWriter()
  return storage.class === 'text' ? plainWriter(isJson, other) : other
}

const textWriter =
  (textOf: TextOf): WriteValue =>
  (target, at, value) =>
    at + target.write(textOf(value), at)

/** One for each column, because the instants of one column are often next to each other. */
function instantWriter(): WriteValue {
  const instants = new InstantWriter()
  return (target, at, value) => instants.write(target, at, value as number)
}

const quote = 0x22
const quotedWriter =
  (write: WriteValue): WriteValue =>
  (target, at, value) => {
    target[at] = quote
    const end = write(target, at + 1, value)
    target[end] = quote
    return end + 1
  }

/** Text that needs no escapes is copied; `other` writes what does. */
const plainWriter =
  (isJson: boolean, other: WriteValue): WriteValue =>
  (target, at, value) => {
    const text = value as string
    let end = at
    if (isJson) target[end++] = quote
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      if (!isPlain(unit)) return other(target, at, value)
      target[end++] = unit
    }
    if (isJson) target[end++] = quote
    else if (text.length === 0 || text === 'null') return other(target, at, value)
    return end
  }
