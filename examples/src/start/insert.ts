import { isRowkeyError } from 'rowkey'
import type { Malformed } from './csv-records.js'
import { instantOf, type Unit } from './instant.js'
import type { EventRows, TimelineRows } from './repositories.js'
import type { LogRecord } from './read-log.js'

/** What became of a record: stored, stored by an earlier start already, or why it was not. */
export type Inserted = 'new' | 'found' | (Malformed & { readonly conflict: boolean })

/** Inserts records into both tables or into none. */
export class Inserter {
  private readonly events: EventRows
  private readonly timeline: TimelineRows
  /** Keys of this start, where an earlier one may have left rows; its rows are no conflicts. */
  private readonly seen: Set<string> | undefined

  private readonly unit: Unit

  constructor(events: EventRows, timeline: TimelineRows, unit: Unit, isReused: boolean) {
    this.events = events
    this.timeline = timeline
    this.unit = unit
    this.seen = isReused ? new Set() : undefined
  }

  async insert(record: LogRecord): Promise<Inserted> {
    const isRepeated = this.isRepeated(record)
    try {
      await this.both(record)
      return 'new'
    } catch (error) {
      if (!isRowkeyError(error)) throw error
      const conflict = error.code === 'ROW_EXISTS'
      if (conflict && !isRepeated && (await this.isStored(record))) return 'found'
      return { line: record.line, reason: error.message, conflict }
    }
  }

  private async both({ host, event, at, seq, texts }: LogRecord): Promise<void> {
    const key = { host, event, at: instantOf(at, this.unit), seq }
    await this.timeline.insert(key)
    try {
      await this.events.insert({ ...key, ...texts })
    } catch (error) {
      await this.timeline.delete(key)
      throw error
    }
  }

  /** Whether a record before this one had its key; without earlier starts nobody needs to know. */
  private isRepeated({ host, event, at, seq }: LogRecord): boolean {
    if (this.seen === undefined) return true
    const key = JSON.stringify([host, event, String(at), seq])
    const isRepeated = this.seen.has(key)
    this.seen.add(key)
    return isRepeated
  }

  /** An earlier start that was interrupted may have left a row in one table only: it is completed. */
  private async isStored({ host, event, at, seq, texts }: LogRecord): Promise<boolean> {
    const key = { host, event, at: instantOf(at, this.unit), seq }
    const row = (await this.events.get(key)) as Readonly<Record<string, unknown>> | undefined
    if (row === undefined) await this.events.insert({ ...key, ...texts })
    return row === undefined || Object.entries(texts).every(([name, text]) => row[name] === text)
  }
}
