import { Cancellation, pauseMs, RowkeyError, type Outcome, type ReadOptions, type Row, type TableStore } from '#store/adapter'
import { writeAtomic, writeMany, writeOne } from '#store/write'
import { describe, expect, test, vi } from 'vitest'
import { codeOf, refusalOf } from '../../../../test/kit/refusal.js'
import {
  applied,
  insert,
  put,
  recognised,
  remove,
  rewrite,
  scene,
  sending,
  unknown,
  unprocessed,
  update,
  type Scene,
} from './write-sending.js'

describe('WRITE-10: one write', () => {
  test('WRITE-10: what the store did not get to is sent again after pauses that double, until it is applied', async () => {
    const { writer, pauses, batches } = scene({ answers: [[unprocessed], [unprocessed], [unprocessed], [applied]] })
    await writeOne(writer, insert('a'), sending)
    expect(batches).toEqual(Array.from({ length: 4 }, () => ['insert p/a']))
    expect(pauses).toEqual([12, 25, 50])
  })

  test('WRITE-10: after the last attempt it is WRITE_FAILED, and may be repeated', async () => {
    const { writer, pauses, batches } = scene({ answers: [[unprocessed]] })
    const { code, details } = await refusalOf(() => writeOne(writer, update('a'), sending))
    expect([code, details['repeatable'], batches.length, pauses.length]).toEqual(['WRITE_FAILED', true, 8, 7])
    const once = scene({ answers: [[unprocessed]] })
    expect(await codeOf(() => writeOne(once.writer, put('a'), { now: 0, attempts: 1 }))).toBe('WRITE_FAILED')
    expect([once.batches.length, once.pauses]).toEqual([1, []])
  })

  test('WRITE-10: a deadline that passes in the pause is the end', async () => {
    const cancellation = new Cancellation({ deadline: 30, clock: () => 0 })
    const { writer, batches } = scene({ answers: [[unprocessed]] })
    const sleepless = { ...writer, sleep: () => new Promise<void>(() => undefined) }
    const { code, details } = await refusalOf(() => writeOne(sleepless, put('a'), { ...sending, cancellation }))
    expect([code, details]).toEqual(['DEADLINE', { table: 'things', deadline: 30, outcomes: [{ index: 0, kind: 'unprocessed' }] }])
    expect(batches.length).toBe(1)
  })

  test('WRITE-10: a pause longer than the time that is left ends nothing else that the call has under way', async () => {
    const cancellation = new Cancellation({ deadline: 60_000, clock: () => 0 })
    const { writer, pauses } = scene({ answers: [[unprocessed], [applied]] })
    vi.spyOn(cancellation, 'remaining', 'get').mockReturnValue(5) // the first pause takes 12
    await writeOne(writer, put('a'), { ...sending, cancellation })
    expect([pauses, cancellation.isOver]).toEqual([[12], false])
  })

  test('WRITE-10: an aborted signal rejects with its reason, before and between attempts', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const { writer, batches } = scene({ answers: [[unprocessed]], onSleep: () => controller.abort(reason) })
    const signalled = { ...sending, cancellation: new Cancellation({ signal: controller.signal }) }
    await expect(async () => writeOne(writer, put('a'), signalled)).rejects.toBe(reason)
    expect(batches.length).toBe(1)
    await expect(async () => writeOne(writer, put('a'), signalled)).rejects.toBe(reason)
    await expect(async () => writeMany(writer, [put('a')], signalled)).rejects.toBe(reason)
    expect(batches.length).toBe(1)
  })

  test('WRITE-10: what surely was not applied for a reason is not sent again', async () => {
    const outcomes: [Outcome, string][] = [
      [{ kind: 'conflict' }, 'ROW_EXISTS'],
      [{ kind: 'missing' }, 'ROW_NOT_FOUND'],
      [{ kind: 'failed', cause: 'too large' }, 'WRITE_FAILED'],
    ]
    for (const [outcome, code] of outcomes) {
      const { writer, batches } = scene({ answers: [[outcome]] })
      expect(await codeOf(() => writeOne(writer, insert('a'), sending))).toBe(code)
      expect(batches.length).toBe(1)
    }
  })
})

