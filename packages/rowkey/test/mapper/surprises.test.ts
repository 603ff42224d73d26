import { bucket, int32, int64, nullable, reversed, text, type ColumnType } from '#codec'
import { createMapper, isRowkeyError, type MapperOptions } from '#mapper'
import { memory } from '#memory'
import { Column, defineTable, KeyColumn, Table } from '#model'
import { describe, expect, test, vi } from 'vitest'

const Rows = defineTable('rows', { columns: { a: text(), n: int32() }, key: ['a', 'n'] })

async function open(options: MapperOptions = {}) {
  const db = createMapper(memory(), options)
  await db.ensureTables([Rows])
  return db.repository(Rows)
}

const failure = (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('options of a mapper', () => {
  test.each([
    ['prefx', 'dev_'],
    ['prefix', 5],
    ['onCall', 5],
    ['clock', 5],
    ['cursorSecret', undefined],
    ['cursorSecret', 5],
    ['cursorSecret', 'short'],
    ['cursorSecret', new Uint8Array(15)],
    ['cursorSecret', {}],
  ])('ERR-1: %s = %o is INVALID_OPTION at once', (option, value) => {
    expect(() => createMapper(memory(), { [option]: value })).toThrow('INVALID_OPTION')
  })

  test('ERR-1: a function that was not called is no adapter; a secret is not shown', () => {
    expect(() => createMapper(memory as never)).toThrow(/INVALID_OPTION: createMapper\(\) takes an adapter, not a function/)
    expect(() => createMapper(memory(), null as never)).toThrow('INVALID_OPTION')
    expect(() => createMapper(memory(), { cursorSecret: 'password' })).not.toThrow(/cannot be "password"/)
  })

  test('ERR-1: ensureTables() of something that is no list says so, by a rejection', async () => {
    const db = createMapper(memory())
    for (const given of [defineTable('single', { columns: { a: text() }, key: ['a'] }), undefined, 'single']) {
      const error = await failure(db.ensureTables(given as never))
      expect(error).toMatchObject({ code: 'INVALID_OPTION', details: { option: 'models' } })
      expect((error as Error).message).toContain('ensureTables() takes a list of models')
    }
  })

  test('ERR-1: an observer that throws changes nothing and is told of', async () => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const rows = await open({
      onCall() {
        throw new Error('metrics down')
      },
    })
    await rows.put({ a: 'x', n: 1 })
    expect(await rows.get({ a: 'x', n: 1 })).toEqual({ a: 'x', n: 1 })
    expect(told).toHaveBeenCalledTimes(2)
    told.mockRestore()
  })
})

describe('lists', () => {
  test('WRITE-5: an error names its index, and nothing was written', async () => {
    const rows = await open()
    const error = await failure(
      rows.putMany([
        { a: 'x', n: 1 },
        { a: 'x', n: 3.5 },
      ]),
    )
    expect(error).toMatchObject({ code: 'INVALID_VALUE', details: { column: 'n', index: 1 } })
    expect(String(error)).toContain("at index 1 of the list: column 'n' of 'rows' cannot hold 3.5")
    expect(await rows.scan({ a: 'x' }).count()).toBe(0)
  })

  test.each(['getMany', 'putMany', 'deleteMany'] as const)('ERR-2: %s takes lists, and a hole is no row', async (method) => {
    const rows = await open()
    const noLists = method === 'putMany' ? [new Set([5])] : [new Set()]
    for (const list of [undefined, null, {}, 'x', 5, ...noLists]) {
      expect(await failure(rows[method](list as never))).toMatchObject({ code: 'INVALID_VALUE' })
    }
    expect(await failure(rows[method]([, { a: 'x', n: 1 }] as never))).toMatchObject({ code: 'INVALID_VALUE', details: { index: 0 } })
  })
})

describe('long lists and cursors', () => {
  test('R9: full keys are got in one batch, however many ranges a scan may have', async () => {
    const rows = await open()
    await rows.putMany(Array.from({ length: 5000 }, (_, i) => ({ a: `a${i}`, n: 0 })))
    const ids = Array.from({ length: 2000 }, (_, i) => `a${2 * i}`)
    const page = await rows.scan({ a: { in: ids }, n: 0 }).page({ size: 5000 })
    expect(page.rows).toHaveLength(2000)
    expect(page.stats).toMatchObject({ examined: 2000, calls: 1 })
  })

  test('R10: ranges are counted over all buckets', () => {
    const Salted = defineTable('salted', {
      columns: { a: text(), at: int32(), n: int32() },
      key: ['a', 'at', 'n'],
      salt: bucket({ of: 'n', count: 16 }),
    })
    const scan = createMapper(memory())
      .repository(Salted)
      .scan({ a: { in: Array.from({ length: 900 }, (_, i) => `a${i}`) } })
    expect(scan.explain()).toMatchObject({
      ranges: 16,
      warnings: expect.arrayContaining([expect.objectContaining({ code: 'hull' })]) as unknown,
    })
  })

  test('PAGE-3: a very long cursor is CURSOR_INVALID', async () => {
    const rows = await open()
    expect(await failure(rows.scan({ a: 'x' }).page({ cursor: 'AAAA'.repeat(100_000) }))).toMatchObject({ code: 'CURSOR_INVALID' })
  })
})

