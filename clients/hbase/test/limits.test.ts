import { afterAll, expect, test } from 'vitest'
import { HBaseClient, type Put } from '../src/index.js'
import { failureOf } from './failure.js'

// Nothing listens where these clients would send: what is refused is refused before.
const unframed = new HBaseClient({ port: 1 })
const framedClient = new HBaseClient({ port: 1, transport: 'framed' })
afterAll(() => Promise.all([unframed.close(), framedClient.close()]))

const row = Buffer.from('r')
const family = Buffer.from('f')
const qualifier = Buffer.from('q')
const value = Buffer.from('v')
const cell = { family, qualifier, value }
const put: Put = { row, cells: [cell] }
const check = { row, family, qualifier, value }
const long = (length: number): Buffer => Buffer.alloc(length, 97)
const wrong = <Value>(value: unknown): Value => value as Value
type Client = HBaseClient

test.each<[string, (client: Client) => Promise<unknown>]>([
  ['put() was not sent: row has 0 bytes. A row of this table has 1 to 32750.', (c) => c.put('t', { ...put, row: long(0) })],
  ['put() was not sent: row has 32751 bytes. A row of this table has 1 to 32750.', (c) => c.put('t', { ...put, row: long(32_751) })],
  ['put() was not sent: row is a string. Give a Uint8Array.', (c) => c.put('t', { ...put, row: wrong('r') })],
  ['put() was not sent: cells is empty. Give at least one.', (c) => c.put('t', { row, cells: [] })],
  [
    'put() was not sent: cells[1].family has 0 bytes. The name of a column family has 1 to 127.',
    (c) => c.put('t', { row, cells: [cell, { ...cell, family: long(0) }] }),
  ],
  [
    'put() was not sent: cells[0].family has 128 bytes. The name of a column family has 1 to 127.',
    (c) => c.put('t', { row, cells: [{ ...cell, family: long(128) }] }),
  ],
  ['put() was not sent: cells[0].value is null. Give a Uint8Array.', (c) => c.put('t', { row, cells: [{ ...cell, value: wrong(null) }] })],
  [
    'put() was not sent: cells[0].timestamp is -1. HBase takes 0 to 2^63 − 2.',
    (c) => c.put('t', { row, cells: [{ ...cell, timestamp: -1n }] }),
  ],
  [
    'put() was not sent: timestamp is 9223372036854775807. HBase takes 0 to 2^63 − 2.',
    (c) => c.put('t', { ...put, timestamp: 2n ** 63n - 1n }),
  ],
  [
    'put() was not sent: timestamp is a number. Give a bigint: milliseconds since 1970.',
    (c) => c.put('t', { ...put, timestamp: wrong(5) }),
  ],
  [
    'put() was not sent: attributes._ttl has 4 bytes. It is a number of 8 bytes, big-endian.',
    (c) => c.put('t', { ...put, attributes: { _ttl: long(4) } }),
  ],
  ["put() was not sent: attributes['a'] is a number. Give a Uint8Array.", (c) => c.put('t', { ...put, attributes: { a: wrong(1) } })],
  [
    "put() was not sent: durability is 'sometimes'. Give one of skip, async, sync, fsync.",
    (c) => c.put('t', { ...put, durability: wrong('sometimes') }),
  ],
  [
    "put() was not sent: durability is 'toString'. Give one of skip, async, sync, fsync.",
    (c) => c.put('t', { ...put, durability: wrong('toString') }),
  ],
  ['putMany() was not sent: puts is empty. Give at least one.', (c) => c.putMany('t', [])],
  [
    'putMany() was not sent: puts[2].cells[0].qualifier is undefined. Give a Uint8Array.',
    (c) => c.putMany('t', [put, put, { row, cells: [{ ...cell, qualifier: wrong(undefined) }] }]),
  ],
  ['putMany() was not sent: puts is an object. Give an array.', (c) => c.putMany('t', wrong(put))],
  [
    "get() was not sent: table is 'a b'. The name of a table has letters, digits, '_', '-' and '.', and begins with none of the last two.",
    (c) => c.get('a b', { row }),
  ],
  [
    "get() was not sent: table is '-a'. The name of a table has letters, digits, '_', '-' and '.', and begins with none of the last two.",
    (c) => c.get('-a', { row }),
  ],
  ["get() was not sent: table is ':t'. A namespace has letters, digits and '_'.", (c) => c.get(':t', { row })],
  [
    "get() was not sent: table is 'a:b:c'. The name of a table has letters, digits, '_', '-' and '.', and begins with none of the last two.",
    (c) => c.get('a:b:c', { row }),
  ],
  ['get() was not sent: table is a number. Give text.', (c) => c.get(wrong(5), { row })],
  ['get() was not sent: maxVersions is 0. Give a whole number from 1 to 2147483647.', (c) => c.get('t', { row, maxVersions: 0 })],
  ['get() was not sent: timeRange ends at 1, before it begins at 2.', (c) => c.get('t', { row, timeRange: { min: 2n, max: 1n } })],
  ['get() was not sent: filter is a string. Give a Uint8Array.', (c) => c.get('t', { row, filter: wrong('KeyOnlyFilter()') })],
  ['get() was not sent: columns is an object. Give an array.', (c) => c.get('t', { row, columns: wrong({ family }) })],
  ['getMany() was not sent: gets[0].row has 0 bytes. A row of this table has 1 to 32750.', (c) => c.getMany('t', [{ row: long(0) }])],
  ['getMany() was not sent: gets is empty. Give at least one.', (c) => c.getMany('t', [])],
  ['scan() was not sent: limit is 0. Give a whole number from 1 to 2147483647.', (c) => c.scan('t', { limit: 0 }, 1)],
  ['scan() was not sent: rows is 0. Give a whole number from 1 to 2147483647.', (c) => c.scan('t', {}, 0)],
  ['scan() was not sent: rows is 1.5. Give a whole number from 1 to 2147483647.', (c) => c.scan('t', {}, 1.5)],
  ['scan() was not sent: start has 32751 bytes. A bound of this table has at most 32750.', (c) => c.scan('t', { start: long(32_751) }, 1)],
  ['scan() was not sent: reversed is a string. Give true or false.', (c) => c.scan('t', { reversed: wrong('yes') }, 1)],
  [
    'openScanner() was not sent: scan starts where it stops, which HBase would take as a get.',
    (c) => c.openScanner('t', { start: row, stop: row }),
  ],
  ['closeScanner() was not sent: scanner is -1. Give a whole number from 0 to 2147483647.', (c) => c.closeScanner(-1)],
  [
    "delete() was not sent: columns[0].qualifier is missing. For whole families give type 'family'.",
    (c) => c.delete('t', { row, columns: [{ family }] }),
  ],
  [
    "delete() was not sent: columns[0].qualifier is given. Type 'family' deletes whole families.",
    (c) => c.delete('t', { row, columns: [{ family, qualifier }], type: 'family' }),
  ],
  [
    "delete() was not sent: timestamp is missing. Type 'familyVersion' deletes the cells of one timestamp.",
    (c) => c.delete('t', { row, columns: [{ family }], type: 'familyVersion' }),
  ],
  [
    "delete() was not sent: columns is missing. Type 'version' says what to delete of columns.",
    (c) => c.delete('t', { row, type: 'version' }),
  ],
  ['deleteMany() was not sent: deletes[0].columns is empty. Give at least one.', (c) => c.deleteMany('t', [{ row, columns: [] }])],
  [
    'checkAndPut() was not sent: put.row is not the row of the check. They must be the same.',
    (c) => c.checkAndPut('t', check, { ...put, row: long(3) }),
  ],
  [
    'checkAndDelete() was not sent: delete.row is not the row of the check. They must be the same.',
    (c) => c.checkAndDelete('t', check, { row: long(3) }),
  ],
  [
    "checkAndMutate() was not sent: operator is 'less', and the check has no value. Only 'equal' (it is absent) and 'notEqual' can do without.",
    (c) => c.checkAndMutate('t', { ...check, value: undefined }, 'less', [{ put }]),
  ],
  [
    "checkAndMutate() was not sent: operator is 'noOp'. Give one of less, lessOrEqual, equal, notEqual, greaterOrEqual, greater.",
    (c) => c.checkAndMutate('t', check, wrong('noOp'), [{ put }]),
  ],
  ['checkAndMutate() was not sent: mutations is empty. Give at least one.', (c) => c.checkAndMutate('t', check, 'equal', [])],
  [
    'mutateRow() was not sent: mutations[1].delete.row is not the row of the others. They must change the same one.',
    (c) => c.mutateRow('t', row, [{ put }, { delete: { row: long(3) } }]),
  ],
  [
    'increment() was not sent: columns[0].amount is 9223372036854775808. It must fit in 64 bits.',
    (c) => c.increment('t', { row, columns: [{ family, qualifier, amount: 2n ** 63n }] }),
  ],
  ['createTable() was not sent: families is empty. Give at least one.', (c) => c.createTable({ name: 't', families: [] })],
  [
    "createTable() was not sent: families[0].name has ':', '/' or a control character, or begins with '.'.",
    (c) => c.createTable({ name: 't', families: [{ name: 'a:b' }] }),
  ],
  [
    'createTable() was not sent: families[0].timeToLive is 0. Give a whole number from 1 to 2147483647.',
    (c) => c.createTable({ name: 't', families: [{ name: 'f', timeToLive: 0 }] }),
  ],
  [
    "createTable() was not sent: families[0].compression is 'zip'. Give one of LZO, GZ, NONE, SNAPPY, LZ4, BZIP2, ZSTD.",
    (c) => c.createTable({ name: 't', families: [{ name: 'f', compression: wrong('zip') }] }),
  ],
  [
    "createTable() was not sent: families[0].attributes is '\\ud800', which has half a character and cannot be sent as UTF-8.",
    (c) => c.createTable({ name: 't', families: [{ name: 'f', attributes: { '\ud800': '' } }] }),
  ],
  [
    'createTable() was not sent: splitKeys[1] has 0 bytes. A row of this table has 1 to 32767.',
    (c) => c.createTable({ name: 't', families: [{ name: 'f' }] }, [row, long(0)]),
  ],
  [
    'createTable() was not sent: splitKeys[2] is there twice. Each of them is one border between regions.',
    (c) => c.createTable({ name: 't', families: [{ name: 'f' }] }, [value, row, Buffer.from('r')]),
  ],
  ["createNamespace() was not sent: name is 'a.b'. A namespace has letters, digits and '_'.", (c) => c.createNamespace('a.b')],
  ['put() was not sent: timeout is 0. Give a whole number from 1 to 2147483647.', (c) => c.put('t', put, { timeout: 0 })],
  ['put() was not sent: signal is an object. Give an AbortSignal.', (c) => c.put('t', put, { signal: wrong({}) })],
])('%s', async (message, call) => {
  expect(await failureOf(call(unframed))).toMatchObject({ message, code: 'INVALID_ARGUMENT', isSent: false, call: message.split('(')[0] })
})

