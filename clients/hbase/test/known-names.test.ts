import { afterEach, expect, test } from 'vitest'
import type { HBaseClient } from '../src/index.js'
import { failureOf } from './failure.js'
import { fakeGateway, type FakeGateway } from './fake-gateway.js'
import { encodeReply } from './oracle.js'

let gateway: FakeGateway | undefined
afterEach(() => gateway?.stop())

const [row, family, qualifier, value] = ['r', 'f', 'q', 'v'].map((each) => Buffer.from(each)) as [Buffer, Buffer, Buffer, Buffer]
const column = { family, qualifier }
const cell = { ...column, value }
const put = { row, cells: [cell] }
const check = { row, ...cell }
const amount = { ...column, amount: 1n }

/** What has a name too many. */
const typo = <T extends object>(right: T): T => ({ ...right, tyop: 5 })

test.each<[string, string, (client: HBaseClient) => Promise<unknown>]>([
  [
    'delete',
    "'column' does not exist. There are row, attributes, durability, columns, type, timestamp",
    (c) => c.delete('t', { row, column: [column] } as never),
  ],
  ['delete', "'tyop'", (c) => c.delete('t', typo({ row }))],
  ['delete', "columns[0].'tyop'", (c) => c.delete('t', { row, columns: [typo(column)] })],
  ['deleteMany', "deletes[1].'tyop'", (c) => c.deleteMany('t', [{ row }, typo({ row })])],
  ['get', "'tyop'", (c) => c.get('t', typo({ row }))],
  ['get', "columns[0].'tyop'", (c) => c.get('t', { row, columns: [typo(column)] })],
  ['get', "timeRange.'tyop'", (c) => c.get('t', { row, timeRange: typo({ min: 0n, max: 1n }) })],
  ['getMany', "gets[0].'tyop'", (c) => c.getMany('t', [typo({ row })])],
  ['put', "'tyop'", (c) => c.put('t', typo(put))],
  ['put', "cells[1].'tyop'", (c) => c.put('t', { row, cells: [cell, typo(cell)] })],
  ['putMany', "puts[0].'tyop'", (c) => c.putMany('t', [typo(put)])],
  ['checkAndPut', "check.'tyop'", (c) => c.checkAndPut('t', typo(check), put)],
  ['checkAndPut', "'tyop'", (c) => c.checkAndPut('t', check, typo(put))],
  ['checkAndDelete', "check.'tyop'", (c) => c.checkAndDelete('t', typo(check), { row })],
  ['checkAndDelete', "'tyop'", (c) => c.checkAndDelete('t', check, typo({ row }))],
  ['checkAndMutate', "check.'tyop'", (c) => c.checkAndMutate('t', typo(check), 'equal', [{ put }])],
  ['mutateRow', "mutations[0].'tyop'", (c) => c.mutateRow('t', row, [typo({ put })])],
  ['mutateRow', "mutations[0].'delete'", (c) => c.mutateRow('t', row, [{ put, delete: { row } }])],
  ['mutateRow', "mutations[0].delete.'tyop'", (c) => c.mutateRow('t', row, [{ delete: typo({ row }) }])],
  ['increment', "'tyop'", (c) => c.increment('t', typo({ row, columns: [amount] }))],
  ['increment', "columns[0].'tyop'", (c) => c.increment('t', { row, columns: [typo(amount)] })],
  ['scan', "'tyop'", (c) => c.scan('t', typo({}), 5)],
  ['openScanner', "'tyop'", (c) => c.openScanner('t', typo({}))],
  ['createTable', "'tyop'", (c) => c.createTable(typo({ name: 't', families: [{ name: 'f' }] }))],
  ['createTable', "families[0].'tyop'", (c) => c.createTable({ name: 't', families: [typo({ name: 'f' })] })],
  ['modifyColumnFamily', "'tyop'", (c) => c.modifyColumnFamily('t', typo({ name: 'f' }))],
  ['get', "options.'tyop' does not exist. There are timeout, signal", (c) => c.get('t', { row }, typo({}))],
  ['deleteMany', "options.'tyop'", (c) => c.deleteMany('t', [{ row }], typo({}))],
  ['listNamespaces', "options.'tyop'", (c) => c.listNamespaces(typo({}))],
  ['listNamespaces', 'options is null. Give an object', (c) => c.listNamespaces(null as never)],
  ['listNamespaces', 'options is a number. Give an object', (c) => c.listNamespaces(500 as never)],
])('%s: a name that does not exist is refused, and nothing is sent: %s', async (call, problem, make) => {
  gateway = await fakeGateway('unframed', ({ name, sequence }) => encodeReply(name, sequence, {}), { greets: false })
  const failure = await failureOf(make(gateway.client({ connections: 1 })))
  expect(failure).toMatchObject({ code: 'INVALID_ARGUMENT', call, isSent: false })
  expect(failure.message).toContain(`${call}() was not sent: ${problem}`)
  expect(gateway.calls).toEqual([])
})
