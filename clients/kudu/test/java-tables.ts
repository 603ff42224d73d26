import type { Column, TableDefinition, Value } from '../src/requests.js'
import { columnOf } from './tables.js'

/** Columns of a key and one of each other type. */
const columnsOf = (...types: readonly string[]): Column[] => [
  ...types.map((type, index) => columnOf(`c${index}`, type, true)),
  ...values.map((type, index) => columnOf(`v${index}`, type, false, true)),
]
const values = [
  ...['INT8', 'INT16', 'INT32', 'INT64', 'UNIXTIME_MICROS', 'DATE', 'STRING', 'VARCHAR(7)', 'BINARY', 'BOOL', 'FLOAT', 'DOUBLE'],
  ...['DECIMAL(9,2)', 'DECIMAL(18,4)', 'DECIMAL(38,10)'],
]
const ranges = (column: string, ...bounds: readonly (readonly [Value | undefined, Value | undefined])[]) =>
  bounds.map(([from, to]) => ({
    from: from === undefined ? undefined : { [column]: from },
    to: to === undefined ? undefined : { [column]: to },
  }))

/** Tables of which each is cut in another way, with gaps, bounds and hash levels of all sorts. */
export const definitions: readonly TableDefinition[] = [
  {
    name: 'metrics',
    columns: columnsOf('STRING', 'STRING', 'UNIXTIME_MICROS'),
    hash: [{ columns: ['c0', 'c1'], buckets: 4 }],
    range: ['c2'],
    ranges: ranges('c2', [undefined, 0n], [0n, 50n], [50n, undefined]),
  },
  {
    name: 'gaps',
    columns: columnsOf('INT8'),
    range: ['c0'],
    ranges: ranges('c0', [-100, -50], [-10, 0], [0, 1], [90, undefined]),
  },
  {
    name: 'keyranges',
    columns: columnsOf('INT16', 'BINARY'),
    range: ['c0', 'c1'],
    ranges: [
      { to: { c0: -1 } },
      { from: { c0: -1 }, to: { c0: 0, c1: Buffer.of(0, 1) } },
      { from: { c0: 0, c1: Buffer.of(0, 1) }, to: { c0: 32_767, c1: Buffer.of(255) } },
      { from: { c0: 32_767, c1: Buffer.of(255) } },
    ],
  },
  {
    name: 'hashes',
    columns: columnsOf('INT32', 'STRING', 'DATE'),
    hash: [
      { columns: ['c2'], buckets: 3, seed: 42 },
      { columns: ['c1', 'c0'], buckets: 5 },
    ],
  },
  {
    name: 'decimals',
    columns: columnsOf('DECIMAL(9,2)', 'DECIMAL(18,4)', 'DECIMAL(38,10)'),
    hash: [
      { columns: ['c0'], buckets: 2 },
      { columns: ['c1'], buckets: 3, seed: 7 },
    ],
    range: ['c2'],
    ranges: ranges('c2', [undefined, 0n], [0n, 3n], [3n, undefined]),
  },
  {
    name: 'otherorder',
    columns: columnsOf('VARCHAR(10)', 'INT64'),
    range: ['c1', 'c0'],
    ranges: [{ to: { c1: -1n, c0: 'a' } }, { from: { c1: -1n, c0: 'a' }, to: { c1: 60n } }, { from: { c1: 60n } }],
  },
  {
    name: 'custom',
    columns: columnsOf('INT32', 'STRING', 'STRING'),
    hash: [{ columns: ['c1'], buckets: 2 }],
    range: ['c0'],
    ranges: [
      { to: { c0: -1 }, hash: [{ columns: ['c2'], buckets: 5, seed: 17 }] },
      { from: { c0: -1 }, to: { c0: 50 } },
      { from: { c0: 60 }, to: { c0: 90 }, hash: [{ columns: ['c1', 'c2'], buckets: 3, seed: 1 }] },
      { from: { c0: 90 }, hash: [{ columns: ['c1'], buckets: 4 }] },
    ],
  },
  {
    name: 'bytes',
    columns: columnsOf('BINARY', 'BINARY'),
    hash: [{ columns: ['c0', 'c1'], buckets: 7, seed: 2 ** 32 - 1 }],
    range: ['c0'],
    ranges: ranges('c0', [undefined, Buffer.of(0)], [Buffer.of(0), Buffer.of(1, 0)], [Buffer.of(1, 0), undefined]),
  },
  { name: 'onehash', columns: columnsOf('INT64', 'INT32'), hash: [{ columns: ['c0'], buckets: 8 }] },
  {
    name: 'hashgaps',
    columns: columnsOf('UNIXTIME_MICROS', 'VARCHAR(10)', 'INT8'),
    hash: [
      { columns: ['c1'], buckets: 2 },
      { columns: ['c2'], buckets: 3 },
    ],
    range: ['c0'],
    ranges: ranges('c0', [undefined, -50n], [-10n, 10n], [20n, undefined]),
  },
]
