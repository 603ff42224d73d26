import { int32, nullable, text } from 'rowkey/codec'
import { defineTable, renameTable, type TableSchema } from 'rowkey'
import { ensureTable } from 'rowkey/internal'
import { expect, test } from 'vitest'
import { answer, intercept } from './middleware.js'
import { onEachServer, openTable, reopen } from './servers.js'

const strong = { consistency: 'strong' } as const
const tableOf = (physical: string): TableSchema =>
  defineTable('odd', { columns: { k: int32(), x: nullable(text({ name: physical })) }, key: ['k'] })

onEachServer((server) => {
  test.each(['constructor', 'toString', 'hasOwnProperty'])('ROW-5: a column called %s, which every object has', async (physical) => {
    const table = await openTable(server.adapter(server.client()), tableOf(physical))
    const rows = [
      [1, 'a'],
      [2, null],
    ]
    await table.put(...rows)
    expect(await table.store.get([[1], [2]], strong)).toEqual(rows)
    expect(await table.store.get([[2]], { ...strong, columns: [1] })).toEqual([[2, null]])
    await table.write([{ kind: 'update', row: [1, null], set: [1] }])
    expect((await table.store.fullScan(undefined, strong).next(10))?.rows.toSorted()).toEqual([
      [1, null],
      [2, null],
    ])
  })

  test('ADAPTER-6: a table called as what every object has', async () => {
    const client = server.client()
    const adapter = server.adapter(client)
    const schema = renameTable(tableOf('x'), 'constructor')
    await ensureTable(adapter, schema)
    const table = await reopen(adapter, schema)
    await table.put([1, 'x'], [2, 'y'])
    expect(await table.store.get([[1], [2], [3]], strong)).toEqual([[1, 'x'], [2, 'y'], undefined])
    let asked = 0
    intercept(client, ({ operation, input, send }) => {
      if (operation !== 'BatchGetItem' || asked++ > 0) return send()
      return Promise.resolve(answer({ Responses: {}, UnprocessedKeys: input['RequestItems'] as object }))
    })
    expect(await table.store.get([[1], [2]], strong)).toEqual([
      [1, 'x'],
      [2, 'y'],
    ])
    await adapter.dropTable('constructor')
  })

  test.each(['log-events', 'shop.orders', 'a-b.c_9'])('ADAPTER-6: a table called %s, with columns called like it', async (called) => {
    const adapter = server.adapter(server.client())
    const schema = renameTable(tableOf(called), called)
    await ensureTable(adapter, schema)
    const table = await reopen(adapter, schema)
    await table.put([1, 'x'], [2, null])
    expect(await table.store.get([[1], [2]], strong)).toEqual([
      [1, 'x'],
      [2, null],
    ])
    await table.write([{ kind: 'update', row: [2, 'y'], set: [1] }])
    expect(await table.store.get([[2]], strong)).toEqual([[2, 'y']])
    await adapter.dropTable(called)
  })

  test.each(['rk_p', 'rk_s', 'rk_ttl', 'rk_catalog', '__proto__'])(
    'NOT_SUPPORTED: a column called %s, before anything is created',
    async (physical) => {
      const adapter = server.adapter(server.client())
      const schema = tableOf(physical)
      await expect(ensureTable(adapter, schema)).rejects.toMatchObject({ code: 'NOT_SUPPORTED' })
      expect(await adapter.describeTable(schema.name)).toBe(undefined)
      expect(() => adapter.ddl(schema)).toThrow(
        `NOT_SUPPORTED: dynamodb does not accept the name '${physical}' of column 'x' of 'odd': it accepts all but __proto__ and those that begin with rk_.`,
      )
    },
  )

  test('NOT_SUPPORTED: a table name that DynamoDB does not have', () => {
    const adapter = server.adapter(server.client())
    for (const name of ['ab', 'ns:table']) {
      expect(() => adapter.ddl(renameTable(tableOf('x'), name))).toThrow(`dynamodb does not accept the table name '${name}'`)
    }
  })
})
