import { createMapper, defineTable, kuduHash, type Salt, type TableSchema } from 'rowkey'
import * as codec from 'rowkey/codec'
import { desc, nullable, type ColumnType } from 'rowkey/codec'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startJava, type JavaProgram } from '../../../clients/kudu/test/java.js'
import { withServer } from '../../../test/setup/with-server.js'
import { connect, type Connected } from './connected.js'

/** A column, a value of it, and how the program in Java writes and reads the value: see clients/kudu/test/java/Program.java. */
type Case = readonly [name: string, type: ColumnType, value: unknown, word: string]

const hex = (given: string | Uint8Array): string => `x${Buffer.from(given as string).toString('hex')}`
const bits = (value: number): string => String(new BigUint64Array(Float64Array.of(value).buffer)[0])

const keys: readonly Case[] = [
  ['text', codec.text(), 'a\0ü😀', hex('a\0ü😀')],
  ['bytes', codec.bytes(), Uint8Array.of(0, 255), 'x00ff'],
  ['int8', codec.int8(), -128, '-128'],
  ['uint8', codec.uint8(), 255, '255'],
  ['int16', codec.int16(), -32_768, '-32768'],
  ['int32', codec.int32(), 2 ** 31 - 1, '2147483647'],
  ['uint32', codec.uint32(), 2 ** 32 - 1, '4294967295'],
  ['int64', codec.int64(), -(2n ** 63n), '-9223372036854775808'],
  ['ms', codec.timestamp('ms'), new Date(1_700_000_000_123), '1700000000123000'],
  ['us', codec.timestamp('us'), -1n, '-1'],
  ['ns', codec.timestamp('ns'), 1n, '1'],
  ['day', codec.date(), new Date(20_000 * 86_400_000), '20000'],
  ['decimal', codec.decimal(9, 2), '-1.50', '-150'],
  ['wide', codec.decimal(38, 10), '12345678901234567890.0123456789', '123456789012345678900123456789'],
  ['uuid', codec.uuid(), '00000000-0000-4000-8000-000000000000', hex('00000000-0000-4000-8000-000000000000')],
  ['back', desc(codec.int32()), 5, '-6'],
  ['recent', desc(codec.timestamp('ms')), new Date(1000), '-1001'],
  ['bool', codec.bool(), true, 'x01'],
  ['none', nullable(codec.int8()), null, 'x00'],
]
const values: readonly Case[] = [
  ['v_text', nullable(codec.text()), 'x'.repeat(1000), hex('x'.repeat(1000))],
  ['v_null', nullable(codec.text()), null, '~'],
  ['v_bool', codec.bool(), false, '0'],
  ['v_float', nullable(codec.float32()), 1.5, '1069547520'],
  ['v_double', nullable(codec.float64()), -0.1, bits(-0.1)],
  ['v_nan', nullable(codec.float64()), NaN, bits(NaN)],
  ['v_zero', nullable(codec.float64()), -0, bits(-0)],
  ['v_uint64', nullable(codec.uint64()), 2n ** 64n - 1n, '18446744073709551615'],
  ['v_decimal', nullable(codec.decimal(12, 2)), '0.05', '5'],
  ['v_ms', nullable(codec.timestamp('ms')), new Date(-1), '-1000'],
  ['v_day', nullable(codec.date()), new Date(-86_400_000), '-1'],
  ['v_bytes', nullable(codec.bytes()), Uint8Array.of(), 'x'],
  ['v_json', nullable(codec.json()), { a: [1, 'ü'] }, hex('{"a":[1,"ü"]}')],
]

const modelOf = (name: string, key: readonly Case[], salt: readonly Salt[] = []): TableSchema =>
  defineTable(name, {
    columns: Object.fromEntries([...key, ...values].map(([column, type]) => [column, type])),
    key: key.map(([column]) => column),
    salt,
  } as never)

