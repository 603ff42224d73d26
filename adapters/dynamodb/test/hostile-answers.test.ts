import { scaled } from '@rowkey/servers/scale'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMapper, defineTable, int32, isRowkeyError, nullable, text, uint32, type Mapper, type Repository } from 'rowkey'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Random } from '../../../packages/rowkey/src/conformance/oracle/random.js'
import { withServer } from '../../../test/setup/with-server.js'
import { dynamodb } from '@rowkey/dynamodb'
import { clientOf } from './client.js'
import { answer, intercept } from './middleware.js'

const seed = Number(process.env['ROWKEY_SEED'] ?? 20_261_202)

const Things = defineTable('hostile', {
  columns: { u: text(), n: uint32(), v: nullable(text()), count: int32({ default: 0 }) },
  key: ['u', 'n'],
  ttl: '30d',
})
type Table = Repository<typeof Things>

/** Changes the body of an answer; undefined = passes it on. `operation` such as Query. */
type Tamper = (operation: string, body: string) => { readonly status?: number; readonly body: string } | undefined

/** A server that passes requests on and changes the answers. */
async function liar(endpoint: string, tamper: () => Tamper | undefined): Promise<{ readonly server: Server; readonly endpoint: string }> {
  const { hostname, port } = new URL(endpoint)
  const server = createServer((asked, answered) => {
    const chunks: Buffer[] = []
    asked.on('data', (chunk: Buffer) => chunks.push(chunk))
    asked.on('end', () => {
      const passed = request({ hostname, port, method: 'POST', path: '/', headers: asked.headers }, (given) => {
        const parts: Buffer[] = []
        given.on('data', (part: Buffer) => parts.push(part))
        given.on('end', () => {
          const body = Buffer.concat(parts).toString()
          const operation = String(asked.headers['x-amz-target']).split('.').at(-1) ?? ''
          const isOwn = given.statusCode === 200 && !/Table|TimeToLive/.test(operation) && !Buffer.concat(chunks).includes('"B":"AA=="')
          const lie = isOwn ? tamper()?.(operation, body) : undefined
          answered.writeHead(lie?.status ?? given.statusCode ?? 500, { 'content-type': 'application/x-amz-json-1.0' })
          answered.end(lie?.body ?? body)
        })
      })
      passed.end(Buffer.concat(chunks))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const truth = Array.from({ length: 8 }, (_, n) => ({ u: 'ann', n, v: `v${n}`, count: 0 }))
const key = { u: 'ann', n: 1 }

const reads: Readonly<Record<string, (table: Table) => Promise<readonly object[]>>> = {
  get: async (table) => [await table.get(key)].flatMap((row) => row ?? []),
  'get of several': async (table) => (await table.getMany(truth)).flatMap((row) => row ?? []),
  scan: (table) => table.scan({ u: 'ann' }).toArray(),
  'scan in pages': async (table) => {
    const rows: object[] = []
    for (let cursor: string | undefined, page = 0; page < 20; page++) {
      const given = await table.scan({ u: 'ann' }).page({ size: 3, cursor })
      rows.push(...given.rows)
      cursor = given.cursor
      if (cursor === undefined) break
    }
    return rows
  },
  'reverse scan with a filter': async (table) =>
    (await table.scan({ u: 'ann', v: { gte: 'v' } }, { order: 'reverse' }).toArray()).reverse(),
  'full scan': async (table) => {
    const rows: object[] = []
    for await (const page of table.readAll().pages()) rows.push(...page.rows)
    return rows
  },
}

const writes: Readonly<Record<string, (table: Table, db: Mapper) => Promise<unknown>>> = {
  put: (table) => table.put({ u: 'bob', n: 1, v: 'x' }),
  puts: (table) => table.putMany([1, 2, 3].map((n) => ({ u: 'bob', n, v: 'x' }))),
  update: (table) => table.update({ u: 'cid', n: 1 }, { v: 'y' }, { returning: true }),
  'update with a condition': (table) => table.update({ u: 'cid', n: 1 }, { v: 'y' }, { if: { v: 'y' } }),
  increment: (table) => table.increment({ u: 'cid', n: 1 }, { count: 1 }, { create: true }),
  insert: (table) => table.insert({ u: 'cid', n: 1, v: 'y' }),
  purge: (_, db) => db.purgeExpired(Things),
}

/** What a scan or a query asks for. */
interface Asked {
  readonly ExclusiveStartKey?: { readonly rk_s: { readonly B: Uint8Array } }
  readonly ScanIndexForward?: boolean
  readonly ExpressionAttributeValues?: Readonly<Record<string, { readonly B: Uint8Array }>>
}

/** The codes of a store that cannot be believed. */
const codes =
  /^(ADAPTER_FAULT|CORRUPT_ROW|UNREADABLE_ROW|OUTCOME_UNKNOWN|WRITE_FAILED|WRITE_INCOMPLETE|ROW_EXISTS|ROW_NOT_FOUND|CONDITION_FAILED|OUT_OF_RANGE|STORE_UNAVAILABLE|STORE_REFUSED|DEADLINE)$/

withServer('dynalite', (connection) => {
  let tamper: Tamper | undefined
  let table: Table
  let db: Mapper
  let endings: readonly (() => unknown)[] = []

  beforeAll(async () => {
    const prefix = `hostile${process.pid}_`
    const { server, endpoint } = await liar(connection.endpoint, () => tamper)
    const client = clientOf({ endpoint }, { maxAttempts: 1 })
    db = createMapper(dynamodb(client, { transactions: false, nativeTtl: false }), { prefix, retry: { attempts: 2 } })
    await db.ensureTables([Things])
    table = db.repository(Things)
    await table.putMany([...truth, { u: 'cid', n: 1, v: 'y' }, { u: 'zoe', n: 1, v: 'secret' }])
    endings = [() => db.dropTables([Things]), () => client.destroy(), () => server.close()]
  })
  afterAll(async () => {
    tamper = undefined
    for (const end of endings) await end()
  })

  /** What a read returns or the code of its error, which is one of rowkey. */
  async function answerOf(what: string, run: () => Promise<unknown>): Promise<unknown> {
    try {
      return await run()
    } catch (error) {
      if (!isRowkeyError(error)) throw new Error(`${what} is not an error of rowkey: ${String(error)}`, { cause: error })
      expect(error.code, what).toMatch(codes)
      return error.code
    }
  }

  const bytes = (...parts: (string | number)[]): string =>
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part)))).toString('base64')
  const keyOf = (n: number, u = 'ann') => ({ rk_p: { B: bytes(1) }, rk_s: { B: bytes(1, u, 0, 0, 0, 0, 0, n) } })
  const item = (n: number, u = 'ann') => ({ ...keyOf(n, u), v: { S: 'x' }, count: { N: '0' } })
  const page = (Items: unknown, more: object = {}) => ({
    Items,
    Count: (Items as unknown[]).length,
    ScannedCount: (Items as unknown[]).length,
    ...more,
  })

  const lies: Readonly<Record<string, unknown>> = {
    'the same key again, without items': page([], { LastEvaluatedKey: keyOf(1) }),
    'the same item and key again': page([item(1)], { LastEvaluatedKey: keyOf(1) }),
    'a key before the last item': page([item(2)], { LastEvaluatedKey: keyOf(1) }),
    'a key after the last item': page([item(2)], { LastEvaluatedKey: keyOf(3) }),
    'a key that is text': page([item(1)], { LastEvaluatedKey: { rk_p: { S: 'x' }, rk_s: { N: '1' } } }),
    'a key of nothing': page([item(1)], { LastEvaluatedKey: {} }),
    'no items': {},
    'items that are null': { Items: null, Responses: null },
    'items that are text': { Items: 'abc', Responses: 'abc' },
    'an item that is null': { Items: [null], Count: 1, ScannedCount: 1, Responses: { x: [null] } },
    'fewer items than counted': { Items: [item(1)], Count: 2, ScannedCount: 2 },
    'a negative count': { Items: [], Count: 0, ScannedCount: -5 },
    'an item without a key': page([{ v: { S: 'x' } }]),
    'an empty key': page([{ rk_p: { B: '' }, rk_s: { B: '' } }]),
    'a value of two types': page([{ ...item(1), v: { S: 'x', N: '1' } }]),
    'a value of no type': page([{ ...item(1), v: {} }]),
    'a value that is null': page([{ ...item(1), v: null }]),
    'a number that is a number': page([{ ...item(1), count: { N: 5 } }]),
    'a row of somebody else': page([item(1, 'zoe')]),
    'rows in another order': page([item(2), item(1)]),
    'units that are no number': page([item(1)], { ConsumedCapacity: { CapacityUnits: 'NaN' } }),
  }

  test.each(Object.entries(lies))('reads that are answered with %s', async (_, lie) => {
    tamper = () => ({ body: JSON.stringify(lie) })
    for (const [what, read] of Object.entries(reads)) {
      if (what.startsWith('get')) continue // answered in another form
      if (what === 'full scan' && lie === lies['a row of somebody else']) continue // that is a row of the table
      if (what.startsWith('reverse') && lie === lies['rows in another order']) continue // that is its order
      expect(await answerOf(what, () => read(table)), what).toMatch(/^(ADAPTER_FAULT|CORRUPT_ROW|UNREADABLE_ROW)$/)
    }
  })

  test.each([
    ['the row of somebody else', { Item: item(1, 'zoe') }],
    ['a row without a key', { Item: {} }],
    ['a list', { Item: [] }],
    ['text', { Item: 'abc' }],
  ])('a get that is answered with %s', async (_, lie) => {
    tamper = () => ({ body: JSON.stringify(lie) })
    expect(await answerOf('get', () => table.get(key))).toBe('ADAPTER_FAULT')
    expect(await answerOf('update', () => table.update(key, { v: 'q' }, { if: { v: 'v1' } }))).toBe('ADAPTER_FAULT')
  })

  test('gets and writes of batches that are answered with what was not asked', async () => {
    const name = `hostile${process.pid}_hostile`
    const of = (UnprocessedKeys: unknown, items: unknown) => ({ Responses: { [name]: items }, UnprocessedKeys })
    for (const lie of [
      {},
      of({}, [item(1, 'zoe')]),
      of({}, [item(1), item(1)]),
      of({}, 'abc'),
      of({ other: { Keys: [keyOf(1)] } }, []),
      of({ [name]: { Keys: [keyOf(1, 'zoe')] } }, []),
      of({ [name]: { Keys: 5 } }, []),
      of({ [name]: { Keys: [keyOf(1)] } }, [item(1)]),
    ]) {
      tamper = () => ({ body: JSON.stringify(lie) })
      expect(await answerOf('getMany', () => table.getMany(truth)), JSON.stringify(lie)).toBe('ADAPTER_FAULT')
    }
    tamper = () => ({ body: JSON.stringify(of({ [name]: { Keys: [keyOf(1)] } }, [])) })
    expect(await answerOf('getMany', () => table.getMany(truth))).toBe('STORE_UNAVAILABLE') // for ever
    const put = (n: number, u = 'bob') => ({ PutRequest: { Item: item(n, u) } })
    for (const UnprocessedItems of [
      undefined,
      null,
      5,
      [],
      { other: [put(1)] },
      { [name]: [put(1, 'zoe')] },
      { [name]: [null] },
      { [name]: 5 },
    ]) {
      tamper = () => ({ body: JSON.stringify({ UnprocessedItems }) })
      const error: unknown = await table.putMany([1, 2].map((n) => ({ u: 'bob', n }))).catch((thrown: unknown) => thrown)
      expect(isRowkeyError(error, 'WRITE_INCOMPLETE') && error.details.outcomes.map(({ kind }) => kind), JSON.stringify(UnprocessedItems)).toEqual(['unknown', 'unknown']) // prettier-ignore
    }
    tamper = () => ({ body: JSON.stringify({ UnprocessedItems: { [name]: [put(1), put(2)] } }) })
    const error: unknown = await table.putMany([1, 2, 3].map((n) => ({ u: 'bob', n }))).catch((thrown: unknown) => thrown)
    expect(isRowkeyError(error, 'WRITE_INCOMPLETE') && error.details.outcomes).toEqual([{ index: 0, kind: 'unprocessed' }, { index: 1, kind: 'unprocessed' }]) // prettier-ignore
  })

  test.each([
    ['a page', { body: '<html>' }, 'ADAPTER_FAULT'],
    ['a page of an error', { status: 502, body: '<html>' }, 'STORE_UNAVAILABLE'],
    ['a redirect', { status: 302, body: '' }, 'ADAPTER_FAULT'],
    ['an error without a name', { status: 400, body: 'null' }, 'STORE_REFUSED'],
    ['JSON of many levels', { body: `{"Items":${'['.repeat(20_000)}${']'.repeat(20_000)}}` }, 'ADAPTER_FAULT'],
  ])('scans and writes that are answered with %s', async (_, lie, code) => {
    tamper = () => lie
    expect(await answerOf('scan', () => table.scan({ u: 'ann' }).toArray())).toBe(code)
    expect(await answerOf('full scan', () => table.readAll().count())).toBe(code)
    const body = await answerOf('put', () => table.put({ u: 'bob', n: 9 }))
    if (lie.body !== '' && !lie.body.startsWith('{')) expect(body).toMatch(/^(OUTCOME_UNKNOWN|WRITE_FAILED)$/)
  })

  test.each(['fullScan', 'purge'] as const)('a walk in a circle ends: %s', async (walk) => {
    let asked = 0
    tamper = () => {
      if (++asked > 1000) return { body: JSON.stringify(page([])) } // so that it ends, whatever the adapter does
      return { body: JSON.stringify(page([], { ScannedCount: walk === 'purge' ? 1 : 0, LastEvaluatedKey: keyOf(asked % 7) })) }
    }
    expect(await answerOf(walk, () => (walk === 'purge' ? db.purgeExpired(Things) : table.readAll().count()))).toBe('ADAPTER_FAULT')
    expect(asked).toBeLessThan(60)
  })

  test.each(['fullScan', 'purge'] as const)('a walk through many pages without items that move on comes to its end: %s', async (walk) => {
    let asked = 0
    tamper = () => {
      const more = ++asked < 500 ? { LastEvaluatedKey: keyOf(asked % 256, String(asked)) } : {}
      return { body: JSON.stringify(page([], more)) }
    }
    expect(await answerOf(walk, () => (walk === 'purge' ? db.purgeExpired(Things) : table.readAll().count()))).toBe(0)
    expect(asked).toBe(500)
  })

  test.each([
    ['ends before its last item', [item(2)], keyOf(1), [item(2)]],
    ['begins at the item where the one before has ended', [item(2)], keyOf(2), [item(2)]],
    ['begins before the key where the one before has ended', [item(2)], keyOf(5), [item(4)]],
  ])('a page that %s', async (_, first, LastEvaluatedKey, second) => {
    for (const what of ['scan', 'full scan'] as const) {
      let asked = 0
      tamper = () => ({ body: JSON.stringify(asked++ === 0 ? page(first, { LastEvaluatedKey }) : page(second)) })
      expect(await answerOf(what, async () => reads[what]?.(table)), what).toBe('ADAPTER_FAULT')
    }
  })

  test.each([1, 3])('a server that ends pages at deleted items, after %i of all', async (step) => {
    tamper = undefined
    const client = clientOf(connection)
    let empty = 0
    intercept(client, async ({ operation, input, send }) => {
      if (operation !== 'Query' && operation !== 'Scan') return send()
      const { ExclusiveStartKey: start, ScanIndexForward: isForward = true } = input as Asked
      const { ':low': low, ':high': high } = (input as Asked).ExpressionAttributeValues ?? {}
      const order = (a: Uint8Array, b: Uint8Array): number => (isForward ? Buffer.compare(a, b) : Buffer.compare(b, a))
      const stored = Array.from({ length: 256 }, (_, n) => ({
        n,
        rk_p: { B: Uint8Array.of(1) },
        rk_s: { B: Buffer.from(keyOf(n).rk_s.B, 'base64') },
      }))
        .filter(
          ({ rk_s }) =>
            low === undefined || high === undefined || (Buffer.compare(low.B, rk_s.B) <= 0 && Buffer.compare(rk_s.B, high.B) <= 0),
        )
        .sort((a, b) => order(a.rk_s.B, b.rk_s.B))
      const left = stored.filter(({ rk_s }) => start === undefined || order(start.rk_s.B, rk_s.B) < 0)
      const seen = left.slice(0, step)
      const Items = seen.filter(({ n }) => live.includes(n)).map(({ rk_p, rk_s }) => ({ rk_p, rk_s, v: { S: 'x' }, count: { N: '0' } }))
      if (Items.length === 0) empty++
      const last = left.length > seen.length ? seen.at(-1) : undefined
      return answer({ ...page(Items), ...(last === undefined ? {} : { LastEvaluatedKey: { rk_p: last.rk_p, rk_s: last.rk_s } }) })
    })
    const live = [2, 3, 120, 254]
    const prefix = `hostile${process.pid}_`
    const deleted = createMapper(dynamodb(client, { transactions: false, nativeTtl: false }), { prefix }).repository(Things)
    const numbers = (rows: readonly { readonly n: number }[]): readonly number[] => rows.map(({ n }) => n)
    expect(numbers(await deleted.scan({ u: 'ann' }).toArray())).toEqual(live)
    expect(empty).toBeGreaterThan(50)
    expect(numbers(await deleted.scan({ u: 'ann' }, { order: 'reverse' }).toArray())).toEqual(live.toReversed())
    expect(numbers(await deleted.scan({ u: 'ann', v: { gte: 'a' } }).toArray())).toEqual(live)
    expect(numbers(await deleted.scan({ u: 'ann', n: { gte: 3, lt: 200 } }).toArray())).toEqual([3, 120])
    for (const reverse of [false, true]) {
      const paged: number[] = []
      let cursor: string | undefined
      for (let pages = 0; pages < 10; pages++) {
        const given = await deleted.scan({ u: 'ann' }, { order: reverse ? 'reverse' : undefined }).page({ size: 1, cursor })
        paged.push(...numbers(given.rows))
        cursor = given.cursor
        if (cursor === undefined) break
      }
      expect(paged).toEqual(reverse ? live.toReversed() : live)
    }
    const all: number[] = []
    for await (const { rows } of deleted.readAll().pages()) all.push(...numbers(rows))
    expect(all).toEqual(live)
    client.destroy()
  })

  test(`answers with a random change: the right answer or a typed error, never a missing row, seed ${seed}`, async () => {
    const random = new Random(seed)
    const said = { right: 0, wrong: 0 }
    for (let round = 0; round < scaled(400); round++) {
      let changes = 0
      let path: readonly string[] = []
      const at = random.below(3)
      tamper = (_, body) => {
        if (changes++ !== at) return undefined
        const [changed, where] = changedJSON(random, JSON.parse(body) as object)
        path = where
        return { body: JSON.stringify(changed) }
      }
      const [what, read] = random.pick(Object.entries(reads))
      const given = await answerOf(`${what}, round ${round}, at ${path.join('.')}`, () => read(table))
      if (typeof given === 'string') said.wrong++
      else {
        said.right++
        const rows = (given as typeof truth).filter(({ u }) => u === 'ann') // those that are not written here
        const wanted = what === 'get' ? 1 : truth.length
        // A shorter answer that is well-formed cannot be told from a shorter table.
        const mayBeShorter = /^(LastEvaluatedKey|Item|Responses)$/.test(path[0] ?? '') || path.length === 0
        if (!mayBeShorter) expect(rows.length, `${what}, round ${round}, at ${path.join('.')}`).toBe(wanted)
        expect(rows.length).toBeLessThanOrEqual(wanted)
      }
      const [, write] = random.pick(Object.entries(writes))
      changes = 0
      await answerOf(`a write, round ${round}`, () => write(table, db))
    }
    tamper = undefined
    expect(await table.scan({ u: 'ann' }).toArray()).toEqual(truth)
    expect(said.wrong).toBeGreaterThan(scaled(400) / 10)
    expect(said.right).toBeGreaterThan(scaled(400) / 10)
  })
})

const garbage: readonly unknown[] = [
  null,
  [],
  {},
  '',
  'garbage',
  0,
  -1,
  5,
  1e300,
  true,
  [null],
  [[]],
  { S: 'a', N: '1' },
  { B: 'AA==' },
  { N: 'x' },
  { S: 5 },
  { __proto__: null, L: [] },
]

/** JSON with one place replaced, removed or doubled, and where that is. */
function changedJSON(random: Random, json: object): readonly [unknown, readonly string[]] {
  const places: (readonly [holder: Record<string, unknown>, name: string, path: readonly string[]])[] = []
  const visit = (value: unknown, path: readonly string[]): void => {
    if (typeof value !== 'object' || value === null) return
    for (const name of Object.keys(value)) {
      places.push([value as Record<string, unknown>, name, [...path, name]])
      visit((value as Record<string, unknown>)[name], [...path, name])
    }
  }
  visit(json, [])
  if (places.length === 0 || random.chance(0.05)) return [random.pick(garbage), []]
  const [holder, name, path] = random.pick(places)
  if (random.chance(0.6)) holder[name] = random.pick(garbage)
  else if (!Array.isArray(holder)) Reflect.deleteProperty(holder, name)
  else if (random.chance(0.5)) holder.splice(Number(name), 1)
  else holder.push(holder[Number(name)])
  return [json, path]
}
