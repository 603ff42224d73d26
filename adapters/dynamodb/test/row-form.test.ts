import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { InFlight, type Mutation, type Row, type TableSchema } from 'rowkey/adapter'
import { bucket, decimal, defineTable, desc, int32, nullable, text, uint32 } from 'rowkey'
import { expect, test } from 'vitest'
import { TableContext } from '../src/context.js'
import { closedAdapter } from '../src/errors.js'
import { FullScan } from '../src/full-scan.js'
import { getRows } from '../src/get.js'
import { locate } from '../src/locate.js'
import { firstForm, rowkeyForm, type RowForm } from '../src/keys.js'
import { Purge } from '../src/purge.js'
import { scanSlice } from '../src/scan.js'
import { readToChange } from '../src/writes/marks.js'
import { write, type WriteContext } from '../src/write.js'
import { fakeClient } from './open.js'

// Every request of the adapter, with the keys of a table's items in the form of rowkey and in another one. A client stands in for the
// service: it keeps items by their key and looks at no condition.
const definition = {
  columns: { host: text(), at: desc(uint32()), n: int32({ default: 0 }), cents: nullable(decimal(9, 2)), note: nullable(text()) },
  partition: ['host'],
  key: ['at'],
  salt: bucket({ of: 'at', count: 2 }),
  ttl: '30d',
} as const
const Events: TableSchema = defineTable('events', { ...definition, version: 'rev' })
const Unversioned: TableSchema = defineTable('events', definition)

type Attributes = Readonly<Record<string, { readonly B?: Uint8Array }>>
interface Input {
  readonly Key?: Attributes
  readonly Item?: Attributes
  readonly RequestItems?: Readonly<Record<string, unknown>>
  readonly ExclusiveStartKey?: Attributes
  readonly ExpressionAttributeValues?: Attributes
  readonly Limit?: number
}

/** A request as text: bytes in hex, without those that repeat, and without what is random. */
function shown(operation: string, input: unknown): string {
  const bytes = (_: string, value: unknown): unknown => (value instanceof Uint8Array ? `x${Buffer.from(value).toString('hex')}` : value)
  const text = JSON.stringify(input, bytes).replaceAll(/(ff){20,}/g, (all) => `(${all.length / 2} times ff)`)
  return `${operation} ${text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid')}`
}

class Service {
  readonly requests: string[] = []
  private readonly items = new Map<string, Attributes>()
  private readonly names: readonly [string, string]

  constructor(names: readonly [string, string]) {
    this.names = names
  }

  send(command: { readonly input: Input }): object {
    const operation = command.constructor.name.replace(/Command$/, '')
    this.requests.push(shown(operation, command.input))
    return this.answer(operation, command.input)
  }

