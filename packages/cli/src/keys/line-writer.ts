// Tested by pipes.test.ts.
import type { Row, TypeData, Value } from 'rowkey/codec'
import type { TableSchema } from 'rowkey'
import { typeFacts } from 'rowkey/internal'
import { dayText } from '../values/instants.js'
import { isPlain, textsOf, type TextOf } from '../values/text-of-value.js'
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
  if (storage.class === 'int' && storage.counts === 'ms') return isJson ? quotedWriter(writeInstant) : writeInstant
  return storage.class === 'text' ? plainWriter(isJson, other) : other
}

const textWriter =
  (textOf: TextOf): WriteValue =>
  (target, at, value) =>
    at + target.write(textOf(value), at)

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

const dayMs = 86_400_000
const minuteMs = 60_000
/** The last minute as text, such as `2026-01-01T00:00:`, and when it and its day begin: keys of one time are often next to each other. */
const minuteText = Buffer.alloc('+275760-09-13T00:00:'.length)
let minuteLength = 0
let knownMinute = NaN
let knownDay = NaN

/** The digits of numbers up to 99 as characters. */
const tens = Uint8Array.from({ length: 100 }, (_, number) => 0x30 + Math.floor(number / 10))
const ones = Uint8Array.from({ length: 100 }, (_, number) => 0x30 + (number % 10))

/** Epoch milliseconds as `2026-01-01T00:00:00.000Z`. */
const writeInstant: WriteValue = (target, at, value) => {
  const ms = value as number
  if (!(ms >= knownMinute && ms < knownMinute + minuteMs)) startMinute(ms)
  const rest = (ms - knownMinute) | 0 // an integer of 32 bits, with which the rest is fast
  for (let i = 0; i < minuteLength; i++) target[at + i] = minuteText[i] as number
  const seconds = (rest / 1000) | 0
  const thousandths = rest - seconds * 1000
  const hundreds = (thousandths / 100) | 0
  const end = twoDigits(target, at + minuteLength, seconds, 0x2e)
  target[end] = 0x30 + hundreds
  return twoDigits(target, end + 1, thousandths - hundreds * 100, 0x5a)
}

/** Makes the minute of an instant the known one. */
function startMinute(ms: number): void {
  const day = Math.floor(ms / dayMs) * dayMs
  if (day !== knownDay) {
    minuteLength = minuteText.write(`${dayText(day / dayMs)}T00:00:`)
    knownDay = day
  }
  const minutes = ((ms - day) / minuteMs) | 0
  const hours = (minutes / 60) | 0
  twoDigits(minuteText, twoDigits(minuteText, minuteLength - 6, hours, 0x3a), minutes - hours * 60, 0x3a)
  knownMinute = day + minutes * minuteMs
}

/** Two digits and the character after them. */
function twoDigits(target: Buffer, at: number, number: number, after: number): number {
  target[at] = tens[number] as number
  target[at + 1] = ones[number] as number
  target[at + 2] = after
  return at + 3
}
