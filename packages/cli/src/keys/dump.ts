// Tested by pasted.test.ts.
import type { ReadKey, Reading } from './key-forms.js'
import { littleEndian, lineOfDump, type DumpLine } from './dump-line.js'

/**
 * One key in the lines of hexdump, xxd or od. It takes lines until the dump ends: by a line with its length alone, by an offset 0, or by any other line.
 *
 * @example
 * ```ts
 * const dump = Dump.from('00000000: 7765 62  web')
 * dump?.reading() //=> { keys: [ { form: 'hex', bytes: Uint8Array(3) [ 119, 101, 98 ] } ] }
 * ```
 */
export class Dump {
  private bytes: number[] = []
  private fault: string | undefined
  private readonly isWords: boolean
  /** In which the offsets are; undefined until one tells. */
  private base: number | undefined
  private isRepeated = false
  private last: readonly number[] = []
  private isEnded = false

  /** A dump that begins with a line; undefined if the line is none of a dump. */
  static from(text: string): Dump | undefined {
    const line = lineOfDump(text)
    return line === undefined || line.bytes.length === 0 ? undefined : new Dump(line)
  }

  private constructor(line: DumpLine) {
    this.isWords = line.isWords
    this.add(line)
  }

  /** Takes one more line. False if it is none of this dump. */
  take(text: string): boolean {
    if (this.isEnded) return false
    if (text.trim() === '*') return (this.isRepeated = true)
    const line = lineOfDump(text)
    if (line === undefined) return false
    if (line.bytes.length > 0 && (line.isWords !== this.isWords || /^(?:0x)?0+$/.test(line.offset))) return false
    if (line.bytes.length === 0) return this.end(line)
    this.add(line)
    return true
  }

  /** What the lines are so far. */
  reading(): Reading {
    if (this.fault !== undefined) return { fault: this.fault }
    const bytes = Uint8Array.from(this.bytes)
    const keys: ReadKey[] = [{ form: 'hex', bytes }]
    if (!this.isWords) return { keys }
    // Words say neither their order of bytes nor whether the last one is a whole one.
    keys.push({ form: 'hex', bytes: littleEndian(bytes) })
    if (!this.isEnded && bytes.at(-1) === 0) keys.push({ form: 'hex', bytes: bytes.subarray(0, -1) })
    return { keys }
  }

  private add({ offset, bytes, fault }: DumpLine): void {
    this.repeat(offset)
    this.fault ??= fault ?? this.gap(offset)
    this.bytes.push(...bytes)
    this.last = bytes
  }

  /** hexdump prints a * for lines that are the same as the one before. */
  private repeat(offset: string): void {
    if (!this.isRepeated) return
    this.isRepeated = false
    const until = parseInt(offset, this.base ?? 16)
    while (this.last.length > 0 && this.bytes.length < until) this.bytes.push(...this.last)
  }

  private end(line: DumpLine): boolean {
    this.repeat(line.offset)
    const isLength = this.isAt(line.offset, this.bytes.length)
    const isHalf = this.isWords && this.bytes.at(-1) === 0 && this.isAt(line.offset, this.bytes.length - 1)
    if (!isLength && !isHalf) return false
    if (isHalf) this.bytes.pop()
    return (this.isEnded = true)
  }

  private isAt(offset: string, at: number): boolean {
    const bases = this.base === undefined ? [16, 8, 10] : [this.base]
    const base = bases.find((each) => at.toString(each).padStart(offset.length, '0') === offset.toLowerCase())
    if (base !== undefined && at > 9) this.base = base
    return base !== undefined
  }

  private gap(offset: string): string | undefined {
    const at = this.bytes.length
    if (this.isAt(offset, at)) return undefined
    return at === 0
      ? `the dump begins at offset ${offset}: what is before is missing`
      : `after ${at} bytes of the dump comes offset ${offset}, so lines are missing`
  }
}