  private answer(operation: string, input: Input): object {
    const { Key, Item, RequestItems = {}, ExclusiveStartKey: after, ExpressionAttributeValues: values = {}, Limit = Infinity } = input
    switch (operation) {
      case 'GetItem':
        return { Item: this.items.get(this.addressOf(Key)) }
      case 'BatchGetItem': {
        const { Keys } = RequestItems['events'] as { readonly Keys: readonly Attributes[] }
        return { Responses: { events: Keys.flatMap((key) => this.items.get(this.addressOf(key)) ?? []) } }
      }
      case 'PutOnce':
        this.put(Item as Attributes)
        return {}
      case 'DeleteOnce':
      case 'DeleteItem':
        this.items.delete(this.addressOf(Key))
        return {}
      case 'UpdateOnce':
        return { Attributes: this.items.get(this.addressOf(Key)) }
      case 'UpdateItem':
        return { Attributes: { ...this.items.get(this.addressOf(Key)), rk_mark: { S: 'mark' } } }
      case 'BatchWriteOnce': {
        const items = RequestItems['events'] as readonly { readonly PutRequest?: { readonly Item: Attributes }; readonly DeleteRequest?: { readonly Key: Attributes } }[] // prettier-ignore
        for (const { PutRequest, DeleteRequest } of items) {
          if (PutRequest === undefined) this.items.delete(this.addressOf(DeleteRequest?.Key))
          else this.put(PutRequest.Item)
        }
        return { UnprocessedItems: {} }
      }
      case 'Query':
      case 'Scan': {
        const within = [...this.items].filter(([address, item]) => (after === undefined || address > this.addressOf(after)) && this.isWithin(item, values)) // prettier-ignore
        const page = within.sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, Limit)
        const last = page.at(-1)?.[1]
        const [p, s] = this.names
        const end = within.length > page.length && last !== undefined ? { LastEvaluatedKey: { [p]: last[p], [s]: last[s] } } : {}
        return { Items: page.map(([, item]) => item), Count: page.length, ScannedCount: page.length, ...end }
      }
      default:
        return {}
    }
  }

  put(item: Attributes): void {
    this.items.set(this.addressOf(item), item)
  }

  private addressOf(item: Attributes | undefined): string {
    return this.names.map((name) => Buffer.from(item?.[name]?.B as Uint8Array).toString('hex')).join('.')
  }

  private isWithin(item: Attributes, { ':p': p, ':low': low, ':high': high }: Attributes): boolean {
    if (p?.B === undefined || low?.B === undefined || high?.B === undefined) return true
    const [partition, sort] = this.names.map((name) => item[name]?.B as Uint8Array) as [Uint8Array, Uint8Array]
    return Buffer.compare(partition, p.B) === 0 && Buffer.compare(sort, low.B) >= 0 && Buffer.compare(sort, high.B) <= 0
  }
}

const now = 1_700_000_000_000
const rowAt = (at: number): Row => ['web', at, `${at}.5`, at, `note ${at}`, now + 5, `01HF${at}`]
const key = (at: number): Row => ['web', at]

function opened(form: RowForm): { readonly service: Service; readonly table: TableContext; readonly writing: WriteContext } {
  const service = new Service([form.partition, form.sort])
  const client = fakeClient((command: { readonly input: Input }) => service.send(command)) as unknown as DynamoDBClient
  const table = new TableContext(client, Events, new InFlight(closedAdapter), form)
  return { service, table, writing: { client, transactions: true, tableOf: () => table } }
}

/** One of every request. Returns what was read, and the requests. */
async function exercised(form: RowForm): Promise<{ readonly read: unknown; readonly requests: readonly string[] }> {
  const { service, table, writing } = opened(form)
  const change = (kind: 'put' | 'insert', at: number): Mutation => ({ kind, schema: Events, row: rowAt(at) })
  const set = [4, 6]
  const batches: readonly (readonly Mutation[])[] = [
    Array.from({ length: 6 }, (_, at) => change('put', at)),
    [change('insert', 6)],
    [{ kind: 'update', schema: Events, row: rowAt(1), set, returns: true }],
    [{ kind: 'update', schema: Events, row: rowAt(1), set: [6], additions: [{ column: 3, by: 2 }], version: '01HF1' }],
    [{ kind: 'update', schema: Events, row: rowAt(2), set, conditions: [{ column: 3, in: [2] }] }],
    [{ kind: 'delete', schema: Events, row: key(2), version: '01HF2' }],
    [{ kind: 'delete', schema: Events, row: key(3) }],
  ]
  for (const batch of batches) expect((await write(writing, batch, { now })).map(({ kind }) => kind)).toEqual(batch.map(() => 'applied'))
  const atomic = [change('insert', 7), { kind: 'delete', schema: Events, row: key(4), version: '01HF4' } as const]
  await write(writing, atomic, { now, atomic: 'token' })
  const wide = Array.from({ length: 300 }, (_, i) => `column${i}`) // more than one condition can compare
  await readToChange(table, { kind: 'update', schema: Unversioned, row: rowAt(1), set: [] }, wide, { now })
  const options = { consistency: 'strong' } as const
  const filter = [{ column: 4, in: ['note 0', 'note 5'] }]
  const scans: unknown[] = []
  for (const bucket of [0, 1]) {
    const slice = { bucket, from: { prefix: ['web', 5], edge: 'before' }, to: { prefix: ['web'], edge: 'after' }, reverse: false } as const
    scans.push(await rowsOf(scanSlice(table, { ...slice, filter: [] }, options)))
    scans.push(await rowsOf(scanSlice(table, { ...slice, reverse: true, filter }, { consistency: 'eventual', columns: [2] })))
  }
  const read = {
    one: await getRows(table, [key(1)], options),
    some: await getRows(table, [key(0), key(3), key(5)], { ...options, columns: [4, 5] }),
    scans,
    full: await rowsOf(new FullScan(table, undefined, options)),
    segment: await rowsOf(new FullScan(table, '0/2', options)),
    purged: await new Purge(table).run(now + 10, 2),
  }
  service.requests.push(shown('locate', locate(table, key(1))))
  return { read, requests: service.requests }
}

