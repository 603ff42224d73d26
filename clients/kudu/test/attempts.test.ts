import { expect, test } from 'vitest'
import type { TabletServerErrorPB } from '../src/proto/messages.js'
import { failureOf } from '../src/tablets/attempts.js'
import { Waiting } from '../src/transport/waiting.js'

type Case = readonly [
  code: TabletServerErrorPB['code'],
  status: TabletServerErrorPB['status']['code'],
  remedy: string | undefined,
  isSent: boolean,
]

// What tablet servers answer, and what helps.
test.each<Case>([
  ['UNKNOWN_ERROR', 'ILLEGAL_STATE', 'locate', false], // a follower
  ['NOT_THE_LEADER', 'ILLEGAL_STATE', 'locate', false],
  ['TABLET_NOT_FOUND', 'NOT_FOUND', 'locate', false],
  ['TABLET_NOT_RUNNING', 'ILLEGAL_STATE', 'locate', false],
  ['UNKNOWN_ERROR', 'ABORTED', 'locate', true], // it may have reached the next leader
  ['UNKNOWN_ERROR', 'SERVICE_UNAVAILABLE', 'wait', false],
  ['THROTTLED', 'SERVICE_UNAVAILABLE', 'wait', false],
  ['UNKNOWN_ERROR', 'TIMED_OUT', 'wait', true],
  ['UNKNOWN_ERROR', 'ALREADY_PRESENT', 'wait', true], // the same request, which the server does from its log
  ['UNKNOWN_ERROR', 'NOT_FOUND', undefined, false], // a row of another tablet
  ['INVALID_SCHEMA', 'INVALID_ARGUMENT', undefined, false],
  ['SCANNER_EXPIRED', 'NOT_FOUND', undefined, false],
])('%s with %s', (code, status, remedy, isSent) => {
  const waiting = new Waiting('write', {}, 60_000)
  const failure = failureOf(waiting, { code, status: { code: status, message: 'words' } })
  waiting.end()
  expect(failure.remedy).toBe(remedy)
  expect(failure.error).toMatchObject({ code: 'SERVER', call: 'write', isSent, serverMessage: 'words' })
  expect(failure.error.status).toBe(code === 'UNKNOWN_ERROR' ? status : code)
})

test('a user who may not', () => {
  const waiting = new Waiting('write', {}, 60_000)
  const { error, remedy } = failureOf(waiting, { code: 'NOT_AUTHORIZED', status: { code: 'NOT_AUTHORIZED' } })
  waiting.end()
  expect([error.code, remedy]).toEqual(['NOT_AUTHORIZED', undefined])
})
