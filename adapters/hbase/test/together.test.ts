import type { HBaseClient } from '@rowkey/hbase-client'
import { expect, test } from 'vitest'
import { Deletes, Gets, Puts } from '../src/client/together.js'

// Requests are sent at the end of a tick, where nobody could catch an error.

const fault = new Error('the client throws')
const limits = { read: { rows: 100, bytes: 1000 }, write: { rows: 3, bytes: 1000 } }
const row = (n: number): Uint8Array => Uint8Array.of(n)
const put = (n: number, value = 1) => ({ row: row(n), cells: [{ family: row(0), qualifier: row(0), value: new Uint8Array(value) }] })

/** A client that notes its calls and does `act` at each. */
function noting(act: () => Promise<unknown>) {
  const calls: (readonly [string, number])[] = []
  const noted =
    (name: string) =>
    (_: string, given: unknown): Promise<unknown> => {
      calls.push([name, Array.isArray(given) ? given.length : 1])
      return act()
    }
  const names = ['get', 'getMany', 'put', 'putMany', 'delete', 'deleteMany'] as const
  return { client: Object.fromEntries(names.map((name) => [name, noted(name)])) as unknown as HBaseClient, calls }
}

test.each([
  ['throws', () => { throw fault }],
  ['rejects', () => Promise.reject(fault)],
] as const)('a client that %s is the error of every call that shares the request', async (_, act) => {
  const { client } = noting(act)
  const [gets, puts, deletes] = [new Gets(client, 't', limits), new Puts(client, 't', limits), new Deletes(client, 't', limits)]
  const settled = await Promise.allSettled([
    ...[1, 2].map((n) => gets.send({ row: row(n) })),
    ...[1, 2].map((n) => puts.send(put(n))),
    ...[1, 2].map((n) => deletes.send({ row: row(n) })),
  ])
  expect(settled.map((each) => each.status === 'rejected' && (each.reason as unknown))).toEqual(new Array(6).fill(fault))
}) // prettier-ignore

test('calls of one tick share a request, up to its rows and bytes; two writes of one row do not', async () => {
  const { client, calls } = noting(() => Promise.resolve([]))
  const puts = new Puts(client, 't', limits)
  await Promise.all([1, 2, 3, 4, 5].map((n) => puts.send(put(n))))
  expect(calls.splice(0)).toEqual([['putMany', 3], ['putMany', 2]])
  await Promise.all([puts.send(put(1)), puts.send(put(2)), puts.send(put(1))])
  expect(calls.splice(0)).toEqual([['putMany', 2], ['put', 1]])
  await Promise.all([puts.send(put(1, 600)), puts.send(put(2, 600)), puts.send(put(3, 2000)), puts.send(put(4))])
  expect(calls.splice(0)).toEqual([['put', 1], ['put', 1], ['put', 1], ['put', 1]])
  await puts.send(put(1))
  await puts.send(put(1)) // another tick, the same row
  expect(calls.splice(0)).toEqual([['put', 1], ['put', 1]])
}) // prettier-ignore

test('each get has the answer for its own row', async () => {
  const answers = [{ row: row(1), cells: [] }, { row: row(2), cells: [] }, { row: undefined, cells: [] }]
  const { client } = noting(() => Promise.resolve(answers))
  const gets = new Gets(client, 't', limits)
  expect(await Promise.all([1, 2, 3].map((n) => gets.send({ row: row(n) })))).toEqual(answers)
}) // prettier-ignore

test('a batch has requests of its own, up to their rows and bytes, and each says which writes it has', async () => {
  const { client, calls } = noting(() => Promise.resolve([]))
  const parts: (readonly [number, number])[] = []
  const puts = new Puts(client, 't', limits)
  const sendAll = async (...batch: ReturnType<typeof put>[]): Promise<void> => {
    const requests: Promise<unknown>[] = []
    puts.sendAll(batch, (from, to, request) => {
      parts.push([from, to])
      requests.push(request())
    })
    await Promise.all(requests)
  }
  await sendAll(...[1, 2, 3, 4, 5].map((n) => put(n)))
  expect(calls.splice(0)).toEqual([['putMany', 3], ['putMany', 2]])
  expect(parts.splice(0)).toEqual([[0, 3], [3, 5]])
  await sendAll(put(1, 600), put(2, 600), put(3, 2000), put(4), put(5), put(6))
  expect(calls.splice(0)).toEqual([['put', 1], ['put', 1], ['put', 1], ['putMany', 3]])
  expect(parts.splice(0)).toEqual([[0, 1], [1, 2], [2, 3], [3, 6]])
  await sendAll()
  expect([parts, calls]).toEqual([[], []])
}) // prettier-ignore
