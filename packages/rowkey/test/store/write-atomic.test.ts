import type { Outcome } from '#store/adapter'
import { renameTable } from '#model'
import { writeAtomic } from '#store/write'
import { describe, expect, test } from 'vitest'
import { codeOf, refusalOf } from '../../../../test/kit/refusal.js'
import { applied, insert, put, recognised, remove, rewrite, scene, sending, Things, unknown, unprocessed, update } from './write-sending.js'

const atomic = (scope: 'row' | 'partition' | 'store', max = 100) => ({ atomic: { scope, max, isolated: true } })
const bytes = (max: number) => ({ atomic: { scope: 'store' as const, max: 100, bytes: max, isolated: true } })
const failed: Outcome = { kind: 'failed', cause: 'disk full' }

describe('WRITE-14: all or none', () => {
  test('WRITE-14: the first condition that fails is the error, with its place', async () => {
    const cases: [Outcome[], number, string][] = [
      [[unprocessed, { kind: 'conflict' }, { kind: 'missing' }], 1, 'ROW_EXISTS'],
      [[unprocessed, unprocessed, { kind: 'missing' }], 2, 'ROW_NOT_FOUND'],
      [[failed, unprocessed, unprocessed], 0, 'WRITE_FAILED'],
    ]
    for (const [answer, index, code] of cases) {
      const { writer, batches } = scene({ answers: [answer] })
      const error = await refusalOf(() => writeAtomic(writer, [put('a'), insert('b'), update('c')], 't', sending))
      expect([error.code, error.details['index'], batches.length]).toEqual([code, index, 1])
      expect(error.message).toContain(`at index ${index} of the list: `)
    }
  })

  test('WRITE-14: the token stays when the call is repeated', async () => {
    const { writer, tokens, pauses } = scene({
      answers: [
        [unprocessed, unprocessed],
        [unprocessed, unprocessed],
        [applied, applied],
      ],
    })
    await writeAtomic(writer, [insert('a'), update('b')], 'token', sending)
    expect(tokens).toEqual(['token', 'token', 'token'])
    expect(pauses).toEqual([12, 25])
  })

  test('WRITE-14: an unknown outcome is repeated where the store can tell, or where that is allowed', async () => {
    const answers = [
      [unknown, unknown],
      [applied, applied],
    ]
    const allowed = scene({ answers, resendsUnknown: true })
    await writeAtomic(allowed.writer, [put('a'), put('b')], 't', sending)
    const known = scene({ answers: [[recognised, recognised], ...answers.slice(1)] })
    await writeAtomic(known.writer, [insert('a'), update('b')], 't', sending)
    expect([allowed.batches.length, known.batches.length]).toEqual([2, 2])
    for (const [neither, mutations] of [
      [scene({ answers }), [put('a'), put('b')]],
      [scene({ answers, resendsUnknown: true }), [put('a'), update('b')]],
      [scene({ answers: [[recognised, unknown]] }), [put('a'), put('b')]],
    ] as const) {
      expect(await codeOf(() => writeAtomic(neither.writer, mutations, 't', sending))).toBe('OUTCOME_UNKNOWN')
      expect(neither.batches.length).toBe(1)
    }
  })

  test('WRITE-14: else one versioned row tells for all', async () => {
    const mine = scene({ answers: [[unknown, unknown]], found: 'v2' })
    await writeAtomic(mine.writer, [update('b'), rewrite('update', 'v2', 'v1')], 't', sending)
    const other = scene({ answers: [[unknown, unknown]], found: 'v3' })
    expect(await codeOf(() => writeAtomic(other.writer, [update('b'), rewrite('update', 'v2', 'v1')], 't', sending))).toBe(
      'OUTCOME_UNKNOWN',
    )
  })

  test('WRITE-14: part of an answer is none', async () => {
    for (const answer of [[applied], [], [applied, unprocessed]]) {
      const { writer } = scene({ answers: [answer] })
      expect(await codeOf(() => writeAtomic(writer, [insert('a'), insert('b')], 't', sending))).toBe('OUTCOME_UNKNOWN')
    }
  })

  test('WRITE-14: nothing at all is done', async () => {
    const { writer, batches } = scene({ answers: [[]] })
    await writeAtomic(writer, [], 't', sending)
    expect(batches).toEqual([])
  })
})

describe('WRITE-15: what the store cannot do at once is refused before it is asked', () => {
  test.each([
    ['two rows where it can do one', atomic('row'), [put('a'), put('b')]],
    ['two partitions where it can do one', atomic('partition'), [put('a', 'p'), put('b', 'q')]],
    ['two tables where it can do one partition', atomic('partition'), [put('a'), { ...put('a'), schema: renameTable(Things, 'other') }]],
    ['too many', atomic('store', 2), [put('a'), put('b'), put('c')]],
    ['one row twice', atomic('store'), [put('a'), put('b'), put('a')]],
    ['too many bytes', bytes(4), [put('é'), put('b')]],
    ['too many bytes of what an update sets', bytes(2), [put('a'), update('b')]],
  ])('WRITE-15: %s', async (_, capabilities, mutations) => {
    const { writer, batches } = scene({ answers: [], capabilities })
    const { code, details } = await refusalOf(() => writeAtomic(writer, mutations, 't', sending))
    expect([code, details['scope'], details['writes']]).toEqual(['ATOMIC_SCOPE', capabilities.atomic.scope, mutations.length])
    expect(batches).toEqual([])
  })

  test.each([
    ['one row', atomic('row', 1), [insert('a')]],
    ['one partition', atomic('partition', 2), [put('a'), put('b')]],
    ['anything', atomic('store'), [put('a', 'p'), put('a', 'q')]],
    ['as many bytes as it takes', bytes(5), [put('é'), put('b')]],
    ['an update of few bytes, and a delete', bytes(1), [update('b'), remove('a')]],
  ])('WRITE-15: %s is sent', async (_, capabilities, mutations) => {
    const { writer, batches } = scene({ answers: [mutations.map(() => applied)], capabilities })
    await writeAtomic(writer, mutations, 't', sending)
    expect(batches.length).toBe(1)
  })
})
