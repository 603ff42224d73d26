import { Cancellation, type Mutation, type Outcome } from '#store/adapter'
import { writeMany } from '#store/write'
import { expect, test } from 'vitest'
import { refusalOf } from '../../../../test/kit/refusal.js'
import { applied, put, scene } from './write-sending.js'

// The rest is tested by write-repeats.test.ts: what becomes of each outcome.

const refusalWith = async (outcome: (reason: unknown) => Outcome) => {
  const cancellation = new Cancellation({ deadline: 500, clock: () => 0 })
  const { writer } = scene({ answers: [] })
  // An adapter that ends with the call: what it sent is open, and the rest was not sent.
  const write = (batch: readonly Mutation[]): Promise<readonly Outcome[]> =>
    cancellation
      .race(new Promise<never>(() => undefined))
      .catch((reason: unknown) => batch.map((_, i) => (i === 0 ? applied : outcome(reason))))
  const late = { ...writer, adapter: { ...writer.adapter, write } }
  return refusalOf(() => writeMany(late, [put('a'), put('b')], { now: 0, attempts: 1, cancellation }))
}

test('WRITE-10 CANCEL-1: an outcome that is open because the deadline passed has no cause but it; another cause is told', async () => {
  const late = await refusalWith((cause) => ({ kind: 'unknown', cause }))
  expect(late).toMatchObject({ code: 'DEADLINE', details: { outcomes: [{ index: 1, kind: 'unknown' }] } })
  expect(late.cause).toBeUndefined()
  const closed = new Error('socket closed')
  const broken = await refusalWith(() => ({ kind: 'unknown', cause: closed }))
  expect(broken).toMatchObject({ code: 'DEADLINE', cause: closed })
})
