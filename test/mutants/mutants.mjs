// Bugs that planners over sorted keys are known for. Each is one edit of the sources; `pnpm mutants` plants it in a copy of the
// workspace and expects the oracle to notice.
const walk = 'packages/rowkey/src/store/plan/walk.ts'
const complete = 'packages/rowkey/src/store/predicate/complete.ts'
const planner = 'packages/rowkey/src/store/plan/planner.ts'
const ahead = 'packages/rowkey/src/store/table/ahead.ts'
const buckets = 'packages/rowkey/src/store/plan/buckets.ts'
const clip = 'packages/rowkey/src/store/plan/clip.ts'
const merge = 'packages/rowkey/src/store/scan/merge-source.ts'
const run = 'packages/rowkey/src/store/scan/run.ts'
const columnSet = 'packages/rowkey/src/store/predicate/column-set.ts'
const bound = 'packages/rowkey/src/codec/layout/bound.ts'
const column = 'packages/rowkey/src/codec/type/column-codec.ts'
const compare = 'packages/rowkey/src/codec/compare.ts'
const layout = 'packages/rowkey/src/codec/layout/row-layout.ts'
const started = 'packages/rowkey/src/mapper/scan/started-scan.ts'
const lane = 'packages/rowkey/src/store/scan/lane.ts'
const reading = 'packages/rowkey/src/mapper/scan/reading.ts'
const keyBounds = 'packages/rowkey/src/store/query/key-bounds.ts'
const positions = 'packages/rowkey/src/store/scan/row-source.ts'

/** Tests over stores that answer late, in pieces, and filter by themselves; without them the oracle over memory is asked. */
const lateStore = ['packages/rowkey/test/store/asynchronous.test.ts']

const periodTests = ['packages/rowkey/test/mapper/periods.test.ts', 'packages/rowkey/test/mapper/growth.test.ts']

