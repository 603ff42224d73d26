import { expect, test, vi } from 'vitest'
import { Stopwatch } from '../../bench/src/measure/stopwatch.js'

/** What the processor's clock says next. */
const clock = vi.hoisted(() => ({ now: 0, perCall: 1000, stands: false }))
vi.mock('../../bench/src/measure/cpu-time.js', () => ({ cpuNanoseconds: () => clock.now }))

const counted: number[] = []
const loop = (calls: number): void => {
  counted.push(calls)
  if (counted.at(-1) === Infinity) throw new Error('it would never end')
  if (!clock.stands) clock.now += calls * clock.perCall
}

test('a clock that stood still for a moment makes no measurement that does not end', async () => {
  const watch = new Stopwatch(loop)
  await watch.warmUp(5000, 3)
  expect((await watch.time(16, 3)).number).toBe(1000)
  const usual = counted.at(-1) as number
  expect(usual).toBe(3000)
  clock.stands = true
  await watch.time(16, 3)
  clock.stands = false
  await watch.time(16, 3)
  expect(counted.at(-1)).toBeLessThanOrEqual(8 * usual)
  expect((await watch.time(16, 3)).number).toBe(1000)
  expect(counted.at(-1)).toBe(3000)
})

test('warming up ends where the clock never moves', async () => {
  clock.stands = true
  await new Stopwatch(loop).warmUp(100, 1)
  expect(counted.length).toBeGreaterThan(0)
})
