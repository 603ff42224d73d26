// Tested by pasted.test.ts and decode-stream.test.ts.
import { Dump } from './dump.js'
import { keysIn, OpenDocument } from './document.js'
import { candidatesIn, inTexts } from './find.js'
import type { KeyForm, Reading } from './key-forms.js'
import { readMarked } from './marked-text.js'
import { paddedRow, readLine, shellRow } from './shell-lines.js'
import { asStored } from './stored-key.js'

/** How lines are read. */
export interface PasteOptions {
  /** The one form that a rowkey alone has. */
  readonly from?: KeyForm | undefined
  /** The store whose tools printed them. */
  readonly store?: string | undefined
  /** Whether keys are looked for inside lines. */
  readonly isFind?: boolean
}

/** What is taken for one key. */
export interface Pasted {
  /** The number of its first line. */
  readonly line: number
  readonly text: string
  readonly reading: Reading
  /** Whether it was found in a line of something else, where much that looks like a key is none. */
  readonly isWeak?: boolean
}

const list = /(?:Uint8Array\(\d+\) \[|\[\]byte\{|^unsigned char \w+\[\] = \{)$/
const mayBeDump = /^\s*(?:0x)?[0-9a-f]{4}/i
const header = /^ [\w" ]+(?: \| [\w" ]+)*$/

/** Reads what people paste, line by line. Most keys are a line each; dumps, JSON, lists and wrapped rows have several. */
export class PasteReader {
  private readonly options: PasteOptions
  private number = 0
  /** The first line of what is not complete yet. */
  private first = 0
  private dump: Dump | undefined
  private document: OpenDocument | undefined
  private list: string | undefined
  /** A line that the next one decides about: a row of the HBase shell without padding, or what may be the head of cqlsh. */
  private held: { readonly text: string; row?: string; readonly width: number } | undefined
  /** A row has a line for each of its cells. */
  private lastRow = ''
  /** What the lines of a dump began with. */
  private text = ''

  constructor(options: PasteOptions) {
    this.options = options
  }

  /** The number of the last line. */
  get lines(): number {
    return this.number
  }

  /** Whether a line may not be read on its own. */
  get isOpen(): boolean {
    return this.held !== undefined || this.dump !== undefined || this.document !== undefined || this.list !== undefined
  }

  /** Counts a line that was read elsewhere. */
  count(): void {
    this.number++
  }

  /** What is complete with one more line. */
  push(line: string): readonly Pasted[] {
    this.number++
    const text = line.endsWith('\r') ? line.slice(0, -1) : line
    if (this.document !== undefined) return this.document.take(text) ? this.endDocument() : []
    if (this.list !== undefined) return this.continueList(text)
    if (this.dump?.take(text)) return []
    const before = [...this.endDump(), ...this.endHeld(text)]
    if (this.held !== undefined) return before
    return before.length === 0 ? this.begin(text) : [...before, ...this.begin(text)]
  }

  /** What is complete at the end. */
  end(): readonly Pasted[] {
    const open = this.document !== undefined ? this.endDocument() : this.list === undefined ? [] : this.one(this.first, this.list)
    this.list = undefined
    return [...open, ...this.endDump(), ...this.endHeld(undefined)]
  }

  private begin(text: string): readonly Pasted[] {
    this.first = this.number
    if (OpenDocument.mayBegin(text) && shellRow(text) === undefined) {
      this.document = new OpenDocument()
      return this.document.take(text) ? this.endDocument(text) : []
    }
    if (this.options.isFind) return this.found(text)
    return this.options.from === undefined && this.holds(text) ? [] : this.one(this.number, text)
  }

  /** Whether the next lines decide about a line, or belong to it. */
  private holds(text: string): boolean {
    const found = shellRow(text)
    if (found !== undefined) {
      if (found.row === this.lastRow) return true // the next cell of a row
      this.lastRow = found.row
      if (found.spaces === 0) this.held = { text, row: found.row, width: found.row.length }
    } else {
      this.lastRow = ''
      if (mayBeDump.test(text)) this.dump = Dump.from(text)
      else if (/[[{]$/.test(text) && list.test(text)) this.list = text.replace(/^unsigned char \w+\[\] = /, '')
      else if (header.test(text)) this.held = { text, width: 0 }
    }
    this.text = text
    return this.isOpen
  }

  private one(line: number, text: string): readonly Pasted[] {
    const read = readLine(text, this.options.from)
    const reading = read === 'nothing' ? read : this.options.from === undefined ? asStored(read, text.trim(), this.options.store) : read
    return reading === 'nothing' ? [] : [{ line, text: text.trim(), reading }]
  }

  private found(text: string): readonly Pasted[] {
    return candidatesIn(text).flatMap(({ text: candidate, reading, isWeak }) => this.stored(this.number, candidate, reading, isWeak))
  }

  private stored(line: number, text: string, read: Reading, isWeak?: boolean): readonly Pasted[] {
    const reading = asStored(read, text, this.options.store)
    return reading === 'nothing' ? [] : [{ line, text, reading, ...(isWeak === true ? { isWeak } : {}) }]
  }

  private endDump(): readonly Pasted[] {
    const { dump } = this
    this.dump = undefined
    return dump === undefined ? [] : this.stored(this.first, this.text.trim(), dump.reading())
  }

  /** @param line the only one, if it is one */
  private endDocument(line?: string): readonly Pasted[] {
    const { document } = this
    this.document = undefined
    if (document === undefined) return []
    const parsed = document.parsed()
    const [at, isFind] = [this.first, this.options.isFind === true]
    if (parsed === undefined) {
      if (line !== undefined && isFind) return this.found(line)
      const marked = line === undefined ? undefined : readMarked(line.trim())
      if (line !== undefined && (marked !== undefined || !line.includes('"'))) return this.one(at, line)
      return [{ line: at, text: line?.trim() ?? '{ … }', reading: { fault: document.fault } }]
    }
    if (line !== undefined && Array.isArray(parsed.json) && parsed.json.every((each) => typeof each === 'number')) return this.one(at, line)
    const found = keysIn(parsed.json)
    const all = isFind && found.length === 0 ? inTexts(parsed.json) : found
    if (all.length > 0) return all.flatMap(({ text, reading }) => (reading === 'nothing' ? [] : this.stored(at, text, reading)))
    const fault = 'this JSON has no key: no item with rk_p and rk_s, and no bytes. In its texts, --find looks for keys'
    return isFind || isEmpty(parsed.json) ? [] : [{ line: at, text: line?.trim() ?? '{ … }', reading: { fault } }]
  }

  private continueList(text: string): readonly Pasted[] {
    this.list = `${this.list as string} ${text.trim()}`
    if (!/[\]}][;)]*$/.test(text)) return []
    const { list } = this
    this.list = undefined
    return this.one(this.first, list)
  }

  /** Decides about the line that was held, by the next one. */
  private endHeld(next: string | undefined): readonly Pasted[] {
    const { held } = this
    if (held === undefined) return []
    if (held.row === undefined) {
      this.held = undefined
      return next !== undefined && /^-[-+]{2,}$/.test(next) ? [] : this.one(this.first, held.text)
    }
    // A terminal wraps a long row: its next piece is below, in the same width.
    if (next?.startsWith(' ') === true && next[1] !== ' ' && shellRow(next) === undefined) {
      held.row += next.slice(1, held.width + 1).trimEnd()
      return []
    }
    this.held = undefined
    this.lastRow = held.row
    return this.stored(this.first, held.text.trim(), paddedRow(held.row, 0))
  }
}

/** An answer without rows. */
const isEmpty = (json: unknown): boolean =>
  typeof json === 'object' &&
  json !== null &&
  (Object.keys(json).length === 0 ||
    (Array.isArray((json as { readonly Items?: unknown }).Items) && (json as { readonly Items: readonly unknown[] }).Items.length === 0))
