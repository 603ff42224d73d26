import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { requestOptions } from '../../adapters/dynamodb/src/interruption.js'

test('WRITE-10: a deadline comes beside a signal too, though the memory is cleared meanwhile', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const { signal } = new AbortController()
  const ended = new Promise((resolve) => {
    requestOptions({ signal, deadline: Date.now() + 200 })?.abortSignal.addEventListener('abort', () => resolve('deadline'))
  })
  const late = new Promise((resolve) => setTimeout(() => resolve('never'), 2000))
  const clearing = setInterval(collect, 20)
  expect(await Promise.race([ended, late])).toBe('deadline')
  clearInterval(clearing)
})
