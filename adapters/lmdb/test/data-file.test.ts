import { uint16 } from 'rowkey/codec'
import { lmdb } from '@rowkey/lmdb'
import type { Mutation } from 'rowkey/adapter'
import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { open as openFile } from 'lmdb'
import { afterAll, expect, test } from 'vitest'
import { Random } from '../../../packages/rowkey/src/conformance/oracle/random.js'
import { drain, open, schemaWith, strong } from '../../../test/kit/schemas.js'
import { churn } from './churn.js'
import { scratchFolder } from '../../../test/kit/folder.js'

const folder = scratchFolder()
afterAll(folder.remove)

const now = 0
const kept = () => schemaWith({ name: 'kept', key: [['k', uint16()]], values: ['v'] })
const fast = (name: string) => lmdb(folder.path(name), { sync: false })
const data = (name: string) => folder.path(`${name}/data.mdb`)
const page = 4096

async function stored(name: string, count: number): Promise<void> {
  const { store, schema } = await open(kept(), fast(name))
  const rows = Array.from({ length: count }, (_, k): Mutation => ({ schema, kind: 'put', row: [k, 'x'.repeat(200)] }))
  await store.write(rows, { now })
  await store.close()
}

const unusable = (reason: string) =>
  expect.objectContaining({ code: 'STORE_UNUSABLE', details: expect.objectContaining({ reason }) as object }) as Error

/** The pages that the newest state of a file speaks of. */
function pagesOf(name: string): number {
  const bytes = readFileSync(data(name))
  const [a = 0, b = 0] = [0, page].map((at) => Number(bytes.readBigUInt64LE(at + 152)))
  return Number(bytes.readBigUInt64LE((a > b ? 0 : page) + 144)) + 1
}

test('a data file that is cut short anywhere: refused, LMDB would end the process when it reads behind the end', async () => {
  await stored('whole', 5000)
  const { size } = statSync(data('whole'))
  expect(size).toBeGreaterThan(200 * page)
  await stored('cut', 1)
  for (const left of [2 * page, 3 * page, Math.floor(size / 2), size - page, size - 1]) {
    writeFileSync(data('cut'), readFileSync(data('whole')).subarray(0, left))
    expect(() => fast('cut'), `${left} of ${size} bytes`).toThrow(unusable('damaged'))
  }
  writeFileSync(data('cut'), readFileSync(data('whole')))
  const { store, table } = await open(kept(), fast('cut'))
  expect(await drain(table.fullScan(undefined, strong), 1000)).toHaveLength(5000)
  await store.close()
})

test('a data file that ends before its last pages because they are free is whole', async () => {
  await stored('copy', 1)
  let shorter = 0
  for (let seed = 1; seed < 200 && shorter < 2; seed++) {
    const random = new Random(seed)
    const name = `free ${seed}`
    const { store, schema } = await open(kept(), fast(name))
    const rows = new Map<number, string>()
    for (let turn = 0; turn < 12; turn++) {
      await store.write(churn(schema, random, 1500, rows), { now })
      const { size } = statSync(data(name))
      if (size >= pagesOf(name) * page) continue
      shorter++
      writeFileSync(data('copy'), readFileSync(data(name)))
      const copy = await open(kept(), fast('copy'))
      expect(await drain(copy.table.fullScan(undefined, strong), 1000)).toEqual([...rows].sort(([a], [b]) => a - b))
      await copy.store.close()
      truncateSync(data('copy'), size >> 1)
      expect(() => fast('copy')).toThrow(unusable('damaged'))
      break
    }
    await store.close()
  }
  expect(shorter, 'files that ended early').toBe(2)
})

test('a folder that is removed while it is open is not opened again over the file that is gone', async () => {
  const { store, schema, table } = await open(kept(), fast('removed'))
  await store.write([{ schema, kind: 'put', row: [1, 'old'] }], { now })
  rmSync(folder.path('removed'), { recursive: true })
  expect(() => fast('removed')).toThrow(unusable('path'))
  expect(table.get([[1]], strong)).toEqual([[1, 'old']])
  await stored('other', 3)
  writeFileSync(data('removed'), readFileSync(data('other')))
  expect(() => fast('removed')).toThrow(unusable('path'))
  await store.close()
  const next = await open(kept(), fast('removed'))
  expect(await drain(next.table.fullScan(undefined, strong))).toHaveLength(3)
  await next.store.close()
})

/** Writes past the adapter. */
async function put(name: string, key: string, value: string): Promise<void> {
  const file = openFile<Buffer, Buffer>(folder.path(name), { keyEncoding: 'binary', encoding: 'binary', noSubdir: false })
  await file.put(Buffer.from(key, 'latin1'), Buffer.from(value))
  await file.close()
}

test.each(['{"form', '[]', '3', '{"format":1,"schema":{}}'])('a catalog %s: STORE_UNUSABLE for whoever needs it', async (json) => {
  await stored(`catalog ${json}`, 1)
  await put(`catalog ${json}`, '\0\0\0\0\u0001kept', json)
  const store = fast(`catalog ${json}`)
  const damaged = expect.objectContaining({
    code: 'STORE_UNUSABLE',
    message: expect.stringMatching(/catalog of table 'kept' .* Restore/) as string,
    details: expect.objectContaining({ reason: 'damaged' }) as object,
  }) as Error
  await expect(store.describeTable('kept')).rejects.toThrow(damaged)
  await expect(store.ensureTable(kept())).rejects.toThrow(damaged)
  await expect(store.dropTable('kept')).rejects.toThrow(damaged)
  await store.ensureTable(schemaWith({ name: 'beside', key: [['k', uint16()]] }))
  await store.close()
})

test('a header without the number of the next table: refused', async () => {
  await stored('header', 1)
  await put('header', '\0\0\0\0\0', '{"store":"rowkey","format":1}')
  expect(() => fast('header')).toThrow(unusable('damaged'))
})