async function rowsOf(source: ReturnType<typeof scanSlice>): Promise<unknown[]> {
  const rows: unknown[] = []
  for (;;) {
    const page = await source.next(2)
    if (page === undefined) return rows
    rows.push(...page.rows, page.last)
  }
}

const other: RowForm = { partition: 'PK', sort: 'SK', rowTag: 0x05, systemTag: 0x04 }

test('the requests for tables that were made before, byte for byte', async () => {
  const { requests } = await exercised(firstForm)
  await expect(`${requests.join('\n')}\n`).toMatchFileSnapshot('row-form.txt')
})

test('items in another form: other names and first bytes in every request, and the same rows', async () => {
  const [usual, others] = [await exercised(firstForm), await exercised(other)]
  expect(others.read).toEqual(usual.read)
  for (const request of others.requests) expect(request).not.toMatch(/"[ps]"|x01/)
  const renamed = others.requests.map((request) => request.replaceAll('"PK"', '"p"').replaceAll('"SK"', '"s"').replaceAll('x05', 'x01'))
  expect(renamed).toEqual(usual.requests)
  const now = await exercised(rowkeyForm)
  expect(now.read).toEqual(usual.read)
  expect(now.requests.map((request) => request.replaceAll('"rk_p"', '"p"').replaceAll('"rk_s"', '"s"'))).toEqual(usual.requests)
})

test.each([firstForm, rowkeyForm, other])(
  'a full scan of $partition and $sort goes on after a checkpoint, without items of the adapter',
  async (form) => {
    const { service, table, writing } = opened(form)
    const own = { B: Uint8Array.of(form.systemTag) }
    service.put({ [form.partition]: own, [form.sort]: own })
    await write(writing, [1, 2, 3, 4].map((at): Mutation => ({ kind: 'put', schema: Events, row: rowAt(at) })), { now }) // prettier-ignore
    const options = { consistency: 'strong' } as const
    const first = await new FullScan(table, undefined, options).next(3)
    const rest = await rowsOf(new FullScan(table, first?.checkpoint, options))
    const found = [...(first?.rows ?? []), ...rest].flatMap((row) => (row === undefined ? [] : [(row as Row)[1]]))
    expect(found.sort()).toEqual([1, 2, 3, 4])
  },
)

test.each([
  ['of the other form, because others have created the table again', ['p', 's'], 'TABLE_NOT_FOUND'],
  ['that are none of a form', ['p', 't'], 'ADAPTER_FAULT'],
] as const)('an item with key attributes %s is refused', async (_, [partition, sort], code) => {
  const { service, table } = opened(other)
  service.send = () => ({ Item: { [partition]: { B: Uint8Array.of(5) }, [sort]: { B: Uint8Array.of(5) } } })
  await expect(getRows(table, [key(1)], { consistency: 'strong' })).rejects.toMatchObject({ code })
})
