import { nullable, text, uint32 } from 'rowkey/codec'
import { lmdb } from '@rowkey/lmdb'
import { defineTable } from 'rowkey'
import type { TableSchema } from 'rowkey/adapter'
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { kinds, open, schemaWith, strong } from '../../../test/kit/schemas.js'
import { build, output, runAndWait, start } from './child.js'
import { scratchFolder } from '../../../test/kit/folder.js'

const folder = scratchFolder()
beforeAll(build, 180_000)
afterAll(folder.remove)

const counters = defineTable('counters', {
  columns: { id: text(), total: nullable(uint32()), ann: nullable(uint32()), bob: nullable(uint32()) },
  key: ['id'],
  version: 'revision',
}) as unknown as TableSchema

test('two processes on one file: no count and no column is lost', async () => {
  const path = folder.path('counted')
  const count = 300
  const ended = await Promise.all(['ann', 'bob'].map((name) => output(start('counting.mjs', [path, name, String(count)]))))
  expect(ended.map(({ code, errors }) => ({ code, errors }))).toEqual([
    { code: 0, errors: '' },
    { code: 0, errors: '' },
  ])
  const { store, table } = await open(counters, lmdb(path))
  const [row] = await table.get([['shared']], strong)
  const value = (physical: string) => row?.[counters.columns.findIndex((column) => column.physical === physical)]
  expect([value('total'), value('ann'), value('bob')]).toEqual([2 * count, count, count])
  await store.close()
})

test('what another process has written is seen by the next read, without a turn between, and what it drops is gone', async () => {
  const path = folder.path('seen')
  const schema = schemaWith({ name: 'counters', key: [['id', text()]], values: ['v'] })
  const { store, table } = await open(schema, lmdb(path))
  expect(table.get([['shared']], strong)).toEqual([undefined])
  runAndWait('dropping.mjs', [path])
  const missing = expect.objectContaining({ code: 'TABLE_NOT_FOUND' }) as Error
  expect(() => table.get([['shared']], strong)).toThrow(missing)
  expect(() => table.fullScan(undefined, strong).next(1)).toThrow(missing)
  expect(await kinds(store.write([{ schema, kind: 'put', row: ['x', 'y'] }], { now: 0 }))).toEqual(['failed'])
  await store.close()
})

test.runIf(existsSync('/bin/bash'))('a file that cannot grow: what does not fit fails with a reason, the rest goes on', async () => {
  const limited = ['bash', '-c', 'ulimit -f 4000; exec "$@"', 'bash']
  const { code, lines } = await output(start('filling.mjs', [folder.path('full')], limited))
  expect(code).toBe(0)
  const said = JSON.parse(lines.at(-1) ?? '') as { written: number; refused: { message: string } }
  expect(said).toMatchObject({
    refused: { kind: 'failed', code: 'STORE_UNUSABLE', reason: 'write' },
    present: [false, false, true, false],
    large: [['failed'], ['failed'], ['failed']],
    small: 'applied',
    dropped: 'applied',
  })
  expect(said.written).toBeGreaterThan(50)
  expect(said.refused.message).toMatch(/could not be written: .*Free disk space/)
})