test('SCAN-1: a scan lets timers run, so a time-out can abort it', async () => {
  const rows = await open()
  await rows.putMany(Array.from({ length: 20_000 }, (_, n) => ({ a: 'x', n })))
  let seen = 0
  const slow = async (): Promise<void> => {
    for await (const row of rows.scan({ a: 'x' }, { signal: AbortSignal.timeout(30) })) {
      seen += Number(row.n >= 0)
      const until = performance.now() + 0.05
      while (performance.now() < until);
    }
  }
  expect(await failure(slow())).toMatchObject({ name: 'TimeoutError' })
  expect(seen).toBeLessThan(20_000)
})

test('SCAN-1: an asynchronous filter is refused, it would let every row pass', async () => {
  const rows = await open()
  await rows.put({ a: 'x', n: 1 })
  const filter = (() => Promise.resolve(false)) as never
  expect(await failure(rows.scan({ a: 'x' }, { filter }).page())).toMatchObject({ code: 'INVALID_OPTION' })
})

test('TABLE-1: a table that another mapper drops and makes anew is opened anew', async () => {
  const adapter = memory()
  const [one, other] = [createMapper(adapter), createMapper(adapter)]
  await one.ensureTables([Rows])
  const rows = other.repository(Rows)
  await rows.put({ a: 'x', n: 1 })
  await one.dropTables([Rows])
  await one.ensureTables([Rows])
  expect(await failure(rows.get({ a: 'x', n: 1 }))).toMatchObject({ code: 'TABLE_NOT_FOUND' })
  expect(await rows.get({ a: 'x', n: 1 })).toBeUndefined()
  await rows.put({ a: 'x', n: 2 })
  expect(await rows.scan({ a: 'x' }).toArray()).toEqual([{ a: 'x', n: 2 }])
})

describe('growth and defaults', () => {
  const table = (status: ColumnType<string> | undefined) =>
    defineTable('orders', { columns: { id: text(), ...(status === undefined ? {} : { status }) }, key: ['id'] })

  test('TABLE-2: the default that old rows are read with is part of the table', async () => {
    const adapter = memory()
    await createMapper(adapter).ensureTables([table(undefined)])
    await createMapper(adapter).ensureTables([table(text({ default: 'new' }))])
    for (const status of [text({ default: 'closed' }), text()]) {
      const error = await failure(createMapper(adapter).ensureTables([table(status)]))
      expect(error).toMatchObject({ code: 'SCHEMA_MISMATCH' })
      expect(String(error)).toContain('rows of the table without it mean "new"')
    }
  })

  test('TABLE-3: a table grows although properties are renamed or values look different', async () => {
    const adapter = memory()
    const salt = bucket({ of: 'host', count: 4 })
    await createMapper(adapter).ensureTables([
      defineTable('logs', { columns: { host: text(), n: reversed(int64()) }, key: ['host', 'n'], salt }),
    ])
    const Renamed = defineTable('logs', {
      columns: { server: text({ name: 'host' }), n: reversed(int64({ as: 'number' })), note: nullable(text()) },
      key: ['server', 'n'],
      salt: bucket({ of: 'server', count: 4 }),
    })
    const db = createMapper(adapter)
    await db.ensureTables([Renamed])
    const logs = db.repository(Renamed)
    await logs.put({ server: 'a', n: 12, note: 'x' })
    expect(await logs.get({ server: 'a', n: 12 })).toEqual({ server: 'a', n: 12, note: 'x' })
  })
})

class Counted {
  a!: string
  plain = 'x'
  get upper(): string {
    return this.a.toUpperCase()
  }
}
const legacy = <T>(decorator: T): ((target: object, name: string) => void) => decorator as never
legacy(KeyColumn(1, text()))(Counted.prototype, 'a')
class Noted extends Counted {
  note?: string | null
}
legacy(Column(nullable(text())))(Noted.prototype, 'note')
Table('counted')(Noted as never)

test('ROW-3: fields of a class that are no columns stay outside the table, and what was read can be written', async () => {
  const db = createMapper(memory())
  await db.ensureTables([Noted])
  const rows = db.repository(Noted)
  const made = Object.assign(new Noted(), { a: 'k', plain: 'changed' })
  await rows.put(made)
  const read = (await rows.get({ a: 'k' })) as Noted
  expect(read).toBeInstanceOf(Noted)
  expect([read.a, read.plain, read.note, read.upper]).toEqual(['k', 'x', null, 'K'])
  await rows.put(read)
  await rows.put({ a: 'l', plain: 'ignored' })
  expect(await failure(rows.put({ a: 'm', other: 1 } as never))).toMatchObject({ code: 'UNKNOWN_COLUMN' })
  expect(await rows.scan({ a: { gte: '' } }).count()).toBe(2)
})

test('ERR-1: isRowkeyError types the details by the code', async () => {
  const rows = await open()
  await rows.insert({ a: 'x', n: 1 })
  const error = await failure(rows.insert({ a: 'x', n: 1 }))
  if (!isRowkeyError(error, 'ROW_EXISTS')) throw error
  const { table, key }: { table: string; key: Readonly<Record<string, unknown>> } = error.details
  expect([table, key]).toEqual(['rows', { a: 'x', n: 1 }])
  // @ts-expect-error no such code
  expect(isRowkeyError(error, 'ROW_EXIST')).toBe(false)
})

test('PRED-4: a predicate with a class is refused: its getters would not be seen', async () => {
  class ByName {
    get a(): string {
      return 'x'
    }
  }
  const rows = await open()
  expect(await failure(rows.scan(new ByName() as never, { unbounded: true } as never).toArray())).toMatchObject({
    code: 'INVALID_PREDICATE',
  })
})
