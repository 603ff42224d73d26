import { nearestName } from 'rowkey/internal'
import { isRowkeyError, text, uuid } from 'rowkey'
import { expect, test } from 'vitest'
import { advise, sampleStats, type AdviceOptions } from '../src/index.js'
import { table } from './judging.js'

const Rows = table({ host: text(), id: uuid() }, ['host', 'id'])
const stats = sampleStats(Rows, [{ host: 'a', id: '018f3a5e-7d21-7c4a-9b12-000000000000' }])
const host = stats.columns['host'] as object
const rows = { table: 'rows' }

test.each<[object, string, string]>([
  [{ querys: [] }, 'querys', 'queries'],
  [{ queries: [{ ...rows, were: {}, where: {} }] }, 'were', 'where'],
  [{ queries: [{ ...rows, where: {}, persecond: 5 }] }, 'persecond', 'perSecond'],
  [{ queries: [{ ...rows, where: { hots: '=' } }] }, 'hots', 'host'],
  [{ queries: [{ ...rows, where: {}, order: { dI: 'desc' } }] }, 'dI', 'id'],
  [{ queries: [{ ...rows, where: { host: { in: 5, on: 5 } } }] }, 'on', 'in'],
  [{ writes: [{ ...rows, persecond: {} }] }, 'persecond', 'perSecond'],
  [{ writes: [{ ...rows, perSecond: { insert: 5 } }] }, 'insert', 'inserts'],
  [{ writes: [{ ...rows, distinct: { ohst: 5 } }] }, 'ohst', 'host'],
  [{ stats: [{ ...stats, row: 5 }] }, 'row', 'rows'],
  [{ stats: [{ ...stats, keyBytes: { ...stats.keyBytes, maxi: 5 } }] }, 'maxi', 'max'],
  [{ stats: [{ ...stats, buckets: { ...stats.buckets, user: 5 } }] }, 'user', 'used'],
  [{ stats: [{ ...stats, columns: { ...stats.columns, hosts: host } }] }, 'hosts', 'host'],
  [{ stats: [{ ...stats, columns: { ...stats.columns, host: { ...host, distnct: 5 } } }] }, 'distnct', 'distinct'],
  [{ store: 'kudu', server: 5 }, 'server', 'servers'],
  [{ store: 'redis', storeOptions: { shard: 5 } }, 'shard', 'shards'],
  [{ store: 'kudu', kudu: { encoding: { rows: { host: 'plain' } } } }, 'encoding', 'encodings'],
  [{ store: 'kudu', kudu: { ranges: { row: { column: 'host', bounds: [] } } } }, 'row', 'rows'],
  [{ store: 'kudu', kudu: { ranges: { rows: { columns: 'host', bounds: [] } } } }, 'columns', 'column'],
  [{ store: 'kudu', kudu: { encodings: { rows: { hst: 'plain' } } } }, 'hst', 'host'],
  [{ ignore: [{ code: 'x', reason: 'y', tabel: 'rows' }] }, 'tabel', 'table'],
])('INVALID_OPTION with the nearest name: %j', (options, unknown, nearest) => {
  let error: unknown
  try {
    advise([Rows], options)
  } catch (thrown) {
    error = thrown
  }
  expect(isRowkeyError(error, 'INVALID_OPTION')).toBe(true)
  expect((error as Error).message).toContain(`"${unknown}", which does not exist. Did you mean "${nearest}"?`)
})

test.each<[object, string]>([
  [{ before: [] }, 'before'],
  [{ writes: [{ ...rows, inserts: 5 }] }, 'inserts'],
  [{ queries: [{ ...rows, where: {}, reverse: true }] }, 'reverse'],
  [{ queries: [{ ...rows, where: {}, allowFullScan: true }] }, 'allowFullScan'],
])('a name that is like none gets no suggestion, but all names: %j', (options, unknown) => {
  const known = String.raw`There are: \w+(?:, \w+)*(?: and \w+)?\.$`
  expect(() => advise([Rows], options)).toThrow(new RegExp(`"${unknown}", which does not exist\\. ${known}`))
})

test.each([
  [{ size: 1.5 }, 'size'],
  [{ limit: 1.5 }, 'limit'],
  [{ size: 2 ** 60 }, 'size'],
])('a number of rows is whole: %j', (part, name) => {
  expect(() => advise([Rows], { queries: [{ ...rows, where: {}, ...part }] })).toThrow(
    new RegExp(`^INVALID_OPTION: a query on 'rows': ${name} is .*\\. Give a whole number from 1\\.$`),
  )
})

test('the same of the hints of a model, and of a sample', () => {
  const Hinted = table({ id: uuid() }, ['id'], { stores: { advisor: { ignore: {}, ignored: {} } } })
  expect(() => advise([Hinted])).toThrow('INVALID_OPTION: stores.advisor of \'rows\' has the field "ignored"')
  expect(() => sampleStats(Rows, [], { totals: 5 } as never)).toThrow('INVALID_OPTION: sampleStats() has the option "totals"')
})

test('all that exists is taken', () => {
  const options: AdviceOptions = {
    queries: [{ ...rows, where: { host: { in: 5 } }, order: { host: 'asc' }, perSecond: 5, limit: 5, size: 5, consistency: 'strong' }],
    writes: [{ ...rows, perSecond: { inserts: 5, updates: 5, deletes: 5 }, skew: 1, distinct: { host: 500 } }],
    stats: [stats],
    store: 'kudu',
    servers: 3,
    storeOptions: {},
    kudu: { replicas: 3, ranges: { rows: { column: 'host', bounds: [] } }, encodings: { rows: { host: 'prefix' } } },
    existing: [Rows],
    ignore: [{ code: 'x', table: 'rows', column: 'host', reason: 'y' }],
  }
  expect(advise([Rows], options).findings).not.toEqual([])
})

test('a name of any length is compared in time', () => {
  expect(nearestName('x'.repeat(1e6), ['y', 'x'.repeat(64)])).toBe('x'.repeat(64))
  expect(nearestName('a', [])).toBeUndefined()
  expect(nearestName('x', ['y'])).toBeUndefined()
})
