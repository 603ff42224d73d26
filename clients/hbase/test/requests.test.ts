import { afterEach, expect, test } from 'vitest'
import { shortened } from '@rowkey/servers/scale'
import { seeded } from '../../../test/kit/seeded.js'
import { fakeGateway, type FakeGateway } from './fake-gateway.js'
import { encodeCall, encodeReply, type ReceivedCall, type Struct, type Value } from './oracle.js'
import { casesOf } from './random-requests.js'

let gateway: FakeGateway | undefined
afterEach(() => gateway?.stop())

const noCells = { columnValues: [] }
const successes: Readonly<Record<string, (args: Struct) => Value>> = {
  get: () => noCells,
  getMultiple: ({ tgets }) => (tgets as readonly Value[]).map(() => noCells),
  increment: () => noCells,
  checkAndPut: () => true,
  checkAndDelete: () => false,
  checkAndMutate: () => true,
  deleteMultiple: () => [],
  getScannerResults: () => [],
  getScannerRows: () => [],
  openScanner: () => 7,
  getAllRegionLocations: () => [],
  getTableDescriptor: () => ({ tableName: { qualifier: Buffer.from('t') } }),
  isTableEnabled: () => true,
  tableExists: () => false,
  listNamespaces: () => ['default', 'ns_1'],
  getThriftServerType: () => 2,
}
const answer = ({ name, sequence, args }: ReceivedCall): Uint8Array =>
  encodeReply(name, sequence, name in successes ? { success: successes[name]?.(args) } : {})

/** Without fields that are undefined. */
const present = (value: Value | undefined): unknown => {
  if (value instanceof Uint8Array) return Buffer.from(value)
  if (Array.isArray(value)) return value.map(present)
  if (typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).flatMap(([name, each]) => (each === undefined ? [] : [[name, present(each)]])))
}

test.each(['unframed', 'framed', 'http'] as const)('%s: every call has the bytes that npm thrift writes for it', async (transport) => {
  const random = seeded()
  gateway = await fakeGateway(transport, answer, { greets: false })
  const client = gateway.client({ connections: 1 })
  const kinds = new Set<string>()
  for (let round = 0; round < shortened(16); round++) {
    for (const { call, args, make } of casesOf(random, transport === 'framed')) {
      await make(client)
      const received = gateway.calls.at(-1) as ReceivedCall
      expect(received.name).toBe(call)
      expect(present(received.args), call).toEqual(present(args))
      // Whatever it means, it is written as the other program writes it: fields in their order, none too many.
      expect(received.length, call).toBe(encodeCall(call, received.sequence, args).length)
      kinds.add(call)
    }
  }
  expect(kinds.size).toBe(28)
})

test('the request is byte for byte that of npm thrift', async () => {
  const bytes: Buffer[] = []
  gateway = await fakeGateway('unframed', answer)
  const client = gateway.client({ connections: 1 })
  await client.tableExists('warm')
  gateway.sockets[0]?.on('data', (part) => bytes.push(part))
  for (const { call, args, make } of casesOf(seeded(7), false)) {
    bytes.length = 0
    await make(client)
    const { sequence } = gateway.calls.findLast(({ name }) => name === call) ?? { sequence: 2 ** 31 - 1 }
    if (call !== 'getThriftServerType') expect(Buffer.concat(bytes).equals(encodeCall(call, sequence, args)), call).toBe(true)
  }
})

test('results are what the answers say', async () => {
  gateway = await fakeGateway('unframed', answer)
  const client = gateway.client()
  const row = Buffer.from('r')
  const [family, qualifier] = [Buffer.from('f'), Buffer.from('q')]
  const check = { row, family, qualifier, value: undefined }
  expect(await client.listNamespaces()).toEqual(['default', 'ns_1'])
  expect(await client.getThriftServerType()).toBe(2)
  expect(await client.openScanner('t', {})).toBe(7)
  expect(await client.tableExists('t')).toBe(false)
  expect(await client.isTableEnabled('t')).toBe(true)
  expect(await client.checkAndDelete('t', check, { row })).toBe(false)
  expect(await client.checkAndPut('t', check, { row, cells: [{ family, qualifier, value: row }] })).toBe(true)
  expect(await client.get('t', { row })).toEqual({ row: undefined, cells: [] })
  await expect(client.deleteMany('t', [{ row }])).resolves.toBeUndefined()
  expect(await client.getTableDescriptor('t')).toEqual({ name: 't', families: [] })
})
