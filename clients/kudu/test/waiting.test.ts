import { getEventListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Waiting } from '../src/transport/waiting.js'
import { failureOf } from './cluster.js'

test('a call has what is left of its time, over all attempts', async () => {
  await Waiting.during('call', { timeout: 500 }, 60_000, async (waiting) => {
    const { remaining } = waiting
    expect(remaining).toBeLessThanOrEqual(500)
    await waiting.sleep(50)
    expect(waiting.remaining).toBeLessThan(remaining)
  })
})

test('its time ends its pauses, and nothing is left of it', async () => {
  const { signal } = new AbortController()
  let kept: Waiting | undefined
  const error = await failureOf(
    Waiting.during('call', { timeout: 30, signal }, 60_000, (waiting) => {
      kept = waiting
      return waiting.sleep(60_000)
    }),
  )
  expect(error).toMatchObject({ code: 'TIMEOUT', isSent: false, call: 'call' })
  expect(error.message).toBe('call() was not done within 30 ms. It was not sent.')
  expect(kept?.remaining).toBe(0)
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

test('what was sent, or has changed something, is told', async () => {
  for (const mark of [(waiting: Waiting) => waiting.inDoubt++, (waiting: Waiting) => (waiting.hasEffect = true)]) {
    const error = await failureOf(
      Waiting.during('call', { timeout: 20 }, 60_000, (waiting) => {
        mark(waiting)
        return waiting.sleep(60_000)
      }),
    )
    expect(error).toMatchObject({ code: 'TIMEOUT', isSent: true })
    expect(error.message).toContain('It was sent, and the servers may execute it.')
  }
})

test('an abort ends it with its reason', async () => {
  const abort = new AbortController()
  const failing = failureOf(Waiting.during('call', { signal: abort.signal }, 60_000, (waiting) => waiting.sleep(60_000)))
  abort.abort('enough')
  expect(await failing).toMatchObject({ code: 'ABORTED', cause: 'enough' })
  let isCalled = false
  const work = async (): Promise<void> => void (isCalled = true)
  expect(await failureOf(Waiting.during('call', { signal: abort.signal }, 60_000, work))).toMatchObject({ code: 'ABORTED', isSent: false })
  expect(isCalled).toBe(false)
})

test('whoever listens hears it once, unless it left or the call has ended', async () => {
  const heard: string[] = []
  const waiting = new Waiting('call', { timeout: 20 }, 60_000)
  const left = (): void => void heard.push('left')
  waiting.onOver(() => heard.push('first'))
  waiting.onOver(left)
  waiting.leave(left)
  await sleep(60)
  expect(heard).toEqual(['first'])
  const ended = new Waiting('call', { timeout: 20 }, 60_000)
  ended.onOver(() => heard.push('ended'))
  ended.end()
  await sleep(60)
  expect(heard).toEqual(['first'])
})
