import { defineTable } from 'rowkey'
import { float64, kuduHash, text, timestamp } from 'rowkey/codec'

// The table of Kudu's guide: PRIMARY KEY (host, metric, time), for the years 2014 to 2016.
const table = {
  columns: { host: text(), metric: text(), time: timestamp('us'), value: float64() },
  key: ['host', 'metric', 'time'],
} as const

const years = { of: 'time', bounds: [['2014-01-01', '2017-01-01']], splits: ['2015-01-01', '2016-01-01'] }
const both = ['host', 'metric'] as const

/** PARTITION BY RANGE (time) */
export const ByRange = defineTable('metrics_by_range', { ...table, stores: { kudu: { range: years } } })

/** PARTITION BY HASH (host, metric) PARTITIONS 4 */
export const ByHash = defineTable('metrics_by_hash', { ...table, salt: kuduHash({ of: both, count: 4 }) })

/** PARTITION BY HASH (host, metric) PARTITIONS 4, RANGE (time) */
export const ByBoth = defineTable('metrics_by_both', {
  ...table,
  salt: kuduHash({ of: both, count: 4 }),
  stores: { kudu: { range: years } },
})

/** PARTITION BY HASH (host) PARTITIONS 4, HASH (metric) PARTITIONS 3 */
export const ByTwo = defineTable('metrics_by_two', {
  ...table,
  salt: [kuduHash({ of: 'host', count: 4 }), kuduHash({ of: 'metric', count: 3 })],
})
