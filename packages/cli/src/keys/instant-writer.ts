import { dayText } from '../values/instants.js'

const dayMs = 86_400_000
const minuteMs = 60_000

/** The digits of numbers up to 99 as characters. */
const tens = Uint8Array.from({ length: 100 }, (_, number) => 0x30 + Math.floor(number / 10))
const ones = Uint8Array.from({ length: 100 }, (_, number) => 0x30 + (number % 10))

/** Writes epoch milliseconds as `2026-01-01T00:00:00.000Z`. It keeps the text of the last minute, which the next instant often shares. */
export class InstantWriter {
  /** The last minute, such as `2026-01-01T00:00:`, and when it and its day begin. */
  private readonly text = Buffer.alloc('+275760-09-13T00:00:'.length)
  private length = 0
  private minute = NaN
  private day = NaN

  /** Writes at `at`, where there is room, and returns the offset after it. */
  write(target: Buffer, at: number, ms: number): number {
    if (!(ms >= this.minute && ms < this.minute + minuteMs)) this.startMinute(ms)
    const { text, length } = this
    const rest = (ms - this.minute) | 0 // an integer of 32 bits, with which the rest is fast
    for (let i = 0; i < length; i++) target[at + i] = text[i] as number
    const seconds = (rest / 1000) | 0
    const thousandths = rest - seconds * 1000
    const hundreds = (thousandths / 100) | 0
    const end = twoDigits(target, at + length, seconds, 0x2e)
    target[end] = 0x30 + hundreds
    return twoDigits(target, end + 1, thousandths - hundreds * 100, 0x5a)
  }

  private startMinute(ms: number): void {
    const day = Math.floor(ms / dayMs) * dayMs
    if (day !== this.day) {
      this.length = this.text.write(`${dayText(day / dayMs)}T00:00:`)
      this.day = day
    }
    const minutes = ((ms - day) / minuteMs) | 0
    const hours = (minutes / 60) | 0
    twoDigits(this.text, twoDigits(this.text, this.length - 6, hours, 0x3a), minutes - hours * 60, 0x3a)
    this.minute = day + minutes * minuteMs
  }
}

/** Two digits and the character after them. */
function twoDigits(target: Buffer, at: number, number: number, after: number): number {
  target[at] = tens[number] as number
  target[at + 1] = ones[number] as number
  target[at + 2] = after
  return at + 3
}
