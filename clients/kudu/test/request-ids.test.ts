import { expect, test } from 'vitest'
import { RequestIds } from '../src/tablets/request-ids.js'

test('a number stays the same over attempts, and servers forget none that may still be repeated', () => {
  const ids = new RequestIds()
  const [first, second, third] = [ids.begin(), ids.begin(), ids.begin()]
  expect(ids.attempt(second, 2)).toEqual({
    clientId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    seqNo: 2n,
    firstIncompleteSeqNo: 1n,
    attemptNo: 2n,
  })
  ids.end(second)
  expect(ids.attempt(third, 1).firstIncompleteSeqNo).toBe(1n)
  ids.end(first)
  expect(ids.attempt(third, 1).firstIncompleteSeqNo).toBe(3n)
  ids.end(third)
  expect(ids.attempt(ids.begin(), 1)).toMatchObject({ seqNo: 4n, firstIncompleteSeqNo: 4n })
  expect(new RequestIds().attempt(1, 1).clientId).not.toBe(ids.attempt(1, 1).clientId)
})
