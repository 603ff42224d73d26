import { lmdb } from '@rowkey/lmdb'
import { afterAll, expect, test } from 'vitest'
import { failEachCall } from '../../../test/kit/failing-calls.js'
import { scratchFolder } from '../../../test/kit/folder.js'

const folder = scratchFolder()
afterAll(folder.remove)

/** The calls of LMDB by which the adapter reads and writes. */
const calls = [
  'getBinary',
  'getKeys',
  'getRange',
  'doesExist',
  'resetReadTxn',
  'putSync',
  'removeSync',
  'childTransaction',
  'close',
] as const

type Database = Record<(typeof calls)[number], (...given: unknown[]) => unknown>

test('ERR-1: whatever call of LMDB fails, no error of it reaches the application', async () => {
  let count = 0
  const { raw, typed } = await failEachCall([() => new Error('MDB_CORRUPTED')], (turn) => {
    const adapter = lmdb(folder.path(`store${count++}`))
    const { environment } = adapter as unknown as { readonly environment: { readonly db: Database } }
    for (const call of calls) {
      const own = environment.db[call].bind(environment.db)
      environment.db[call] = (...given) => {
        const failure = turn()
        if (failure !== undefined) throw failure
        return own(...given)
      }
    }
    return Promise.resolve({ adapter, close: () => undefined })
  })
  expect(raw).toEqual([])
  expect(typed).toBeGreaterThan(50)
}, 120_000)
