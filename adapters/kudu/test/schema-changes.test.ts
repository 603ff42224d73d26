import { kudu, type KuduHints } from '@rowkey/kudu'
import { KuduClient, type TableChange, type TableColumn } from '@rowkey/kudu-client'
import {
  createMapper,
  defineTable,
  int32,
  isRowkeyError,
  kuduHash,
  nullable,
  text,
  timestamp,
  type ColumnType,
  type Mapper,
  type RepositoryOf,
  type TableSchema,
} from 'rowkey'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusalOf } from '../../../test/kit/refusal.js'
import { withServer } from '../../../test/setup/with-server.js'
import { connect, type Connected } from './connected.js'

const salt = kuduHash({ of: 'k', count: 3 })
interface More {
  readonly hints?: KuduHints
  readonly retired?: readonly string[]
}
const modelOf = (name: string, values: Readonly<Record<string, ColumnType>>, { hints = {}, retired = [] }: More = {}): TableSchema =>
  defineTable(name, { columns: { k: int32(), ...values }, key: ['k'], salt, retired, stores: { kudu: hints } } as never)

const [note, n, line] = [nullable(text()), nullable(int32()), nullable(text())]
/** A model that has done with `note`. */
const dropping: More = { retired: ['note'], hints: { dropRetired: true } }

