import { expect } from 'vitest'
import type { Attempt } from './middleware.js'

/** What the service refuses, and these servers do not always: ends out of order or too long, a start key outside of them or at the last one. */
export function checkQuery({ operation, input }: Attempt): void {
  if (operation !== 'Query') return
  const values = input['ExpressionAttributeValues'] as Readonly<Record<string, { readonly B: Uint8Array }>>
  const bytes = (name: string): Uint8Array => values[name]?.B ?? new Uint8Array()
  const [low, high] = [bytes(':low'), bytes(':high')]
  const start = (input['ExclusiveStartKey'] as { readonly s?: { readonly B: Uint8Array } } | undefined)?.s?.B
  expect([low, high].map(({ length }) => length > 0 && length <= 1024)).toEqual([true, true])
  expect(Buffer.compare(low, high)).toBeLessThanOrEqual(0)
  if (start === undefined) return
  const forward = input['ScanIndexForward'] as boolean
  expect(Buffer.compare(low, start)).toBeLessThanOrEqual(forward ? 0 : -1)
  expect(Buffer.compare(start, high)).toBeLessThanOrEqual(forward ? -1 : 0)
}
