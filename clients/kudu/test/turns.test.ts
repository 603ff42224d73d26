import { expect, test } from 'vitest'
import { Turns } from '../src/tablets/turns.js'
import { Waiting } from '../src/transport/waiting.js'
import { failureOf } from './cluster.js'

test('48 at a time, the others in their order, without those whose time is over', async () => {
  const turns = new Turns()
  const waiting = new Waiting('test', {}, 60_000)
  for (let index = 0; index < 48; index++) expect(turns.take(waiting)).toBeUndefined()
  const done: number[] = []
  const abort = new AbortController()
  const hasty = new Waiting('hasty', { signal: abort.signal }, 60_000)
  const late = turns.take(hasty) as Promise<void>
  const others = Array.from({ length: 100 }, async (_, index) => {
    await turns.take(waiting)
    done.push(index)
  })
  abort.abort()
  expect(await failureOf(late)).toMatchObject({ code: 'ABORTED', isSent: false })
  for (let index = 0; index < 100; index++) turns.give()
  await Promise.all(others)
  expect(done).toEqual(others.map((_, index) => index))
  for (let index = 0; index < 48; index++) turns.give()
  for (let index = 0; index < 48; index++) expect(turns.take(waiting)).toBeUndefined()
  expect(turns.take(waiting)).toBeInstanceOf(Promise)
  waiting.end()
})
