import { bucket, defineTable, desc, text, timestamp, uint32 } from 'rowkey'

const columns = { host: text(), event: text(), at: desc(timestamp('ms')), seq: uint32(), level: text(), message: text() }

/** What a host logged, newest first. Its indexes answer two more questions: where did an event happen, and what happened in a span of time? */
export const LogEvents = defineTable('log_events', {
  columns,
  key: ['host', 'at', 'seq'],
  writes: 'plain', // a record is put once and never changed, which every store can do
  indexes: {
    byEvent: { key: ['event', 'at'] },
    byTime: { key: ['at'], salt: bucket({ of: ['host', 'seq'], count: 4 }) }, // all write at the same end of time: a bucket spreads them
  },
})