describe('WRITE-11: an outcome that is not known', () => {
  test.each([put('a'), remove('a')])(
    'WRITE-11: $kind is not sent again, for others may have written since, unless that is allowed',
    async (mutation) => {
      const { writer, batches } = scene({ answers: [[unknown], [applied]] })
      const { code, message } = await refusalOf(() => writeOne(writer, mutation, sending))
      expect([code, batches.length]).toEqual(['OUTCOME_UNKNOWN', 1])
      expect(message).toContain("retry: { onUnknown: 'resend' }")
      const allowed = scene({ answers: [[unknown], [unprocessed], [applied]], resendsUnknown: true })
      await writeOne(allowed.writer, mutation, sending)
      expect(allowed.batches.length).toBe(3)
    },
  )

  test.each([insert('a'), update('a'), { ...put('a'), version: 'v1' }, { ...remove('a'), version: 'v1' }])(
    'WRITE-11: $kind with a condition is not, unless the adapter recognises it',
    async (mutation) => {
      const { writer, batches } = scene({ answers: [[unknown], [applied]], resendsUnknown: true })
      expect(await codeOf(() => writeOne(writer, mutation, sending))).toBe('OUTCOME_UNKNOWN')
      expect(batches.length).toBe(1)
      const knowing = scene({ answers: [[recognised], [applied]] })
      await writeOne(knowing.writer, mutation, sending)
      expect(knowing.batches.length).toBe(2)
    },
  )

  test('WRITE-11: no answer, or too many, is nothing to go by', async () => {
    for (const answer of [[], [applied, applied, applied]]) {
      const { writer } = scene({ answers: [answer] })
      expect(await codeOf(() => writeMany(writer, [put('a'), put('b')], sending))).toBe('WRITE_INCOMPLETE')
    }
  })

  test.each(['insert', 'put', 'update'] as const)('WRITE-11: %s of a versioned row is settled by reading it back', async (kind) => {
    const version = kind === 'insert' ? undefined : 'v1'
    const mine = scene({ answers: [[unknown]], found: 'v2' })
    await writeOne(mine.writer, rewrite(kind, 'v2', version), sending)
    expect(mine.batches.length).toBe(1)
    await writeMany(mine.writer, [rewrite(kind, 'v2', version)], sending)
    // Another version, or no row: it may have been overwritten, or come later.
    for (const found of ['v1', 'v3', undefined]) {
      const { writer } = scene({ answers: [[unknown]], ...(found === undefined ? {} : { found }) })
      expect(await codeOf(() => writeOne(writer, rewrite(kind, 'v2', version), sending))).toBe('OUTCOME_UNKNOWN')
    }
  })

  test('WRITE-11: many are settled by one read, each for itself', async () => {
    const { writer } = scene({ answers: [[unknown, applied, unknown, unknown]] })
    const reads: string[] = []
    const get = (keys: readonly Row[]) => {
      reads.push(keys.flat().join())
      return keys.map((key): Row | undefined => (key[0] === 'd' ? undefined : [...key, null, 'v1']))
    }
    const rows = ['a', 'b', 'c', 'd'].map((id) => ({
      ...rewrite('put', id === 'c' ? 'v2' : 'v1'),
      row: [id, null, id === 'c' ? 'v2' : 'v1'],
    }))
    const storeOf = () => ({ get }) as unknown as TableStore
    const { details } = await refusalOf(() => writeMany({ ...writer, storeOf }, rows, sending))
    expect((details['outcomes'] as { index: number }[]).map(({ index }) => index)).toEqual([2, 3])
    expect(reads).toEqual(['a,c,d'])
  })

  test('WRITE-11: the read that settles ends with the write: nobody waits for it beyond the deadline or an abort', async () => {
    const reason = new Error('enough')
    const limits: (() => { readonly signal?: AbortSignal; readonly deadline?: number; readonly clock?: () => number })[] = [
      () => ({ deadline: 30, clock: () => 0 }),
      () => ({ signal: AbortSignal.timeout(30) }),
      () => ({ signal: AbortSignal.abort(reason) }),
    ]
    for (const make of limits) {
      const limit = make()
      const { writer } = scene({ answers: [[unknown]] })
      const given: ReadOptions[] = []
      const hanging = (_: unknown, read: ReadOptions): Promise<never> => (given.push(read), new Promise(() => undefined))
      const cancellation = new Cancellation(limit)
      const settling = { ...writer, storeOf: () => ({ get: hanging }) as unknown as TableStore }
      const end = await (async () => writeOne(settling, rewrite('insert', 'v2'), { ...sending, cancellation }))().catch(
        (error: unknown) => error,
      )
      if ('deadline' in limit) expect(end).toMatchObject({ code: 'DEADLINE', details: { outcomes: [{ index: 0, kind: 'unknown' }] } })
      else expect(end).toBe(limit.signal?.reason)
      expect(given.map((read) => read.cancellation)).toEqual(limit.signal?.reason === reason ? [] : [cancellation])
    }
  })
})

