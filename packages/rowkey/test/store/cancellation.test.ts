import { Cancellation, inTime } from '#store/adapter'
import { getEventListeners } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

const never = (): Promise<never> => new Promise(() => undefined)
const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length
/** What a promise is by now. */
const stateOf = async (promise: Promise<unknown>): Promise<unknown> =>
  Promise.race([promise.catch((error: unknown) => ({ error })), Promise.resolve('pending')])

describe('CANCEL-1: time', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('CANCEL-1: a deadline is by its own clock, which is read once and may be set afterwards', async () => {
    let now = 1_000_000
    const cancellation = new Cancellation({ deadline: 1_000_500, clock: () => now })
    const waiting = cancellation.race(never())
    const ended = stateOf(waiting)
    now = 9_000_000
    expect([cancellation.isOver, cancellation.remaining]).toEqual([false, 500])
    vi.setSystemTime(0)
    await vi.advanceTimersByTimeAsync(499)
    expect([cancellation.isOver, cancellation.reason, await ended]).toEqual([false, undefined, 'pending'])
    await vi.advanceTimersByTimeAsync(1)
    await expect(waiting).rejects.toMatchObject({ code: 'DEADLINE', details: { deadline: 1_000_500 } })
    expect([cancellation.isOver, cancellation.isLate, cancellation.remaining]).toEqual([true, true, 0])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('CANCEL-1: a deadline further away than a timer reaches is kept', async () => {
    const days = 86_400_000
    const cancellation = new Cancellation({ deadline: 40 * days, clock: () => 0 })
    const waiting = cancellation.race(never())
    waiting.catch(() => undefined)
    await vi.advanceTimersByTimeAsync(40 * days - 1)
    expect(cancellation.isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await expect(waiting).rejects.toMatchObject({ code: 'DEADLINE' })
  })

  test('CANCEL-1: one that has passed is over from the start; a clock that throws is heard', async () => {
    const late = new Cancellation({ deadline: 0, clock: () => 0 })
    expect([late.isOver, late.isLate]).toEqual([true, true])
    await expect(late.race(Promise.resolve(1))).rejects.toMatchObject({ code: 'DEADLINE' })
    expect(() => new Cancellation({ deadline: 1, clock: () => { throw new Error('broken') } })).toThrow('broken') // prettier-ignore
  })

  test.each([NaN, Infinity, -Infinity, 1e16])('CANCEL-1: %s is no time, neither as a deadline nor by a clock', (time) => {
    const refused = expect.objectContaining({ code: 'INVALID_OPTION' }) as Error
    expect(() => new Cancellation({ deadline: time })).toThrow(refused)
    expect(() => new Cancellation({ deadline: 1, clock: () => time })).toThrow(refused)
  })

  test('WRITE-10: a pause ends with the call', async () => {
    const cancellation = new Cancellation({ deadline: 100, clock: () => 0 })
    const [short, long] = [cancellation.pause(50), cancellation.pause(5000)]
    long.catch(() => undefined)
    await vi.advanceTimersByTimeAsync(50)
    await short
    await vi.advanceTimersByTimeAsync(50)
    await expect(long).rejects.toMatchObject({ code: 'DEADLINE' })
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('CANCEL-3: what comes first decides', () => {
  test('CANCEL-3: an answer in time is the answer, a failure in time the failure', async () => {
    const cancellation = new Cancellation({ signal: new AbortController().signal, deadline: 3_600_000, clock: () => 0 })
    expect(await cancellation.race(Promise.resolve(7))).toBe(7)
    await expect(cancellation.race(Promise.reject(new Error('disk')))).rejects.toThrow('disk')
    expect(await inTime(undefined, Promise.resolve(8))).toBe(8)
  })

  test('CANCEL-3: a failure after the end is the end, whatever brought it about', async () => {
    const controller = new AbortController()
    const cancellation = new Cancellation({ signal: controller.signal })
    let fail = (_: Error): void => undefined
    const raced = cancellation.race(new Promise((_, reject) => (fail = reject)))
    const reason = new Error('enough')
    controller.abort(reason)
    fail(Object.assign(new Error('The operation was aborted'), { name: 'AbortError' }))
    await expect(raced).rejects.toBe(reason)
  })

  test('CANCEL-3: once it has ended by its deadline, a later abort changes nothing, and the other way round', () => {
    const controller = new AbortController()
    const late = new Cancellation({ signal: controller.signal, deadline: 0, clock: () => 0 })
    expect(late.isLate).toBe(true)
    controller.abort(new Error('later'))
    expect([late.isLate, late.reason]).toEqual([true, expect.objectContaining({ code: 'DEADLINE' })])
    const aborted = new Cancellation({ signal: AbortSignal.abort('first'), deadline: 0, clock: () => 0 })
    expect([aborted.isOver, aborted.isLate, aborted.reason]).toEqual([true, false, 'first'])
    expect(() => aborted.throwIfOver()).toThrow('first')
  })

  test('CANCEL-3: cancel() ends it by hand, once', async () => {
    const left = new Cancellation()
    const waiting = left.race(never())
    left.cancel('gone')
    left.cancel('again')
    await expect(waiting).rejects.toBe('gone')
  })

  test('CANCEL-3: an abort that nobody has looked at yet comes before cancel()', () => {
    const controller = new AbortController()
    const cancellation = new Cancellation({ signal: controller.signal, deadline: 3_600_000, clock: () => 0 })
    controller.abort('enough')
    cancellation.cancel('too late')
    expect([cancellation.isLate, cancellation.reason]).toEqual([false, 'enough'])
  })

  test('CANCEL-2: a client that takes a signal gets one of its own, which ends with the call', async () => {
    const controller = new AbortController()
    const cancellation = new Cancellation({ signal: controller.signal })
    expect(await cancellation.withSignal(async (signal) => signal.aborted)).toBe(false)
    let seen: AbortSignal | undefined
    const call = cancellation.withSignal((signal) => ((seen = signal), never()))
    expect(seen).not.toBe(controller.signal)
    controller.abort('enough')
    await expect(call).rejects.toBe('enough')
    expect(seen?.reason).toBe('enough')
    await expect(cancellation.withSignal(async (signal) => signal.aborted)).rejects.toBe('enough')
  })
})

describe('CANCEL-4: one listener', () => {
  test('CANCEL-4: 10,000 calls on one signal have one listener, which goes with the last of them, and warn of nothing', async () => {
    const warnings: unknown[] = []
    const warn = (warning: unknown): void => void warnings.push(warning)
    process.on('warning', warn)
    const controller = new AbortController()
    const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    const before = timers()
    const answers: ((value: number) => void)[] = []
    const calls = Array.from({ length: 10_000 }, () =>
      new Cancellation({ signal: controller.signal, deadline: 3_600_000, clock: () => 0 }).race(
        new Promise<number>((resolve) => answers.push(resolve)),
      ),
    )
    expect(listenersOf(controller.signal)).toBe(1)
    answers.forEach((answer, i) => answer(i))
    expect((await Promise.all(calls)).at(-1)).toBe(9999)
    expect([listenersOf(controller.signal), timers() - before]).toEqual([0, 0])
    const more = Array.from({ length: 100 }, () => new Cancellation({ signal: controller.signal }).race(never()))
    controller.abort('enough')
    for (const call of await Promise.allSettled(more)) expect(call).toEqual({ status: 'rejected', reason: 'enough' })
    expect(listenersOf(controller.signal)).toBe(0)
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', warn)
    expect(warnings).toEqual([])
  })

  test('CANCEL-4: a listener that leaves another one behind it, or leaves twice, takes only itself away', async () => {
    const controller = new AbortController()
    const cancellation = new Cancellation({ signal: controller.signal })
    const heard: string[] = []
    const leave = cancellation.onOver(() => heard.push('first'))
    cancellation.onOver(() => heard.push('second'))
    leave()
    leave()
    expect(listenersOf(controller.signal)).toBe(1)
    controller.abort()
    controller.abort()
    expect(heard).toEqual(['second'])
    cancellation.onOver(() => heard.push('at once'))
    expect(heard).toEqual(['second', 'at once'])
  })

  test('CANCEL-2: a time-out that nobody else holds is not collected while a call waits for it', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const waiting = new Cancellation({ signal: AbortSignal.timeout(200) }).race(never())
    const clearing = setInterval(collect, 20)
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' })
    clearInterval(clearing)
  })
})
