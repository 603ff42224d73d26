import { int32, nullable, text } from '@rowkey/codec'
import { defineTable, renameTable, type TableSchema } from '@rowkey/model'
import { ensureTable } from '@rowkey/store/engine'
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

  test('NOT_SUPPORTED: a column called __proto__, whose values would be lost, before anything is created', async () => {
    const adapter = server.adapter(server.client())
    const schema = tableOf('__proto__')
    await expect(adapter.ensureTable(schema, undefined)).rejects.toMatchObject({ code: 'NOT_SUPPORTED' })
    expect(await adapter.describeTable(schema.name)).toBe(undefined)
    expect(() => adapter.table(schema, { format: 1, schema: {}, valueColumns: [] })).toThrow("column 'x' of 'odd' is called __proto__")
  })
})