describe('WRITE-5: leftovers of many', () => {
  test('WRITE-5: only they are sent again, and progress begins the attempts anew', async () => {
    const { writer, batches, pauses } = scene({
      answers: [[applied, unprocessed, recognised], [unprocessed, applied], [unprocessed], [applied]],
    })
    await writeMany(writer, [put('a'), put('b'), put('c')], { now: 0, attempts: 3 })
    expect(batches).toEqual([['put p/a', 'put p/b', 'put p/c'], ['put p/b', 'put p/c'], ['put p/b'], ['put p/b']])
    expect(pauses).toEqual([12, 12, 25])
  })

  test('WRITE-5: what is left in the end is told by the index of its input', async () => {
    const { writer } = scene({ answers: [[{ kind: 'failed', cause: 'x' }, applied, unprocessed], [unprocessed]] })
    const { details } = await refusalOf(() => writeMany(writer, [put('a'), put('b'), put('c'), put('c')], sending))
    expect(details['outcomes']).toEqual([
      { index: 0, kind: 'failed', cause: 'x' },
      { index: 2, kind: 'unprocessed' },
      { index: 3, kind: 'unprocessed' },
    ])
  })
})

test('WRITE-10: pauses are by chance between none and a bound that doubles up to 2 s', () => {
  const most = Array.from({ length: 10 }, (_, i) => pauseMs(i + 1, () => 0.999999))
  expect(most).toEqual([24, 49, 99, 199, 399, 799, 1599, 1999, 1999, 1999])
  expect(pauseMs(9, () => 0)).toBe(0)
})

describe('WRITE-8: what was not known once', () => {
  const failed: Outcome = { kind: 'failed', cause: 'not allowed' }

  test.each([unprocessed, failed])('WRITE-8: stays so when a later attempt is $kind', async (later) => {
    for (const run of [
      (scene: Scene) => writeOne(scene.writer, put('a'), sending),
      (scene: Scene) => writeAtomic(scene.writer, [put('a')], 't', sending),
    ]) {
      const { code, cause } = await refusalOf(() => run(scene({ answers: [[unprocessed], [recognised], [later]] })))
      expect([code, cause]).toEqual(['OUTCOME_UNKNOWN', new Error('socket closed')])
    }
    const { writer } = scene({ answers: [[failed, recognised], [later]] })
    const { details } = await refusalOf(() => writeMany(writer, [put('a'), put('b')], sending))
    expect(details['outcomes']).toEqual([
      { index: 0, ...failed },
      { index: 1, ...unknown },
    ])
  })

  test('WRITE-8: is known when a later attempt is applied, or its condition fails', async () => {
    await writeOne(scene({ answers: [[recognised], [unprocessed], [applied]] }).writer, insert('a'), sending)
    const { writer } = scene({ answers: [[recognised], [{ kind: 'conflict' }]] })
    expect(await codeOf(() => writeOne(writer, insert('a'), sending))).toBe('ROW_EXISTS')
  })
})

