import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import {
  allOf,
  anyOf,
  columnValue,
  firstKeyOnly,
  keyOnly,
  multiRowRange,
  qualifierIs,
  type Cell,
  type CompareOperator,
  type HBaseClient,
  type Result,
  type RowMutation,
} from '../src/index.js'
import { failureOf } from './failure.js'
import { framed } from './fake-gateway.js'
import { encodeCall } from './oracle.js'
import { withServer } from '../../../test/setup/with-server.js'
import { clientsOf, transports } from './clients.js'

// Every call on a real HBase, over each transport.

const family: Uint8Array = Buffer.from('f')
const bytes = (text: string): Buffer => Buffer.from(text)
const cell = (qualifier: string, value: string | Uint8Array, timestamp?: bigint) => ({
  family,
  qualifier: bytes(qualifier),
  value: typeof value === 'string' ? bytes(value) : value,
  timestamp,
})
const column = (qualifier: string) => ({ family, qualifier: bytes(qualifier) })
const put = (row: string, ...cells: ReturnType<typeof cell>[]) => ({ row: bytes(row), cells })
const check = (row: string, qualifier: string, value: string | undefined) => ({
  row: bytes(row),
  ...column(qualifier),
  value: value === undefined ? undefined : bytes(value),
})
/** `row: qualifier=value …` */
const shown = ({ row, cells }: Result): string =>
  `${row === undefined ? '-' : Buffer.from(row).toString()}:${cells.map((each: Cell) => ` ${Buffer.from(each.qualifier).toString()}=${Buffer.from(each.value).toString()}`).join('')}`
let tables = 0

