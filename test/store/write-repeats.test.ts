import { pauseMs, timerSleep, writeMany, writeOne, type Outcome } from '@rowkey/store'
import { describe, expect, test } from 'vitest'
import { codeOf, refusalOf } from './refusal.js'
import { applied, insert, put, remove, rewrite, scene, sending, unknown, unprocessed, update } from './write-sending.js'

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

  test('WRITE-10: a deadline that would pass in the pause is the end', async () => {
    const { writer, batches } = scene({ answers: [[unprocessed]], stepMs: 100 })
    expect(await codeOf(() => writeOne(writer, put('a'), { ...sending, deadline: 1320 }))).toBe('WRITE_FAILED')
    expect(batches.length).toBe(3)
  })

  test('WRITE-10: an aborted signal rejects with its reason, before and between attempts', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const { writer, batches } = scene({ answers: [[unprocessed]], onSleep: () => controller.abort(reason) })
    const signalled = { ...sending, signal: controller.signal }
    await expect(async () => writeOne(writer, put('a'), signalled)).rejects.toBe(reason)
    expect(batches.length).toBe(1)
    await expect(async () => writeOne(writer, put('a'), signalled)).rejects.toBe(reason)
    await expect(async () => writeMany(writer, [put('a')], signalled)).rejects.toBe(reason)
    expect(batches.length).toBe(1)
  })

  test('WRITE-10: what surely was not applied for a reason is not sent again', async () => {
    const outcomes: [Outcome, string][] = [
      [{ kind: 'conflict' }, 'ROW_EXISTS'],
      [{ kind: 'missing' }, 'ROW_MISSING'],
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
  test.each([put('a'), remove('a')])('WRITE-11: $kind is sent again', async (mutation) => {
    const { writer, batches } = scene({ answers: [[unknown], [unprocessed], [applied]] })
    await writeOne(writer, mutation, sending)
    expect(batches.length).toBe(3)
  })

  test.each([insert('a'), update('a'), { ...put('a'), version: 'v1' }, { ...remove('a'), version: 'v1' }])(
    'WRITE-11: $kind with a condition is not, unless the adapter recognises it',
    async (mutation) => {
      const { writer, batches } = scene({ answers: [[unknown], [applied]] })
      expect(await codeOf(() => writeOne(writer, mutation, sending))).toBe('OUTCOME_UNKNOWN')
      expect(batches.length).toBe(1)
      const knowing = scene({ answers: [[unknown], [applied]], capabilities: { idempotentRetry: true } })
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
})

describe('WRITE-5: leftovers of many', () => {
  test('WRITE-5: only they are sent again, and progress begins the attempts anew', async () => {
    const { writer, batches, pauses } = scene({
      answers: [[applied, unprocessed, unknown], [unprocessed, applied], [unprocessed], [applied]],
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

test('WRITE-10: a pause ends when the signal is aborted', async () => {
  const controller = new AbortController()
  const reason = new Error('enough')
  const pause = timerSleep(3_600_000, controller.signal)
  controller.abort(reason)
  await expect(pause).rejects.toBe(reason)
  await expect(timerSleep(1, controller.signal)).rejects.toBe(reason)
  await timerSleep(1, new AbortController().signal)
})
