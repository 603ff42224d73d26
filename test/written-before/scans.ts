import type { TableSchema } from 'rowkey'
import { Ids, Modulo, Numbers, Texts } from './models.js'
import { rowsOf } from './rows.js'

/** A scan whose rows and cursors were kept. */
export interface KeptScan {
  readonly name: string
  readonly model: TableSchema
  readonly where: Readonly<Record<string, unknown>>
  readonly options: Readonly<Record<string, unknown>>
}

const scan = (name: string, model: TableSchema, where: KeptScan['where'], options: KeptScan['options'] = {}): KeptScan => ({
  name,
  model,
  where,
  options,
})

/** The conditions that name the keys of every third row, as one list per key column. */
function someKeys(model: TableSchema, names: readonly string[]): KeptScan['where'] {
  const given = rowsOf(model).map(({ row }) => row)
  return Object.fromEntries(names.map((name) => [name, { in: [...new Set(given.map((row) => row[name]))] }]))
}

const all = { unbounded: true }

export const scans: readonly KeptScan[] = [
  scan('numbers, all buckets merged', Numbers, {}, all),
  scan('numbers, all buckets merged, reverse', Numbers, {}, { ...all, order: 'reverse' }),
  scan('numbers, one bucket', Numbers, { zone: 'a' }),
  scan('numbers, a range', Numbers, { zone: 'b\0', i8: { gte: -1, lt: 127 } }),
  scan('numbers, some zones, reverse', Numbers, { zone: { in: ['', 'a'] } }, { order: 'reverse' }),
  scan('numbers, a filter on the way', Numbers, { i16: { gte: 0 }, ok: true }, all),
  scan('numbers, some columns', Numbers, { zone: { gte: 'a' } }, { ...all, select: ['zone', 'note', 'price', 'sum'] }),
  scan('texts, one partition', Texts, { tenant: 't1', shop: 'tmall' }),
  scan('texts, one partition, reverse', Texts, { tenant: 't1', shop: 'tmall' }, { order: 'reverse' }),
  scan('texts, several partitions', Texts, { tenant: { in: ['t1', '租户'] }, shop: { in: ['taobao', 'other'] } }),
  scan('texts, equal at the start of the key', Texts, { tenant: 't2', shop: { in: ['taobao', 'tmall', 'other'] }, padded: 'abc' }),
  scan('ids, all buckets merged', Ids, {}, all),
  scan('ids, all buckets merged, reverse', Ids, {}, { ...all, order: 'reverse' }),
  scan('ids, one price', Ids, { price: '19.99' }),
  scan('ids, a range of prices', Ids, { price: { gte: '0.00', lt: '100.00' } }, all),
  scan('modulo, all buckets merged', Modulo, {}, all),
  scan('modulo, a range', Modulo, { seq: { gt: -7n, lte: 15n } }),
  scan('modulo, a range, reverse', Modulo, { seq: { gt: -7n, lte: 15n } }, { order: 'reverse' }),
  scan('modulo, a list of keys', Modulo, someKeys(Modulo, ['seq', 'part'])),
  scan(
    'modulo, a list of keys, reverse',
    Modulo,
    { seq: { in: [-9n, -3n, 0n, 1n, 4n, 12n] }, part: { in: [-1, 0, 1] } },
    { order: 'reverse' },
  ),
]
