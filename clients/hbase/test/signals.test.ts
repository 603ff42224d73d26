import { HBaseClient } from '@rowkey/hbase-client'
import { expect, test } from 'vitest'
import { getEventListeners } from 'node:events'

test('calls that share a signal share its listener, which goes with the last of them', async () => {
  const client = new HBaseClient({ host: '127.0.0.1', port: 1 })
  const { signal } = new AbortController()
  const calls = Array.from({ length: 20 }, () => client.get('t', { row: Buffer.from('a') }, { signal }).catch((error: unknown) => error))
  await Promise.resolve()
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  await Promise.all(calls)
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  await client.close()
})

test('an abort ends all calls that share the signal', async () => {
  const client = new HBaseClient({ host: '127.0.0.1', port: 1 })
  const abort = new AbortController()
  const calls = Array.from({ length: 20 }, () => client.get('t', { row: Buffer.from('a') }, { signal: abort.signal }))
  abort.abort()
  for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'ABORTED' })
  await client.close()
})