withServer('kudu', (connection) => {
  let server: Connected
  let java: JavaProgram
  beforeAll(async () => {
    server = await connect(connection)
    java = startJava(connection)
  })
  afterAll(async () => {
    await java.end()
    await server.dispose()
  })

  const row = (cases: readonly Case[]): Record<string, unknown> => Object.fromEntries(cases.map(([name, , value]) => [name, value]))

  /** What the program has to say, in the order of the table. */
  async function wordsOf(model: TableSchema, cases: readonly Case[], bucket: readonly string[] = []): Promise<string> {
    const { columns } = await server.client.openTable(`${server.database}.${model.name}`)
    const words = new Map(cases.map(([name, , , word]) => [name, word]))
    return columns.map(({ name }) => words.get(name) ?? bucket[0] ?? '?').join()
  }

  test.each(keys.map((each) => [each[0], each] as const))(
    'a key of the type %s and values of all types: Java reads what the adapter wrote, and the other way round',
    async (name, key) => {
      const db = createMapper(server.adapter)
      const model = modelOf(`key_${name}`, [key])
      await db.ensureTables([model])
      const repository = db.repository(model)
      const cases = [key, ...values]
      await repository.put(row(cases))
      const word = await wordsOf(model, cases)
      const table = `${server.database}.${model.name}`
      expect(await java.run('read', table)).toBe(word)
      await repository.delete(row([key]))
      expect(await java.run('read', table)).toBe('')
      await java.run('write', table, word)
      expect(await repository.get(row([key]) as never)).toEqual(row(cases))
      expect(await repository.scan({}, { unbounded: true }).toArray()).toEqual([row(cases)])
    },
  )

  test('a table with hash partitions, in which each finds the rows of the other by their keys', async () => {
    const db = createMapper(server.adapter)
    const [tenant, day] = [keys[0], keys[11]] as [Case, Case]
    const model = modelOf(
      'hashed',
      [tenant, day, ...keys.slice(15, 17)],
      [kuduHash({ of: 'text', count: 5 }), kuduHash({ of: 'day', count: 3, seed: 9 })],
    )
    await db.ensureTables([model])
    const repository = db.repository(model)
    const native = await server.client.openTable(`${server.database}.hashed`)
    const word = await wordsOf(model, [tenant, day, ...keys.slice(15, 17), ...values])
    const rows = Array.from({ length: 50 }, (_, i) => ({ ...row([tenant, day, ...keys.slice(15, 17), ...values]), text: `t${i}` }))
    await repository.putMany(rows.slice(0, 25) as never)
    await java.run('write', native.name, ...rows.slice(25).map(({ text }) => word.replace(/^[^,]*/, hex(text))))
    expect(await repository.getMany(rows as never)).toEqual(rows)
    const read = (await java.run('read', native.name)).split(' ')
    expect(read.toSorted()).toEqual(rows.map(({ text }) => word.replace(/^[^,]*/, hex(text))).toSorted())
    for (const each of rows.slice(20, 30)) {
      expect(await repository.scan({ text: each.text, day: day[2] }).toArray()).toEqual([each])
    }
  })

  test('locate() returns the key as other clients name it, with the bucket', async () => {
    const model = defineTable('located', {
      columns: { host: codec.text(), at: desc(codec.timestamp('ms')), n: codec.uint64() },
      key: ['host', 'at', 'n'],
      salt: codec.bucket({ of: 'host', count: 7 }),
    })
    const db = createMapper(server.adapter)
    await db.ensureTables([model])
    const rows = db.repository(model)
    const key = { host: 'web', at: new Date(5), n: 3n }
    await rows.put(key)
    const address = await rows.locate(key)
    expect(address).toEqual({
      table: `${server.database}.located`,
      key: { rk_bucket: rows.encodeKey(key)[0], host: 'web', at: -6, n: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 3) },
    })
    const native = await server.client.openTable(address.table)
    expect(await server.client.get(native, address.key)).toMatchObject({ host: 'web', at: -6n })
  })

  test('what another program wrote that no value of the model is, is UNREADABLE_ROW with its column, and other rows are read', async () => {
    const model = defineTable('foreign', {
      columns: { k: codec.int32(), small: nullable(codec.uint8()), at: nullable(codec.timestamp('ms')) },
      key: ['k'],
    })
    const db = createMapper(server.adapter)
    await db.ensureTables([model])
    const table = `${server.database}.foreign`
    await java.run('write', table, '1,1000000,7', '2,1001,7', '3,1000,256')
    const rows = db.repository(model)
    const { columns } = await server.client.openTable(table)
    expect(columns.map(({ name }) => name)).toEqual(['k', 'at', 'small'])
    expect(await rows.get({ k: 1 })).toEqual({ k: 1, small: 7, at: new Date(1000) })
    await expect(rows.get({ k: 2 })).rejects.toMatchObject({ code: 'UNREADABLE_ROW', details: { column: 'at' } })
    await expect(rows.scan({ k: 3 }).toArray()).rejects.toMatchObject({ code: 'UNREADABLE_ROW', details: { column: 'small' } })
  })
})