test.each<[string, (client: Client) => Promise<unknown>]>([
  ['splitKeys', (c) => c.createTable({ name: 't', families: [{ name: 'f' }] }, [row])],
  ['attributes', (c) => c.createTable({ name: 't', families: [{ name: 'f' }], attributes: { a: 'b' } })],
  ['families[0].attributes', (c) => c.createTable({ name: 't', families: [{ name: 'f', attributes: { NEW_VERSION_BEHAVIOR: 'true' } }] })],
  ['attributes', (c) => c.modifyColumnFamily('t', { name: 'f', attributes: { a: 'b' } })],
])('a framed gateway would take %s wrongly without a word: they are refused, with the remedy', async (path, call) => {
  const { message, code } = await failureOf(call(framedClient))
  expect(code).toBe('INVALID_ARGUMENT')
  expect(message).toMatch(
    new RegExp(
      `was not sent: ${path.replace(/[[\]]/g, '\\$&')} cannot be given over transport 'framed', because of a fault of HBase's gateway. Use `,
    ),
  )
})

test('a request beyond the limit of a framed gateway is refused; the limit is an option', async () => {
  const large = { row, cells: [{ ...cell, value: long(2 ** 21) }] }
  const { message, code } = await failureOf(framedClient.put('t', large))
  expect(code).toBe('INVALID_ARGUMENT')
  expect(message).toMatch(
    /^put\(\) was not sent: the request has 20972\d\d bytes\. At most 2097152 are allowed \(maxRequestBytes\): divide it\.$/,
  )
  expect(await failureOf(unframed.put('t', large))).toMatchObject({ code: 'UNREACHABLE' })
  const other = new HBaseClient({ port: 1, transport: 'framed', maxRequestBytes: 2 ** 22 })
  expect(await failureOf(other.put('t', large))).toMatchObject({ code: 'UNREACHABLE' })
})

test.each<[string, (client: Client) => Promise<unknown>]>([
  ['no request at all', (c) => c.put('t', wrong(undefined))],
  ['a hole in a list', (c) => c.putMany('t', wrong([put, undefined]))],
  ['a getter that throws', (c) => c.put('t', { ...put, get timestamp(): bigint { throw new Error('no') } })], // prettier-ignore
  ['no mutation', (c) => c.mutateRow('t', row, wrong([{}]))],
])('%s: the error is still the one of the client', async (_, call) => {
  const error = await failureOf(call(unframed))
  expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', isSent: false })
  expect(error.cause).toBeInstanceOf(Error)
})

test('an argument that calls the client while it is read breaks no request', async () => {
  const client = new HBaseClient({ port: 1 })
  let inner: Promise<unknown> | undefined
  const evil = { row, get cells() { inner = failureOf(client.get('t', { row })); return [cell] } } // prettier-ignore
  expect(await failureOf(client.put('t', evil))).toMatchObject({ code: 'UNREACHABLE' })
  expect(await inner).toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: 'get() was not sent: an argument called the client while it was read.',
  })
})