export const mutants = [
  {
    name: 'one empty period too many at an exclusive end',
    edits: [[complete, 'high.inclusive ? high.value : stepped(high.value, -1)', 'high.value']],
  },
  {
    name: 'periods newest first are walked oldest first',
    edits: [[complete, 'isDesc ? to - i : from + i', 'from + i']],
  },
  {
    name: 'each period is a stream of its own',
    tests: periodTests,
    edits: [[planner, 'if (isAlike) (group', 'if (isAlike && merged < 0) (group']],
  },
  {
    name: 'a bound takes the period of the query',
    edits: [
      [keyBounds, 'own.from(valueAt(own.source))', "set?.kind === 'points' ? (set.values[0] as Value) : own.from(valueAt(own.source))"],
    ],
  },
  {
    name: 'nobody looks at the catalog again',
    tests: periodTests,
    edits: [[ahead, 'begin < looked + lookAhead', 'begin < looked + 1000 * lookAhead']],
  },
  {
    name: 'buckets one after the other instead of merged',
    edits: [
      [
        merge,
        'this.heap = new Heap((a, b) => this.compare(a.head as Row, b.head as Row) < 0)',
        'this.heap = new Heap((a, b) => this.lanes.indexOf(a) < this.lanes.indexOf(b))',
      ],
    ],
  },
  {
    name: 'the cursor holds the bucket',
    edits: [
      [
        clip,
        '.filter(({ ranges }) => ranges.length > 0)',
        '.filter(({ bucket, ranges }) => ranges.length > 0 && (bound.prefix.length < schema.keyLength || bucket >= schema.layout.bucketOf(bound.prefix)))',
      ],
    ],
  },
  {
    name: 'limit before the filter',
    edits: [[reading, 'rows: this.at.rows + batch.rows.length', 'rows: this.stats?.examined ?? 0']],
  },
  {
    name: 'offset paging',
    edits: [
      [started, "cursor === undefined ? fromStart : readCursor(schema, query, await mapper.seal.verify(cursor, 'cursor'))", 'fromStart'],
      [
        started,
        'return new StartedScan(handle, query, keysOf',
        'if (cursor !== undefined) await run.take(Number(cursor))\n  return new StartedScan(handle, query, keysOf',
      ],
      [
        started,
        "mapper.seal.sign(writeCursor(schema, this.query, bound, direction === 'before', this.limit === undefined ? 0 : rows))",
        'Promise.resolve(String(this.run.stats.returned))',
      ],
    ],
  },
  {
    name: 'DESC does not turn the terminator',
    edits: [[column, 'for (let i = at; i < end; i++)', "for (let i = at; i < end - (type.kind === 'text' ? 2 : 0); i++)"]],
  },
  {
    name: 'DESC bounds not swapped',
    edits: [[walk, 'type?.desc === true ? [range.high, range.low] : [range.low, range.high]', '[range.low, range.high]']],
  },
  {
    name: 'no 0xFF carry',
    edits: [[bound, 'while (end > 0 && bytes[end - 1] === 0xff) end--', '']],
  },
  {
    name: 'exclusive bound = k‖00 on an inner column',
    edits: [
      [
        layout,
        'prefix.length >= columns.length ? next(bytes) : above(bytes)',
        'prefix.length >= columns.length ? next(bytes) : next(bytes)',
      ],
    ],
  },
  {
    name: 'after a whole key that others begin with',
    edits: [[layout, 'openEnded && prefix.length >= columns.length', 'false']],
  },
  {
    name: 'bucket guessed from one value',
    edits: [[buckets, 'return [...found].sort((a, b) => a - b)', 'return [...found].slice(0, 1)']],
  },
  {
    name: 'an all-0xFF bound is empty bytes',
    edits: [[bound, 'if (end === 0) return null', 'if (end === 0) return new Uint8Array()']],
  },
  {
    name: 'UTF-16 comparison',
    edits: [[compare, 'return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit', 'return unit']],
  },
  {
    name: 'resume at the next prefix',
    edits: [
      [
        clip,
        'const rest = reverse ? { from, to: bound } : { from: bound, to }',
        'const wider = { ...bound, prefix: bound.prefix.slice(0, -1) }\n  const rest = reverse ? { from, to: wider } : { from: wider, to }',
      ],
    ],
  },
  {
    name: 'in not de-duplicated',
    edits: [[columnSet, '.filter((value, i, all) => i === 0 || order(all[i - 1] as Value, value) !== 0)', '']],
  },
  {
    name: 'lazy: in read as its hull, then filtered',
    edits: [
      [
        walk,
        'collapse(points, schema, maxRanges, Math.min',
        'collapse(points, schema, schema.partitionLength === 0 ? 1 : maxRanges, Math.min',
      ],
    ],
  },
  {
    name: 'lazy: every bucket, always',
    edits: [
      [buckets, 'const found = new Set<number>()', 'const found = new Set<number>(Array.from({ length: level.count }, (_, i) => i))'],
    ],
  },
  {
    name: 'lazy: everything read before the first row',
    edits: [
      [
        lane,
        'return { first, max: unlimited.max, streams, exact: exact && limit !== undefined }',
        'return { first: 1_000_000, max: 1_000_000, streams, exact: false }',
      ],
    ],
  },
  {
    name: 'requests do not double',
    edits: [[lane, 'Math.min(size * 2, max)', 'size']],
  },
  {
    name: 'requests do not look at what is still wanted',
    edits: [[lane, 'sizes.exact ? want : Infinity', 'Infinity']],
  },
  {
    name: 'a row goes before what an empty bucket may have',
    tests: lateStore,
    edits: [[merge, 'if (frontier.isBefore(row)) break', '']],
  },
  {
    name: 'under a cap the cursor passes rows that wait',
    tests: lateStore,
    edits: [[merge, '&& (next === undefined || this.positions.isAfter(next.head as Row, frontier.at))', '']],
  },
  {
    name: 'at a cap the rows in memory are thrown away',
    edits: [
      [run, 'if (mayExamine === 0 && page.rows.length === 0)', 'if (mayExamine === 0)'],
      [run, 'this.keep(page, rows)', 'this.keep(mayExamine === 0 ? { ...page, rows: [] } : page, rows)'],
    ],
  },
  {
    name: 'a feed is merged in the order of its key',
    edits: [[positions, 'merged === 0 ? schema.layout.compareRows : mergedOrder(schema, merged)', 'schema.layout.compareRows']],
  },
  {
    name: 'a feed resumes after equal rows of other values',
    edits: [[clip, "order === 0 ? edge : order < 0 ? 'after' : 'before'", 'edge']],
  },
  {
    name: 'a previous page comes in reverse order',
    edits: [[started, 'taken.toReversed()', 'taken']],
  },
  {
    name: 'the first page, reached backwards, has a page before it',
    edits: [[started, 'ofKeys ? size : size + 1', 'size']],
  },
  {
    name: 'a previous page starts at its row',
    edits: [[started, 'before(this.boundAfter(rows[size - 1] as Row))', 'before(position?.bound)']],
  },
  {
    name: 'the end of a scan is included, or its start left out',
    edits: [[keyBounds, "isStart === isInclusive ? 'before' : 'after'", "'before'"]],
  },
  {
    name: 'bounds are not turned with the scan',
    edits: [[keyBounds, "order.reverse === (edge === 'before') ? 'after' : 'before'", 'edge']],
  },
  {
    name: 'rows that have expired are read',
    edits: [[run, '!isExpired(schema, row, now) && ', '']],
  },
]
