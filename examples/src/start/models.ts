import { Bucket, Column, desc, KeyColumn, nullable, Table, text, timestamp, uint32 } from 'rowkey'

// #region shown
@Table('log_events') // the newest events of one host and event
export class LogEvent {
  @KeyColumn(1, text()) host!: string
  @KeyColumn(2, text()) event!: string
  @KeyColumn(3, desc(timestamp('ms'))) at!: Date
  @KeyColumn(4, uint32()) seq!: number // same host, event and millisecond: still two rows
  @Column(nullable(text())) message!: string | null
}

@Table('log_timeline') // everything in a window of time, writes spread over 16 buckets
@Bucket({ of: ['host', 'event'], count: 16 })
export class LogTimeline {
  @KeyColumn(1, timestamp('ms')) at!: Date
  @KeyColumn(2, text()) host!: string
  @KeyColumn(3, text()) event!: string
  @KeyColumn(4, uint32()) seq!: number
}
// #endregion
