import { bucket, desc, hashPrefix, period, text, timestamp, uint32 } from '#codec'
import { defineTable } from '#model'
import { compileQuery } from '#store'
import { expect, test } from 'vitest'

const at = (year: number): bigint => BigInt(Date.UTC(year, 5, 1)) * 1000n

test.each([
  ['a salt of the period', bucket({ of: ['year', 'n'], count: 16 })],
  ['a salt of the last column', hashPrefix({ of: 'n', digits: 1 })],
] as const)('R11: few ranges never make one range of several partitions: %s', (_, salt) => {
  const Table = defineTable('rows', {
    columns: { host: text(), year: period('year', { of: 'at' }), at: desc(timestamp('us')), n: uint32() },
    partition: ['host', 'year'],
    key: ['at', 'n'],
    salt,
  })
  const where = { host: 'a', at: { in: [at(2027), at(2024), at(2023)] } }
  for (const maxRanges of [3, 4, 8, 64]) {
    const { plan } = compileQuery(Table, where, { maxRanges })
    const ranges = plan.kind === 'scan' ? plan.streams.flatMap((stream) => stream.ranges) : []
    expect(ranges.length).toBeGreaterThan(0)
    for (const { from, to } of ranges) {
      expect(from.prefix.length).toBeGreaterThanOrEqual(2)
      expect(from.prefix.slice(0, 2)).toEqual(to.prefix.slice(0, 2))
    }
  }
})
