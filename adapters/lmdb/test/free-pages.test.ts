import { uint16 } from 'rowkey/codec'
import { lmdb } from '@rowkey/lmdb'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { countFree } from '../src/file/free-pages.js'
import { Random } from '../../../packages/rowkey/src/conformance/oracle/random.js'
import { open, schemaWith } from '../../../test/kit/schemas.js'
import { churn } from './churn.js'
import { scratchFolder } from '../../../test/kit/folder.js'

const folder = scratchFolder()
afterAll(folder.remove)

const pageSize = 4096

/** The newest state of a file, as its own first pages count it. */
function stateOf(file: string): { readonly root: bigint; readonly pages: number; readonly there: number; readonly used: number } {
  const bytes = readFileSync(file)
  const number = (at: number): number => Number(bytes.readBigUInt64LE(at))
  const meta = number(152) > number(pageSize + 152) ? 0 : pageSize
  const used = [56, 64, 72, 104, 112, 120].reduce((sum, at) => sum + number(meta + at), 2)
  return { root: bytes.readBigUInt64LE(meta + 88), pages: number(meta + 144) + 1, there: bytes.length / pageSize, used }
}

test('used and free pages together are all pages of a file, whatever was written', async () => {
  const schema = schemaWith({ name: 'kept', key: [['k', uint16()]], values: ['v'] })
  let most = 0
  for (let seed = 1; seed <= 6; seed++) {
    const random = new Random(seed)
    const path = folder.path(String(seed))
    const { store } = await open(schema, lmdb(path, { sync: false }))
    const descriptor = openSync(`${path}/data.mdb`, 'r')
    for (let turn = 0; turn < 15; turn++) {
      await store.write(churn(schema, random, 2500, new Map()), { now: 0 })
      const { root, pages, there, used } = stateOf(`${path}/data.mdb`)
      const count = (from: number, to: number) => countFree({ descriptor, pageSize, there, root, from, to })
      const free = count(0, pages)
      expect(used + (free ?? Number.NaN), `seed ${seed}, turn ${turn}`).toBe(pages)
      const middle = random.below(pages)
      expect((count(0, middle) ?? 0) + (count(middle, pages) ?? 0)).toBe(free)
      most = Math.max(most, free ?? 0)
    }
    closeSync(descriptor)
    await store.close()
  }
  expect(most, 'so many that a list does not fit into its page').toBeGreaterThan(600)
})
