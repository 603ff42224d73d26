import { desc, text, timestamp } from 'rowkey/codec'
import { latin1String } from 'rowkey/internal'
import { defineTable } from 'rowkey'
import { Random } from '../measure/random.js'

/** host, event, descending instant, as in W1 of the codec benchmark, and two values. */
const Events = defineTable('events', {
  columns: { host: text(), event: text(), at: desc(timestamp('ms')), level: text(), message: text() },
  key: ['host', 'event', 'at'],
})

/** One row in the forms that contestants take. */
export interface SampleRow {
  readonly host: string
  readonly event: string
  readonly at: number
  /** The rowkey, one character per byte. */
  readonly key: string
  /** Positional, as the memory adapter keeps it. */
  readonly row: readonly unknown[]
}

/** Rows a few hundred of which share host and event, in random order, the same in every process. */
export function sampleRows(count: number): readonly SampleRow[] {
  const random = new Random(3)
  const hosts = Array.from({ length: Math.max(1, Math.round(count / 3000)) }, () => `host-${random.word(7)}`)
  const rows = Array.from({ length: count }, (_, i): SampleRow => {
    const host = random.pick(hosts)
    const event = `event-${'abcdefgh'[random.integer(8)] as string}`
    const at = 1.7e12 + i * 1000 + random.integer(1000)
    const [level, message] = ['info', `request ${i}`]
    const row = [host, event, at, level, message]
    return { host, event, at, key: latin1String(Events.layout.rowkey(row)), row }
  })
  for (let i = rows.length - 1; i > 0; i--) {
    const j = random.integer(i + 1)
    const swapped = rows[i] as SampleRow
    rows[i] = rows[j] as SampleRow
    rows[j] = swapped
  }
  return rows
}
