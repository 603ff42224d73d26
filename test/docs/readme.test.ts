import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createMapper, defineTable, desc, memory, text, timestamp, uint32 } from 'rowkey'
import { diagnosticsOf, removeBlocks, writeBlocks } from './code-blocks.js'

const blocks = writeBlocks('README.md')
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

beforeAll(() => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
})
afterAll(() => {
  removeBlocks()
})

describe('README', () => {
  test.each(blocks)('block $number runs and gives what it says', async ({ file }) => {
    await import(/* @vite-ignore */ file)
  })

  test('has blocks with checks, and all of them compile strictly', { timeout: 120_000 }, () => {
    expect(blocks.length).toBeGreaterThanOrEqual(4)
    expect(blocks.filter(({ file }) => readFileSync(file, 'utf8').includes('await check('))).toHaveLength(blocks.length)
    expect(diagnosticsOf(blocks)).toEqual([])
  })

  test('shows the explanation that explain() gives', async () => {
    const Orders = defineTable('orders_by_buyer', {
      columns: { buyer: text(), placedAt: desc(timestamp('ms')), orderNo: text(), cents: uint32() },
      key: ['buyer', 'placedAt', 'orderNo'],
    })
    const db = createMapper(memory())
    await db.ensureTables([Orders])
    const { text: explanation } = db.repository(Orders).scan({ buyer: 'ann', cents: { gt: 300 } }).explain()
    expect(readme).toContain(explanation)
  })
})
