/** A limit for one figure of rowkey. */
export interface Goal {
  readonly contest: string
  readonly party: string
  /** 'row': bytes of memory per row instead of a time. */
  readonly operation: string
  readonly against: string
  readonly limit: number
}

const goal = (contest: string, party: string, operation: string, against: string, limit: number): Goal => ({
  contest,
  party,
  operation,
  against,
  limit,
})

/** Ahead of every peer, with room for noise; at a million rows all wait for memory. */
export const goals: readonly Goal[] = [
  goal('E100k', 'rowkey', 'get', 'sorted-btree', 0.6),
  goal('E1M', 'rowkey', 'get', 'sorted-btree', 0.4),
  goal('E100k', 'rowkey', 'get', 'lmdb', 0.7),
  goal('E1M', 'rowkey', 'get', 'lmdb', 0.7),
  goal('E100k', 'rowkey, tree alone', 'put', 'sorted-btree', 0.75),
  goal('E100k', 'rowkey', 'put', 'sorted-btree', 1),
  goal('E1M', 'rowkey', 'put', 'sorted-btree', 1),
  goal('E100k', 'rowkey', 'scan 100', 'sorted-btree', 0.6),
  goal('E100k', 'rowkey', 'reverse 100', 'sorted-btree', 0.6),
  goal('E1M', 'rowkey', 'scan 100', 'sorted-btree', 1),
  goal('E1M', 'rowkey', 'reverse 100', 'sorted-btree', 1),
  goal('E100k', 'rowkey', 'get', 'sorted-btree, buffers', 0.5),
  goal('E100k', 'rowkey', 'scan 100', 'sorted-btree, buffers', 0.5),
  goal('E100k', 'rowkey', 'scan 100', 'memory-level', 0.3),
  goal('E100k', 'rowkey', 'row', 'sorted-btree', 1.1),
  goal('E1M', 'rowkey', 'row', 'sorted-btree', 1.2),
  goal('E1M', 'rowkey, tree alone', 'row', 'sorted-btree', 1),
  goal('repository', 'repository', 'get', 'engine', 4),
  goal('repository', 'repository', 'put', 'engine', 1.6),
  // Nobody reaches it who makes instances: the least code there can be takes more than five times as long as handing out rows.
  goal('repository', 'repository', 'scan 100', 'engine', 3),
  goal('repository', 'repository', 'scan 100', 'engine, instances by hand', 1.3),
]
