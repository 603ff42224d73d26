import { expect, test } from 'vitest'
import { scaled } from '@rowkey/servers/scale'
import { seeded } from '../../../test/kit/seeded.js'
import { results } from '../src/decode/results.js'
import type { Result } from '../src/requests.js'
import { Input } from '../src/thrift/input.js'
import { framed } from './fake-gateway.js'
import { encodeReply } from './oracle.js'
import { answerCases, cut, expectedRow, pendingOf, plain, randomRow, receive } from './random-answers.js'

const call = 'getScannerResults'

test.each([1, 7, 100, 100_000])('rows that npm thrift wrote are read in pieces of up to %i bytes, framed or not', async (maxPiece) => {
  const random = seeded()
  for (let round = 0; round < scaled(160); round++) {
    const rows = Array.from({ length: random.below(12) }, () => randomRow(random))
    const bytes = encodeReply(call, round, { success: rows })
    for (const isFramed of [false, true]) {
      const pending = pendingOf(call, round, results(20))
      expect(receive(pending, cut(isFramed ? framed(bytes) : bytes, random, maxPiece), { isFramed })).toBe('read')
      expect(((await pending.promise) as Result[]).map(plain)).toEqual(rows.map(expectedRow))
    }
  }
})

test('families and qualifiers that a row has in common with the one before it are the same arrays', async () => {
  const cell = (qualifier: string, value: string) => ({
    family: Buffer.from('f'),
    qualifier: Buffer.from(qualifier),
    value: Buffer.from(value),
    timestamp: 5n,
  })
  const rows = ['a', 'b', 'c'].map((row) => ({ row: Buffer.from(row), columnValues: [cell('q', row), cell(row === 'b' ? 'x' : 'r', row)] }))
  const pending = pendingOf(call, 1, results(3))
  receive(pending, [encodeReply(call, 1, { success: rows })])
  const [a, b, c] = (await pending.promise) as Result[]
  expect(b?.cells[0]?.qualifier).toBe(a?.cells[0]?.qualifier)
  expect(a?.cells[1]?.family).toBe(a?.cells[0]?.family)
  expect(c?.cells[1]?.family).toBe(a?.cells[0]?.family)
  expect(b?.cells[1]?.qualifier).not.toBe(a?.cells[1]?.qualifier)
  expect([a, b, c].map((row) => Buffer.from(row?.cells[1]?.qualifier ?? []).toString())).toEqual(['r', 'x', 'r'])
})

test('a row has only views of what arrived: a large value is not copied', async () => {
  const value = Buffer.alloc(100_000, 7)
  const cell = { family: Buffer.from('f'), qualifier: Buffer.from('q'), value }
  const bytes = encodeReply(call, 1, { success: [{ row: Buffer.from('r'), columnValues: [cell] }] })
  const pending = pendingOf(call, 1, results(1))
  receive(pending, [bytes])
  const [row] = (await pending.promise) as Result[]
  expect(row?.cells[0]?.value.buffer).toBe(bytes.buffer)
  expect(row?.row?.buffer).toBe(bytes.buffer)
})

test.each(['a page of many rows', 'one row of many cells', 'one large cell'])(
  '%s is read with steps in proportion to its bytes, also in small pieces',
  async (kind) => {
    const cells = (count: number, size: number) =>
      Array.from({ length: count }, (_, index) => ({
        family: Buffer.from('f'),
        qualifier: Buffer.from(`q${index}`),
        value: Buffer.alloc(size),
        timestamp: 1n,
      }))
    const rows = (count: number) => {
      if (kind === 'one large cell') return [{ row: Buffer.from('r'), columnValues: cells(1, 60 * count) }]
      if (kind === 'one row of many cells') return [{ row: Buffer.from('r'), columnValues: cells(count, 4) }]
      return Array.from({ length: count }, (_, index) => ({ row: Buffer.from(`r${index}`), columnValues: cells(1, 4) }))
    }
    const { append, has } = Input.prototype
    let steps = 0
    Input.prototype.has = function (length) {
      steps++
      return has.call(this, length)
    }
    Input.prototype.append = function (bytes) {
      steps++
      return append.call(this, bytes)
    }
    try {
      const stepsFor = async (count: number): Promise<number> => {
        const bytes = encodeReply(call, 1, { success: rows(count) })
        const pending = pendingOf(call, 1, results(count))
        steps = 0
        function* pieces(): Generator<Uint8Array> {
          for (let at = 0; at < bytes.length; at += 256) yield bytes.subarray(at, at + 256)
        }
        expect(receive(pending, pieces(), { maxBytes: 2 ** 28 })).toBe('read')
        expect(((await pending.promise) as Result[]).length).toBe(kind === 'a page of many rows' ? count : 1)
        return steps
      }
      const [few, many] = [await stepsFor(500), await stepsFor(5_000)]
      expect(many / few).toBeLessThan(11)
    } finally {
      Object.assign(Input.prototype, { append, has })
    }
  },
)

test('answers of every other sort are read in pieces of one byte', async () => {
  const random = seeded()
  for (let round = 0; round < scaled(20); round++) {
    for (const { call: name, bytes, pending } of answerCases(random)) expect(receive(pending, cut(bytes, random, 1)), name).toBe('read')
  }
})

test('regions and a table are what npm thrift wrote', async () => {
  const cases = answerCases(seeded(3))
  const read = (name: string): Promise<unknown> => {
    const found = cases.find((each) => each.call === name)
    if (found === undefined) throw new Error(`there is no case of ${name}`)
    receive(found.pending, [found.bytes])
    return found.pending.promise
  }
  const family = { name: 'f', attributes: { a: 'b' }, maxVersions: 3, timeToLive: 9 }
  expect(await read('getTableDescriptor')).toMatchObject({ name: 'n:t', families: [family, family] })
  expect(await read('getAllRegionLocations')).toMatchObject([{ id: 0x1a2_fedc_ba98n, server: { host: 'h', port: 1 } }, {}])
})