withServer('kudu', (connection) => {
  let server: Connected
  const closing: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    server = await connect(connection)
  })
  afterAll(async () => {
    for (const close of closing) await close()
    await server.dispose()
  })

  /** Another program with tables of the same database, and the changes of tables that it asks for. */
  function program(): { readonly db: Mapper; readonly calls: (readonly TableChange[])[]; readonly client: KuduClient } {
    const client = new KuduClient({ masters: [...connection.masters] })
    const calls: (readonly TableChange[])[] = []
    const alter = client.alterTable.bind(client)
    client.alterTable = (table, changes, options) => {
      calls.push(changes)
      return alter(table, changes, options)
    }
    closing.push(() => client.close())
    return { db: createMapper(kudu(client, { database: server.database, hash: 2 })), calls, client }
  }
  const columnsIn = async (name: string): Promise<readonly TableColumn[]> =>
    (await server.client.openTable(`${server.database}.${name}`)).columns
  const namesIn = async (name: string): Promise<readonly string[]> => (await columnsIn(name)).map((column) => column.name).toSorted()
  const columnIn = async (name: string, column: string): Promise<TableColumn | undefined> =>
    (await columnsIn(name)).find((each) => each.name === column)
  const catalogOf = async (name: string): Promise<readonly string[] | undefined> =>
    (await server.adapter.describeTable(name))?.valueColumns.toSorted()

  test('G-114: columns are added, dropped and kept in another way by one call, and rows from before are read', async () => {
    const before = modelOf('together', { note, n, line })
    const first = program()
    await first.db.ensureTables([before])
    const rows = Array.from({ length: 200 }, (_, k) => ({ k, note: `n${k}`, n: k % 3, line: `line ${k}` }))
    await first.db.repository(before).putMany(rows)
    const after = modelOf(
      'together',
      { n, line, more: nullable(text()), state: text({ default: 'open' }) },
      {
        retired: ['note'],
        hints: {
          dropRetired: true,
          columns: {
            k: { encoding: 'plain' },
            n: { encoding: 'runLength', compression: 'lz4' },
            more: { encoding: 'prefix', compression: 'zlib', blockSize: 4096 },
          },
        },
      },
    )
    const next = program()
    await next.db.ensureTables([after])
    expect(next.calls).toEqual([
      [
        { alterColumn: 'k', encoding: 'plain' },
        {
          addColumn: {
            name: 'more',
            type: 'STRING',
            isKey: false,
            isNullable: true,
            encoding: 'prefix',
            compression: 'zlib',
            blockSize: 4096,
          },
        },
        { alterColumn: 'n', encoding: 'runLength', compression: 'lz4' },
        { addColumn: { name: 'state', type: 'STRING', isKey: false, isNullable: true } },
        { dropColumn: 'note' },
      ],
    ])
    expect(await namesIn('together')).toEqual(['k', 'line', 'more', 'n', 'state'])
    expect(await catalogOf('together')).toEqual(['line', 'more', 'n', 'state'])
    expect(await columnIn('together', 'k')).toMatchObject({ encoding: 'plain' })
    expect(await columnIn('together', 'n')).toMatchObject({ encoding: 'runLength', compression: 'lz4' })
    expect(await columnIn('together', 'more')).toMatchObject({ encoding: 'prefix', compression: 'zlib', blockSize: 4096 })
    const read = (await next.db.repository(after).readAll().toArray()) as unknown as { readonly k: number }[]
    expect(read.sort((a, b) => a.k - b.k)).toEqual(
      rows.map(({ k, n: number, line: text }) => ({ k, n: number, line: text, more: null, state: 'open' })),
    )
    await next.db.ensureTables([after])
    expect(next.calls).toHaveLength(1)
  })

  test('G-113: a column that the model says nothing of stays as it is, and auto, default and 0 are what the server is set to', async () => {
    const { db, calls, client } = program()
    const plain = modelOf('by_hand', { line })
    await db.ensureTables([plain])
    await client.alterTable(`${server.database}.by_hand`, [
      { alterColumn: 'line', encoding: 'prefix', compression: 'lz4', blockSize: 8192 },
    ])
    calls.length = 0
    await db.ensureTables([plain, modelOf('by_hand', { line }, { hints: { columns: { line: {} } } })])
    expect(calls).toEqual([])
    await db.ensureTables([modelOf('by_hand', { line }, { hints: { columns: { line: { compression: 'zlib' } } } })])
    expect(await columnIn('by_hand', 'line')).toMatchObject({ encoding: 'prefix', compression: 'zlib', blockSize: 8192 })
    const back = modelOf('by_hand', { line }, { hints: { columns: { line: { encoding: 'auto', compression: 'default', blockSize: 0 } } } })
    await db.ensureTables([back])
    expect(await columnIn('by_hand', 'line')).toMatchObject({ encoding: 'auto', compression: 'default' })
    expect(await columnIn('by_hand', 'line')).not.toHaveProperty('blockSize')
    await db.ensureTables([back])
    expect(calls).toHaveLength(2)
  })

  test('a retired column stays, with its values, unless the model says that it goes', async () => {
    const { db, calls } = program()
    const before = modelOf('kept', { note, n })
    await db.ensureTables([before])
    await db.repository(before).put({ k: 1, note: 'kept', n: 1 })
    for (const hints of [{}, { dropRetired: false }]) await db.ensureTables([modelOf('kept', { n, line }, { retired: ['note'], hints })])
    expect(calls).toHaveLength(1)
    expect(await db.repository(before).get({ k: 1 })).toEqual({ k: 1, note: 'kept', n: 1 })
    await db.ensureTables([modelOf('kept', { n, line }, dropping)])
    expect(await namesIn('kept')).toEqual(['k', 'line', 'n'])
    await db.ensureTables([modelOf('kept', { n, line }, { retired: ['note', 'never', 'rk_bucket'], hints: { dropRetired: true } })])
    expect(calls).toHaveLength(2)
  })

  test('a program that runs with an older model is told that its column is gone, and writes nothing', async () => {
    const old = modelOf('older', { note, n })
    await program().db.ensureTables([old])
    type Older = RepositoryOf<typeof old>
    const calls: Readonly<Record<string, (repository: Older) => unknown>> = {
      put: (repository) => repository.put({ k: 1, note: 'lost', n: 9 }),
      insert: (repository) => repository.insert({ k: 3, note: 'lost', n: 9 }),
      update: (repository) => repository.update({ k: 1 }, { note: 'lost' }),
      'update of another column': (repository) => repository.update({ k: 1 }, { n: 9 }),
      delete: (repository) => repository.delete({ k: 1 }),
      get: (repository) => repository.get({ k: 1 }),
      scan: (repository) => repository.scan({ k: 1 }).toArray(),
      readAll: (repository) => repository.readAll().toArray(),
    }
    // A program for each call, all of which have looked at the table before.
    const running = Object.entries(calls).map(([what, call]) => [what, call, program().db.repository(old)] as const)
    const [[, , repository]] = running as [(typeof running)[number]]
    await repository.putMany([1, 2].map((k) => ({ k, note: 'a', n: k })))
    for (const [, , each] of running) expect(await each.get({ k: 2 })).toEqual({ k: 2, note: 'a', n: 2 })
    const newer = modelOf('older', { n }, dropping)
    const { db } = program()
    await db.ensureTables([newer])
    for (const [what, call, each] of running) {
      const error = await refusalOf(() => call(each))
      expect([what, isRowkeyError(error) && error.code]).toEqual([what, 'SCHEMA_MISMATCH'])
      expect(String(error)).toContain("column 'note' is not in the table any more")
    }
    const all = (await db.repository(newer).readAll().toArray()) as unknown as { readonly k: number }[]
    expect(all.sort((a, b) => a.k - b.k)).toEqual([
      { k: 1, n: 1 },
      { k: 2, n: 2 },
    ])
    // The same by many writes at once.
    const many = [7, 8].map((k) => ({ k, note: 'lost', n: k }))
    const failed = { kind: 'failed', cause: { code: 'SCHEMA_MISMATCH' } }
    expect(await refusalOf(() => repository.putMany(many))).toMatchObject({
      code: 'WRITE_INCOMPLETE',
      details: { outcomes: [failed, failed] },
    })
    expect(await db.repository(newer).readAll().count()).toBe(2)
  })

  test('programs without the column go on when it is dropped in the middle of their work, also those that cleared it', async () => {
    const [old, newer] = [modelOf('going', { note, n }), modelOf('going', { n }, { retired: ['note'] })]
    const { db: first } = program()
    await first.ensureTables([old])
    await first.repository(old).put({ k: 1, note: 'a', n: 1 })
    const running = program().db.repository(newer)
    await running.put({ k: 2, n: 2 })
    expect(await running.get({ k: 1 })).toEqual({ k: 1, n: 1 })
    const reading = running.readAll()[Symbol.asyncIterator]()
    await reading.next()
    await program().db.ensureTables([modelOf('going', { n, line }, dropping)])
    await running.put({ k: 3, n: 3 })
    await running.putMany([4, 5, 6].map((k) => ({ k, n: k })))
    await running.update({ k: 1 }, { n: 10 })
    await running.delete({ k: 2 })
    expect(await running.get({ k: 1 })).toEqual({ k: 1, n: 10 })
    expect(await running.readAll().count()).toBe(5)
    for (let step = await reading.next(); step.done !== true; step = await reading.next()) expect(step.value).toHaveProperty('n')
  })

  test('writes that are under way while columns come and go are all done, and none is lost', async () => {
    const running = modelOf('busy', { n }, { retired: ['note'] })
    await program().db.ensureTables([modelOf('busy', { note, n })])
    const repository = program().db.repository(running)
    let count = 0
    let isOver = false
    const writer = async (from: number): Promise<void> => {
      for (let k = from; !isOver; k += 8) {
        await (k % 16 < 8 ? repository.put({ k, n: k }) : repository.putMany([{ k, n: k }]))
        count++
      }
    }
    const writers = Array.from({ length: 8 }, (_, from) => writer(from))
    for (let round = 0; round < 5; round++) {
      await program().db.ensureTables([modelOf('busy', { n }, dropping)])
      await program().db.ensureTables([modelOf('busy', { note, n })])
    }
    isOver = true
    await Promise.all(writers)
    const read = (await repository.readAll().toArray()) as unknown as readonly { readonly k: number; readonly n: number }[]
    expect(count).toBeGreaterThan(10)
    expect(read).toHaveLength(count)
    expect(read.filter((row) => row.k !== row.n)).toEqual([])
  })

  test('G-114: ranges are added by the same call as columns, also if several programs do so at once', async () => {
    const ranged = (ahead: number, values: Readonly<Record<string, ColumnType>>, more: More = {}): TableSchema =>
      defineTable('ranged', {
        columns: { k: int32(), at: timestamp('ms'), ...values },
        key: ['k', 'at'],
        salt,
        retired: more.retired ?? [],
        stores: { kudu: { range: { of: 'at', every: 'day', ahead }, ...more.hints } },
      } as never)
    await program().db.ensureTables([ranged(1, { note, n })])
    const programs = [program(), program(), program(), program()]
    const after = ranged(5, { n, line }, { ...dropping, hints: { dropRetired: true, columns: { n: { encoding: 'plain' } } } })
    await Promise.all(programs.map(({ db }) => db.ensureTables([after])))
    const kinds = programs.flatMap(({ calls }) => calls).map((changes) => changes.map((change) => Object.keys(change)[0]))
    expect(kinds).toContainEqual(['addColumn', 'alterColumn', 'dropColumn', 'addRange', 'addRange', 'addRange', 'addRange'])
    expect(await namesIn('ranged')).toEqual(['at', 'k', 'line', 'n'])
    const further = ranged(9, { n, line }, dropping)
    await Promise.all([1, 2, 3, 4].map(() => program().db.ensureTables([further])))
    const { db } = program()
    const rows = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((day) => ({ k: day, at: new Date(Date.now() + day * 86_400_000), n: day, line: null }))
    await db.repository(after).putMany(rows)
    expect(await db.repository(after).readAll().count()).toBe(10)
  })

  test('an older program that starts again adds its column without the old values, and the newer one drops it again', async () => {
    const [old, newer] = [modelOf('again', { note, n }), modelOf('again', { n }, dropping)]
    const { db: first } = program()
    await first.ensureTables([old])
    await first.repository(old).put({ k: 1, note: 'old', n: 1 })
    await program().db.ensureTables([newer])
    const unprepared = await refusalOf(() => program().db.repository(old).get({ k: 1 }))
    expect(unprepared).toMatchObject({ code: 'SCHEMA_MISMATCH' })
    const { db: restarted } = program()
    await restarted.ensureTables([old])
    expect(await restarted.repository(old).get({ k: 1 })).toEqual({ k: 1, note: null, n: 1 })
    await restarted.repository(old).put({ k: 2, note: 'new', n: 2 })
    // The first one never noticed: its column has another number now, and the same name and type.
    expect(await first.repository(old).get({ k: 2 })).toEqual({ k: 2, note: 'new', n: 2 })
    await program().db.ensureTables([newer])
    expect(await namesIn('again')).toEqual(['k', 'n'])
    expect(await catalogOf('again')).toEqual(['n'])
  })

  test('an older program whose rows need the column does not start, and nothing is changed', async () => {
    const [old, newer] = [modelOf('needed', { note: text(), n }), modelOf('needed', { n }, dropping)]
    for (const model of [old, modelOf('needed', { note, n }), newer]) await program().db.ensureTables([model])
    const error = await refusalOf(() => program().db.ensureTables([old]))
    expect(error).toMatchObject({ code: 'SCHEMA_MISMATCH' })
    expect(await namesIn('needed')).toEqual(['k', 'n'])
  })

  test('a name may come back with another type', async () => {
    await program().db.ensureTables([modelOf('other', { note, n })])
    await program().db.ensureTables([modelOf('other', { n }, dropping)])
    const { db } = program()
    const numbers = modelOf('other', { n, note: nullable(int32()) })
    await db.ensureTables([numbers])
    await db.repository(numbers).put({ k: 1, n: 1, note: 5 })
    expect(await db.repository(numbers).get({ k: 1 })).toEqual({ k: 1, n: 1, note: 5 })
  })

  test('a call that was cut off between the table and its catalog is finished by the next one, of either model', async () => {
    for (const isOld of [false, true]) {
      const name = `cut_${isOld}`
      const [old, newer] = [modelOf(name, { note, n }), modelOf(name, { n }, dropping)]
      await program().db.ensureTables([old])
      const cut = program()
      const write = cut.client.write.bind(cut.client)
      cut.client.write = () => Promise.reject(new Error('cut off'))
      await expect(cut.db.ensureTables([newer])).rejects.toThrow('cut off')
      cut.client.write = write
      expect([await namesIn(name), await catalogOf(name)]).toEqual([['k', 'n'], ['n', 'note']]) // prettier-ignore
      await program().db.ensureTables([isOld ? old : newer])
      expect([await namesIn(name), await catalogOf(name)]).toEqual(isOld ? [['k', 'n', 'note'], ['n', 'note']] : [['k', 'n'], ['n']]) // prettier-ignore
    }
  })

  test('programs that change one table at the same time all get what they need', async () => {
    for (let round = 0; round < 4; round++) {
      const name = `raced_${round}`
      await program().db.ensureTables([modelOf(name, { note, n })])
      const models = [
        modelOf(name, { n, a: line }, { ...dropping, hints: { dropRetired: true, columns: { n: { compression: 'lz4' } } } }),
        modelOf(name, { n, a: line, b: line }, { ...dropping, hints: { dropRetired: true, columns: { a: { encoding: 'prefix' } } } }),
        modelOf(
          name,
          { n, a: line, b: line, c: line },
          { ...dropping, hints: { dropRetired: true, columns: { b: { encoding: 'plain' } } } },
        ),
        modelOf(name, { n, a: line, b: line, c: line }, dropping),
      ]
      await Promise.all(models.map((model) => program().db.ensureTables([model])))
      expect(await namesIn(name)).toEqual(['a', 'b', 'c', 'k', 'n'])
      expect(await catalogOf(name)).toEqual(['a', 'b', 'c', 'n'])
      expect(await columnIn(name, 'n')).toMatchObject({ compression: 'lz4' })
      expect(await columnIn(name, 'a')).toMatchObject({ encoding: 'prefix' })
      expect(await columnIn(name, 'b')).toMatchObject({ encoding: 'plain' })
    }
  })

  test('older and newer programs that start at the same time agree in the end', async () => {
    for (let round = 0; round < 6; round++) {
      const name = `mixed_${round}`
      const [old, newer] = [modelOf(name, { note, n }), modelOf(name, { n }, dropping)]
      await program().db.ensureTables([old])
      const results = await Promise.allSettled([old, newer, old, newer].map((model) => program().db.ensureTables([model])))
      for (const result of results) {
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'SCHEMA_MISMATCH' })
      }
      await program().db.ensureTables([newer])
      expect([await namesIn(name), await catalogOf(name)]).toEqual([['k', 'n'], ['n']]) // prettier-ignore
    }
  })

  test('a change that the server refuses again and again is refused with its words', async () => {
    const { db, client } = program()
    await db.ensureTables([modelOf('refused', { n })])
    const alter = client.alterTable.bind(client)
    client.alterTable = (table, changes, options) => alter(table, [...changes, { dropColumn: 'nothing' }], options)
    const error = await refusalOf(() => db.ensureTables([modelOf('refused', { n, line })]))
    expect(error).toMatchObject({ code: 'STORE_REFUSED' })
    expect(String((error as { readonly cause?: unknown }).cause)).toContain('The specified column does not exist: nothing')
    expect(await namesIn('refused')).toEqual(['k', 'n'])
  })
})
