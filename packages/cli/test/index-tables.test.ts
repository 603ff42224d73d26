import { expect, test } from 'vitest'
import { project } from './command.js'

const models = (indexes: string): string => `
import { defineTable } from 'rowkey'
import { text, uint32 } from 'rowkey/codec'
export const Orders = defineTable('orders', { columns: { no: uint32(), buyer: text() }, key: ['no']${indexes} })
`
const { rowkey, write } = project({
  'src/models.ts': models(", indexes: { byBuyer: { key: ['buyer'] } }"),
  'src/before.ts': models(''),
  'rowkey.config.json': '{ "models": ["src/models.ts"] }',
})
const at = ['--url', 'lmdb:data']

test('an index of a table with rows is built, verified and dropped', async () => {
  write('rows.ndjson', Array.from({ length: 20 }, (_, no) => `{"no":${no},"buyer":"b${no % 3}"}\n`).join(''))
  expect(await rowkey(['import', 'Orders', 'rows.ndjson', '--create', '--models', 'src/before.ts', ...at])).toMatchObject({ code: 0 })
  expect(await rowkey(['index', 'build', 'Orders', 'byBuyer', ...at])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('INDEX_NOT_READABLE') as string,
  })
  write('one.ndjson', '{"no":100,"buyer":"b1"}\n')
  expect(await rowkey(['import', 'Orders', 'one.ndjson', '--create', ...at])).toMatchObject({ code: 0 })
  expect(await rowkey(['index', 'verify', 'Orders', 'byBuyer', ...at])).toEqual({
    code: 1,
    stdout: '21 rows, 20 without an entry\n1 entries, 0 stale\n',
    stderr: 'rowkey: 20 rows lack their entry. Give --repair.\n',
  })
  write('other.json', '{"rowkey":1,"command":"copy","state":{}}\n')
  expect((await rowkey(['index', 'build', 'Orders', 'byBuyer', '--checkpoint', 'other.json', ...at])).stderr).toContain(
    'the checkpoint of another command',
  )
  expect(await rowkey(['index', 'build', 'Orders', 'byBuyer', '--checkpoint', 'at.json', ...at])).toEqual({
    code: 0,
    stdout: '',
    stderr: "'byBuyer' of 'orders' has the entries of 21 rows.\n",
  })
  expect(JSON.parse((await rowkey(['index', 'verify', 'Orders', 'byBuyer', '--repair', '--json', ...at])).stdout)).toEqual({
    rowkey: 1,
    table: 'orders',
    index: 'byBuyer',
    entries: 21,
    rows: 21,
    stale: 0,
    removed: 0,
    missing: 0,
    added: 0,
  })
  expect((await rowkey(['index', 'verify', 'Orders', 'byBuyer', '--repair', '--older-than', '1m', ...at])).stderr).toContain(
    'INVALID_OPTION',
  )
  expect((await rowkey(['index', 'drop', 'Orders', 'byBuyer', ...at])).stderr).toContain('Elsewhere, give --yes.')
  expect(await rowkey(['index', 'drop', 'Orders', 'byBuyer', '--yes', ...at])).toMatchObject({ code: 0 })
  expect((await rowkey(['index', 'verify', 'Orders', 'nobody', ...at])).stderr).toMatch(
    /INVALID_OPTION: 'orders' has no index 'nobody'\. It has byBuyer/,
  )
  expect((await rowkey(['index', 'mend', 'Orders', 'byBuyer', ...at])).code).toBe(2)
})
