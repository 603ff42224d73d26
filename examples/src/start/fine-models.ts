import { Bucket, Column, desc, KeyColumn, nullable, Table, text, timestamp, uint32, type ModelClass } from 'rowkey'
import type { Instant, Unit } from './instant.js'
import { LogEvent, LogTimeline } from './models.js'

/** A row of `log_events`. */
export interface EventRow {
  host: string
  event: string
  at: Instant
  seq: number
  message: string | null
}

/** A row of `log_timeline`. */
export type TimelineRow = Omit<EventRow, 'message'>

/** The two tables of a log. */
export interface Models {
  readonly LogEvent: ModelClass<EventRow>
  readonly LogTimeline: ModelClass<TimelineRow>
}

/** The models with instants in the unit of the log. */
export function modelsOf(unit: Unit): Models {
  return unit === 'ms' ? { LogEvent, LogTimeline } : fineModels(unit)
}

/** The same models with another type of `at`: finer instants than milliseconds do not fit into a `Date`. */
function fineModels(unit: 'us' | 'ns'): Models {
  @Table('log_events')
  class FineLogEvent {
    @KeyColumn(1, text()) host!: string
    @KeyColumn(2, text()) event!: string
    @KeyColumn(3, desc(timestamp(unit))) at!: bigint
    @KeyColumn(4, uint32()) seq!: number
    @Column(nullable(text())) message!: string | null
  }

  @Table('log_timeline')
  @Bucket({ of: ['host', 'event'], count: 16 })
  class FineLogTimeline {
    @KeyColumn(1, timestamp(unit)) at!: bigint
    @KeyColumn(2, text()) host!: string
    @KeyColumn(3, text()) event!: string
    @KeyColumn(4, uint32()) seq!: number
  }
  return { LogEvent: FineLogEvent, LogTimeline: FineLogTimeline }
}
