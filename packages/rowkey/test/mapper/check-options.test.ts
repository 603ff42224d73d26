import { int32 } from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { defineTable } from '#model'
import { expect, test } from 'vitest'
import { codeOf } from '../../../../test/kit/refusal.js'
import { wrapped } from '../../../../test/kit/wrapped.js'

const Things = defineTable('things', { columns: { n: int32() }, key: ['n'] })

test('GET-1: options that reads by key do not have, or that are unfit, are INVALID_OPTION; good ones reach the store', async () => {
  const asked: unknown[] = []
  const db = createMapper(wrapped(memory(), { get: (keys, inner, options) => (asked.push(options.consistency), inner(keys, options)) }))
  await db.ensureTables([Things])
  const things = db.repository(Things)
  const reads = [
    (options: never) => things.get({ n: 1 }, options),
    (options: never) => things.getOrThrow({ n: 1 }, options),
    (options: never) => things.exists({ n: 1 }, options),
    (options: never) => things.getMany([{ n: 1 }], options),
    (options: never) => things.getMany([], options),
  ]
  for (const read of reads) {
    for (const options of [{ consistancy: 'eventual' }, { consistency: 'weak' }, { signal: 5 }, null, 5]) {
      expect(await codeOf(() => read(options as never))).toBe('INVALID_OPTION')
    }
  }
  expect(asked).toEqual([])
  await things.put({ n: 1 })
  for (const read of reads) await read({ consistency: 'eventual', signal: undefined } as never)
  await things.get({ n: 1 })
  expect(asked).toEqual(['eventual', 'eventual', 'eventual', 'eventual', 'strong'])
})