describe('WRITE-11: a put that gives a version', () => {
  test('WRITE-11: is not sent again, whatever is allowed: somebody may have written on reading it', async () => {
    for (const run of [
      (scene: Scene) => writeOne(scene.writer, rewrite('put', 'v2'), sending),
      (scene: Scene) => writeMany(scene.writer, [rewrite('put', 'v2')], sending),
    ]) {
      const lost = scene({ answers: [[unknown], [applied]], found: 'v3', resendsUnknown: true })
      expect(await codeOf(() => run(lost))).toMatch(/^(OUTCOME_UNKNOWN|WRITE_INCOMPLETE)$/)
      expect(lost.batches.length).toBe(1)
      const mine = scene({ answers: [[unknown], [applied]], found: 'v2' })
      await run(mine)
      expect(mine.batches.length).toBe(1)
    }
  })
})

describe('ADAPTER-6: an adapter that throws', () => {
  const broken = new Error('socket closed')
  const throwing = (error: unknown) => () => {
    throw error
  }

  test.each(['at once', 'late'])('ADAPTER-6: %s leaves open what became of the batch', async (when) => {
    const failing = (when === 'at once' ? throwing(broken) : () => Promise.reject(broken)) as () => never
    for (const run of [
      (scene: Scene) => writeOne(scene.writer, insert('a'), sending),
      (scene: Scene) => writeAtomic(scene.writer, [insert('a')], 't', sending),
    ]) {
      const { code, cause } = await refusalOf(() => run(scene({ answers: [failing] })))
      expect([code, cause]).toEqual(['OUTCOME_UNKNOWN', broken])
    }
    // The second of two rounds: what is known of the first is kept.
    const { writer } = scene({ answers: [[applied, applied], failing] })
    const { details } = await refusalOf(() => writeMany(writer, [insert('a'), put('b'), update('a')], sending))
    expect(details['outcomes']).toEqual([{ index: 2, kind: 'unknown', cause: broken }])
    const again = scene({ answers: [failing, [applied]], resendsUnknown: true })
    await writeOne(again.writer, put('a'), sending)
    expect(again.batches.length).toBe(2)
  })

  test('ADAPTER-6 WRITE-8: an error of rowkey that comes later takes nothing along of what is known', async () => {
    const closed = new RowkeyError('CLOSED', 'it is closed.', {})
    const then = (...first: Outcome[]) => scene({ answers: [first, throwing(closed)] }).writer
    expect(await codeOf(() => writeOne(then(recognised), put('a'), sending))).toBe('OUTCOME_UNKNOWN')
    expect(await codeOf(() => writeAtomic(then(recognised), [put('a')], 't', sending))).toBe('OUTCOME_UNKNOWN')
    const { details } = await refusalOf(() => writeMany(then(recognised, applied, unprocessed), [put('a'), put('b'), put('c')], sending))
    expect(details['outcomes']).toEqual([
      { index: 0, kind: 'unknown', cause: expect.anything() as unknown },
      { index: 2, kind: 'failed', cause: closed },
    ])
    const rounds = await refusalOf(() => writeMany(then(applied, applied), [insert('a'), put('b'), update('a')], sending))
    expect(rounds.details['outcomes']).toEqual([{ index: 2, kind: 'failed', cause: closed }])
    await expect(async () => writeOne(then(unprocessed), put('a'), sending)).rejects.toBe(closed)
  })

  test('ADAPTER-6: errors of rowkey and the reason of an aborted signal come as they are', async () => {
    const closed = new RowkeyError('CLOSED', 'it is closed.', {})
    const controller = new AbortController()
    const reason = new Error('enough')
    const aborting = () => {
      controller.abort(reason)
      return Promise.reject(reason) as never
    }
    const signalled = { ...sending, cancellation: new Cancellation({ signal: controller.signal }) }
    await expect(async () => writeOne(scene({ answers: [throwing(closed)] }).writer, put('a'), sending)).rejects.toBe(closed)
    await expect(async () => writeOne(scene({ answers: [aborting] }).writer, insert('a'), signalled)).rejects.toBe(reason)
  })
})