withServer('hbase', (connection) => {
  const clientOf = clientsOf(() => connection)
  const created = async (client: HBaseClient, maxVersions = 1): Promise<string> => {
    const name = `t${++tables}`
    await client.createTable({ name, families: [{ name: 'f', maxVersions }] })
    return name
  }

  describe.each(transports)('%s', (transport) => {
    const client = (): HBaseClient => clientOf(transport)

    test('rows are written, read, changed and deleted', async () => {
      const c = client()
      const t = await created(c, 5)
      await c.put(t, put('a', cell('x', '1', 10n), cell('y', '')))
      await c.putMany(t, [put('b', cell('x', '2')), put('c', cell('x', '3'), cell('z', '9'))])
      expect(shown(await c.get(t, { row: bytes('a') }))).toBe('a: x=1 y=')
      expect((await c.get(t, { row: bytes('a'), columns: [column('x')] })).cells[0]?.timestamp).toBe(10n)
      expect(
        (
          await c.getMany(
            t,
            ['c', 'no', 'a', 'c'].map((row) => ({ row: bytes(row), columns: [column('x')] })),
          )
        ).map(shown),
      ).toEqual(['c: x=3', '-:', 'a: x=1', 'c: x=3'])
      await c.put(t, put('a', cell('x', '4', 20n), cell('x', '5', 30n)))
      expect(shown(await c.get(t, { row: bytes('a'), columns: [column('x')], maxVersions: 9 }))).toBe('a: x=5 x=4 x=1')
      expect(shown(await c.get(t, { row: bytes('a'), columns: [column('x')], maxVersions: 9, timeRange: { min: 10n, max: 30n } }))).toBe(
        'a: x=4 x=1',
      )
      // Of a column all versions up to a timestamp, and one alone.
      await c.delete(t, { row: bytes('a'), columns: [column('x')], timestamp: 10n })
      expect(shown(await c.get(t, { row: bytes('a'), columns: [column('x')], maxVersions: 9 }))).toBe('a: x=5 x=4')
      await c.delete(t, { row: bytes('a'), columns: [column('x')], type: 'version', timestamp: 30n })
      expect(shown(await c.get(t, { row: bytes('a'), columns: [column('x')], maxVersions: 9 }))).toBe('a: x=4')
      await c.deleteMany(t, [{ row: bytes('b') }, { row: bytes('c'), columns: [column('z')] }])
      expect((await c.scan(t, { limit: 9 }, 9)).map(shown)).toEqual(['a: x=4 y=', 'c: x=3'])
      await c.delete(t, { row: bytes('c'), columns: [{ family }], type: 'family' })
      expect((await c.scan(t, { limit: 9 }, 9)).map(shown)).toEqual(['a: x=4 y='])
    })

    test('conditions hold or not, and all changes of a row are made or none', async () => {
      const c = client()
      const t = await created(c)
      const first = [{ put: put('a', cell('m', '5')) }]
      expect(await c.checkAndPut(t, check('a', 'm', undefined), put('a', cell('m', '5')))).toBe(true)
      expect(await c.checkAndPut(t, check('a', 'm', undefined), put('a', cell('m', '6')))).toBe(false)
      expect(await c.checkAndPut(t, check('a', 'm', ''), put('a', cell('m', '6')))).toBe(false)
      expect(await c.checkAndMutate(t, check('a', 'm', undefined), 'equal', first)).toBe(false)
      expect(await c.checkAndMutate(t, check('a', 'm', undefined), 'notEqual', first)).toBe(true)
      expect(await c.checkAndMutate(t, check('b', 'm', undefined), 'equal', [{ put: put('b', cell('m', '5')) }])).toBe(true)
      const holding: CompareOperator[] = []
      for (const operator of ['less', 'lessOrEqual', 'equal', 'notEqual', 'greaterOrEqual', 'greater'] as const) {
        if (await c.checkAndMutate(t, check('a', 'm', '4'), operator, first)) holding.push(operator)
      }
      expect(holding).toEqual(['less', 'lessOrEqual', 'notEqual']) // 4 < 5
      expect(await c.checkAndDelete(t, check('a', 'm', '4'), { row: bytes('a') })).toBe(false)
      expect(await c.checkAndDelete(t, check('a', 'm', '5'), { row: bytes('a') })).toBe(true)
      const row = bytes('b')
      const mutations: RowMutation[] = [{ put: put('b', cell('n', '1')) }, { delete: { row, columns: [column('m')] } }]
      await c.mutateRow(t, row, mutations)
      expect((await c.scan(t, { limit: 9 }, 9)).map(shown)).toEqual(['b: n=1'])
      const wrong = [{ put: put('b', cell('o', '1')) }, { put: { row, cells: [{ ...cell('x', ''), family: bytes('g') }] } }]
      expect(await failureOf(c.mutateRow(t, row, wrong))).toMatchObject({ code: 'SERVER' })
      expect(shown(await c.get(t, { row }))).toBe('b: n=1')
    })

    test('numbers are added, and time to live is heard of', async () => {
      const c = client()
      const t = await created(c)
      const numbers = (amount: bigint) => ({
        row: bytes('n'),
        columns: [
          { ...column('a'), amount },
          { ...column('b'), amount: -amount },
        ],
      })
      const sum = (result: Result): bigint[] => result.cells.map(({ value }) => Buffer.from(value).readBigInt64BE())
      expect(sum(await c.increment(t, numbers(7n)))).toEqual([7n, -7n])
      expect(sum(await c.increment(t, numbers(2n ** 62n)))).toEqual([2n ** 62n + 7n, -(2n ** 62n) - 7n])
      expect((await c.increment(t, { ...numbers(1n), returnResults: false })).cells).toEqual([])
      const ttl = Buffer.alloc(8)
      ttl.writeBigInt64BE(1n)
      await c.put(t, { ...put('gone', cell('x', '1')), attributes: { _ttl: ttl } })
      await expect.poll(async () => (await c.get(t, { row: bytes('gone') })).row).toBeUndefined()
    })

    test('scans have bounds, an order, a limit, and go on by a scanner', async () => {
      const c = client()
      const t = await created(c)
      const all = Array.from({ length: 50 }, (_, index) => String(index).padStart(2, '0'))
      await c.putMany(
        t,
        all.map((row) => put(row, cell('x', row))),
      )
      const rows = async (scan: Parameters<HBaseClient['scan']>[1], count = 99): Promise<string[]> =>
        (await c.scan(t, scan, count)).map(({ row }) => Buffer.from(row ?? []).toString())
      expect(await rows({ limit: 99 })).toEqual(all)
      expect(await rows({ start: bytes('05'), stop: bytes('08'), limit: 99 })).toEqual(['05', '06', '07'])
      expect(await rows({ start: bytes('08'), stop: bytes('05'), reversed: true, limit: 99 })).toEqual(['08', '07', '06'])
      expect(await rows({ start: bytes('08'), stop: bytes('08') })).toEqual([])
      expect(await rows({ limit: 3, caching: 3, cacheBlocks: false })).toEqual(['00', '01', '02'])
      expect(await rows({ columns: [column('none')], limit: 9 })).toEqual([])
      const scanner = await c.openScanner(t, { start: bytes('40'), caching: 4 })
      const pages: number[] = []
      for (let page; (page = await c.getScannerRows(scanner, 4)).length > 0;) pages.push(page.length)
      expect(pages).toEqual([4, 4, 2])
      await c.closeScanner(scanner)
      expect(await failureOf(c.getScannerRows(scanner, 4))).toMatchObject({ code: 'SERVER', serverMessage: 'Invalid scanner Id' })
    })

    test('filters work with every byte', async () => {
      const c = client()
      const t = await created(c)
      const every = Array.from({ length: 256 }, (_, byte) => Buffer.from([byte]))
      await c.putMany(
        t,
        every.map((byte) => ({ row: byte, cells: [{ family, qualifier: bytes('v'), value: byte }, cell('w', 'w')] })),
      )
      await c.put(t, put('none', cell('w', 'w')))
      const rows = async (filter: Uint8Array, reversed = false): Promise<number[]> =>
        (await c.scan(t, { filter, limit: 999, reversed }, 999)).map(({ row }) => (row?.length === 1 ? (row[0] as number) : -1))
      const value = (operator: CompareOperator, byte: number, ifMissing: 'pass' | 'drop' = 'drop') =>
        columnValue({ family, qualifier: bytes('v'), operator, value: Buffer.from([byte]), ifMissing })
      expect(await Promise.all(every.map((_, byte) => rows(value('equal', byte))))).toEqual(every.map((_, byte) => [byte]))
      expect(await rows(value('less', 3))).toEqual([0, 1, 2])
      expect(await rows(value('lessOrEqual', 1))).toEqual([0, 1])
      expect(await rows(value('greater', 253))).toEqual([254, 255])
      expect(await rows(value('greaterOrEqual', 254))).toEqual([254, 255])
      expect(await rows(value('notEqual', 9))).toHaveLength(255)
      expect(await rows(value('equal', 9, 'pass'))).toEqual([9, -1])
      expect(await rows(allOf([value('greater', 9), value('less', 12)]))).toEqual([10, 11])
      expect(await rows(anyOf([value('equal', 200), allOf([value('greater', 9), value('less', 11)])]))).toEqual([10, 200])
      // A row whose value fails still comes, with its other cell.
      expect(await rows(anyOf([qualifierIs(bytes('w')), value('equal', 200)]))).toHaveLength(257)
      const ofV = await c.scan(t, { filter: qualifierIs(bytes('v')), limit: 999 }, 999)
      expect(ofV.map(({ cells }) => cells.map(({ qualifier }) => Buffer.from(qualifier).toString()))).toEqual(every.map(() => ['v']))
      const range = (start: number, stop: number, startInclusive?: boolean, stopInclusive?: boolean) => ({
        start: Buffer.from([start]),
        stop: Buffer.from([stop]),
        startInclusive,
        stopInclusive,
      })
      const ranges = multiRowRange([range(250, 252, false, true), range(1, 3), { start: Buffer.from([254]), stop: Buffer.alloc(0) }])
      expect(await rows(ranges)).toEqual([1, 2, 251, 252, 254, 255])
      expect(await rows(ranges, true)).toEqual([255, 254, 252, 251, 2, 1])
      const single = every.slice(0, 255).map((_, byte) => rows(multiRowRange([range(byte, byte + 1)])))
      expect(await Promise.all(single)).toEqual(every.slice(0, 255).map((_, byte) => (byte === 110 ? [110, -1] : [byte])))
      const [first] = await c.scan(t, { filter: allOf([firstKeyOnly(), keyOnly()]), limit: 1 }, 1)
      expect(first?.cells.map(({ qualifier, value: none }) => [Buffer.from(qualifier).toString(), none.length])).toEqual([['v', 0]])
      expect(shown(await c.get(t, { row: Buffer.from([65]), filter: keyOnly() }))).toBe('A: v= w=')
    })

    test('rows, qualifiers and values may be any bytes, up to the limits', async () => {
      const c = client()
      const t = await created(c)
      // The gateway has not yet looked for the region of such a row.
      const row = Buffer.alloc(32_751 - t.length, 255)
      const value = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
      await c.put(t, {
        row,
        cells: [
          { family, qualifier: Buffer.alloc(40_000, 0), value },
          { family, qualifier: Buffer.alloc(0), value: Buffer.alloc(1_500_000, 1) },
        ],
      })
      const { row: read, cells } = await c.get(t, { row })
      expect(Buffer.from(read ?? []).equals(row)).toBe(true)
      expect(cells.map(({ qualifier, value: { length } }) => [qualifier.length, length])).toEqual([
        [0, 1_500_000],
        [40_000, 256],
      ])
      expect(Buffer.from(cells[1]?.value ?? []).equals(value)).toBe(true)
    })

    test('tables and namespaces are created, described, changed and deleted', async () => {
      const c = client()
      const namespace = `ns_${transport}`
      await c.createNamespace(namespace)
      expect(await c.listNamespaces()).toContain(namespace)
      expect(await c.getClusterId()).toBe(await clientOf('unframed').getClusterId())
      expect(await c.getClusterId()).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
      const name = `${namespace}:t-1.x`
      const isFramed = transport === 'framed'
      const attributes = isFramed ? undefined : { 'rowkey.schema': '{"\u00e4":1}' }
      const family = {
        name: 'f',
        maxVersions: 3,
        compression: 'GZ',
        dataBlockEncoding: 'FAST_DIFF',
        bloomFilter: 'ROWCOL',
        timeToLive: 1000,
        configuration: { 'hbase.hstore.compaction.min': '4' },
      } as const
      const families = [isFramed ? family : { ...family, attributes: { NEW_VERSION_BEHAVIOR: 'true' } }]
      const splitKeys = isFramed ? [] : [Buffer.from([0x80, 1]), bytes('k')]
      await c.createTable({ name, families, attributes }, splitKeys)
      const described = await c.getTableDescriptor(name)
      expect(described).toMatchObject({ name, families, attributes: attributes ?? {} })
      expect(
        (await c.regions(name)).map(({ start, end }) => [Buffer.from(start).toString('hex'), Buffer.from(end).toString('hex')]),
      ).toEqual(
        isFramed
          ? [['', '']]
          : [
              ['', '6b'],
              ['6b', '8001'],
              ['8001', ''],
            ],
      )
      await c.put(name, put('a', cell('x', '1')))
      expect(shown(await c.get(name, { row: bytes('a') }))).toBe('a: x=1')
      await c.modifyColumnFamily(name, { ...family, maxVersions: 4 })
      expect((await c.getTableDescriptor(name)).families[0]).toMatchObject({ maxVersions: 4, timeToLive: 1000 })
      if (!isFramed) {
        const now = await c.getTableDescriptor(name)
        await c.modifyTable({
          ...now,
          families: now.families.map((each) => ({ ...each, maxVersions: 5 })),
          attributes: { ...now.attributes, b: 'c' },
        })
        expect(await c.getTableDescriptor(name)).toMatchObject({ families: [{ maxVersions: 5 }], attributes: { ...attributes, b: 'c' } })
      }
      expect(await c.tableExists(name)).toBe(true)
      expect(await failureOf(c.createTable({ name, families }))).toMatchObject({
        code: 'SERVER',
        javaClass: 'TableExistsException',
        canRetry: false,
      })
      expect(await failureOf(c.deleteTable(name))).toMatchObject({ code: 'SERVER' })
      await c.disableTable(name)
      expect(await c.isTableEnabled(name)).toBe(false)
      expect(await failureOf(c.get(name, { row: bytes('a') }))).toMatchObject({ code: 'SERVER', isSent: true })
      await c.enableTable(name)
      expect(await c.isTableEnabled(name)).toBe(true)
      await c.disableTable(name)
      await c.deleteTable(name)
      expect(await c.tableExists(name)).toBe(false)
    })

    test('what HBase refuses is told with its class', async () => {
      const c = client()
      const t = await created(c)
      expect(await failureOf(c.get('nope', { row: bytes('a') }))).toMatchObject({
        code: 'SERVER',
        serverMessage: 'nope',
        canRetry: false,
        isSent: true,
      })
      const wrong = put('a', { ...cell('x', '1'), family: bytes('g') })
      expect(await failureOf(c.put(t, wrong))).toMatchObject({ code: 'SERVER', javaClass: 'NoSuchColumnFamilyException', canRetry: false })
      await c.put(t, put('n', cell('x', '1')))
      const increment = c.increment(t, { row: bytes('n'), columns: [{ ...column('x'), amount: 1n }] })
      expect((await failureOf(increment)).message).toMatch(/^increment\(\) was refused by HBase: .*Field is not a long/)
      expect(await failureOf(c.put(t, put('a', cell('x', Buffer.alloc(11 * 2 ** 20)))))).toMatchObject({
        code: transport === 'framed' ? 'INVALID_ARGUMENT' : 'GATEWAY',
      })
      expect(shown(await c.get(t, { row: bytes('n') }))).toBe('n: x=1')
    })

    test('a page of many rows is complete, over many connections at a time', async () => {
      const c = client()
      const t = await created(c)
      const rows = Array.from({ length: 5_000 }, (_, index) =>
        put(String(index).padStart(5, '0'), cell('x', 'v'.repeat(index % 97)), cell('y', 'w')),
      )
      await Promise.all(Array.from({ length: 10 }, (_, part) => c.putMany(t, rows.slice(part * 500, part * 500 + 500))))
      const pages = await Promise.all(Array.from({ length: 4 }, () => c.scan(t, { limit: 5_000 }, 5_000)))
      for (const page of pages)
        expect(page.map(shown)).toEqual(
          rows.map(({ row, cells: [x] }) => `${row.toString()}: x=${Buffer.from(x?.value ?? []).toString()} y=w`),
        )
    })
  })

  test.each(transports.flatMap((real) => transports.filter((tried) => tried !== real).map((tried) => [real, tried] as const)))(
    'a gateway that is %s, asked as %s: it is named within the time limit, and nothing hangs',
    async (real, tried) => {
      const { gateways, host } = connection
      const client = clientOf(tried, { host, port: gateways[real], connectTimeout: 500 })
      const error = await failureOf(client.tableExists('t'))
      expect(error).toMatchObject({ code: 'UNREACHABLE', isSent: false })
      expect(error.message).toContain(`'${real}'`)
    },
  )

  test('what a framed gateway would take wrongly, told by the server itself: the fault is still there', async () => {
    // If this fails, the gateway was repaired, and split keys and attributes need not be refused any longer.
    const { gateways, host } = connection
    const socket = connect(gateways.framed, host)
    const desc = {
      tableName: { qualifier: bytes('faulty') },
      columns: [{ name: bytes('f') }],
      attributes: [[bytes('mine'), bytes('1')]] as const,
    }
    socket.write(framed(encodeCall('createTable', 1, { desc, splitKeys: [bytes('m')] })))
    await new Promise((resolve) => socket.once('data', resolve))
    socket.destroy()
    const client = clientOf('unframed')
    expect((await client.getTableDescriptor('faulty')).attributes).not.toHaveProperty('mine')
    expect((await client.regions('faulty')).map(({ start }) => Buffer.from(start).toString())).not.toContain('m')
  })
})
