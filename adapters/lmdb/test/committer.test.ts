import { RowkeyError } from 'rowkey/adapter'
import { open } from 'lmdb'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { CommitFailure } from '../src/file/committer.js'
import { Committer } from '../src/file/committer.js'
import { scratchFolder } from '../../../test/kit/folder.js'

const folder = scratchFolder()
const db = open<Buffer, Buffer>(folder.path('file'), {
  keyEncoding: 'binary',
  encoding: 'binary',
  noSubdir: false,
  overlappingSync: false,
  eventTurnBatching: false,
  noSync: true,
})
const committer = new Committer(db, 'file', { isBase: () => true })
afterAll(async () => {
  await db.close()
  folder.remove()
})
beforeEach(async () => {
  await committer.submit(() => {
    for (const key of db.getKeys()) db.removeSync(key)
  })
})

const put = (name: string): void => db.putSync(Buffer.from(name), Buffer.from(name))
const names = (): string[] => [...db.getKeys()].map(String)

test('a job that throws in the middle leaves nothing, and those beside it are committed', async () => {
  let runs = 0
  const failing = (cause: Error) =>
    committer.submit(() => {
      runs++
      put(`half ${runs}`)
      throw cause
    })
  const one = (name: string) =>
    committer.submit(() => {
      put(name)
    })
  const typed = new RowkeyError('CORRUPT_ROW', 'x', {})
  const settled = await Promise.allSettled([one('a'), failing(new Error('boom')), failing(typed), one('b')])
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
  const [first, second] = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason as CommitFailure] : []))
  expect(first).toMatchObject({ isUnknown: false, cause: { code: 'STORE_UNUSABLE', cause: { message: 'boom' } } })
  expect(second?.cause).toBe(typed)
  expect(names()).toEqual(['a', 'b'])
})

test('jobs run in order, each sees the ones before it, and heavy ones go into transactions of their own', async () => {
  const seen: string[][] = []
  const job = (name: string, weight: number) =>
    committer.submit(() => {
      seen.push(names())
      put(name)
      return name
    }, weight)
  expect(await Promise.all([job('a', 1), job('b', 5000), job('c', 9000), job('d', 1)])).toEqual(['a', 'b', 'c', 'd'])
  expect(seen).toEqual([[], ['a'], ['a', 'b'], ['a', 'b', 'c']])
  await expect(committer.commit(() => JSON.parse('{') as never)).rejects.toMatchObject({ code: 'STORE_UNUSABLE' })
})

test('after a commit of which nobody knows what became, that one is unknown and all later ones are refused', async () => {
  let begun = 0
  const dying = {
    async childTransaction(run: () => void): Promise<void> {
      begun++
      await Promise.resolve()
      run()
      throw new Error('EIO')
    },
    resetReadTxn: () => undefined,
    getBinary: () => {
      throw new Error('MDB_PANIC')
    },
  } as unknown as typeof db
  const broken = new Committer(dying, 'dying', { isBase: () => true })
  const failures = async (count: number) =>
    (await Promise.allSettled(Array.from({ length: count }, () => broken.submit(() => undefined)))).map(
      (each) => (each as PromiseRejectedResult).reason as CommitFailure,
    )
  const [one, two] = await failures(2)
  for (const failure of [one, two]) expect(failure).toMatchObject({ isUnknown: true, cause: { cause: { message: 'EIO' } } })
  for (const failure of await failures(2)) {
    expect(failure).toMatchObject({ isUnknown: false, cause: { code: 'STORE_UNUSABLE', details: { reason: 'write' } } })
    expect((failure.cause as Error).message).toMatch(/Close it and open it again/)
    expect((failure.cause as Error).cause, 'why').toBe(one?.cause)
  }
  expect(begun).toBe(1)
})
