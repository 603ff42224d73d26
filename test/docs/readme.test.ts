import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createMapper, defineTable, desc, memory, text, timestamp, uint32 } from 'rowkey'
import { diagnosticsOf, removeBlocks, writeBlocks } from './code-blocks.js'
import { pages, read } from './pages.js'

/** The pages whose code is run: every README of code, and the guide. */
const isReadme = (page: string): boolean => page.endsWith('README.md') && !page.startsWith('.') && !page.includes('/data/')
/** It needs decorators of parameters: packages/nestjs/test/readme.test.ts. */
const isOther = (page: string): boolean => ['packages/nestjs/README.md', 'docs/README.md', 'docs/rules/README.md'].includes(page) // two are lists
const run = pages().filter(
  (page) =>
    (isReadme(page) && !isOther(page)) ||
    page.startsWith('docs/guide/') ||
    (page.startsWith('docs/rules/') && !page.endsWith('/README.md')) ||
    page === 'docs/reference.md',
)
const blocks = run.flatMap(writeBlocks)

beforeAll(() => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
})
afterAll(() => {
  run.forEach(removeBlocks)
})

describe.each(blocks)('$page, block $number', ({ file }) => {
  test('runs and gives what it says', async () => {
    await import(/* @vite-ignore */ file)
  })
})

test('the code of all pages compiles strictly', () => {
  expect(diagnosticsOf(blocks)).toEqual([])
})

test.each(run.filter((page) => page.endsWith('README.md')))('%s shows code in its first lines', (page) => {
  const first = read(page)
    .split('\n')
    .findIndex((line) => line === '```ts')
  expect(first).toBeGreaterThan(0)
  expect(first).toBeLessThan(15)
})

test.each(run)('%s: its code is checked', (page) => {
  const own = blocks.filter((block) => block.page === page)
  expect(own.length).toBeGreaterThan(0)
  expect(own.filter(({ checks }) => checks === 0)).toEqual([])
})

test('the reference shows the explanation that explain() gives', async () => {
  const Orders = defineTable('orders_by_buyer', {
    columns: { buyer: text(), placedAt: desc(timestamp('ms')), orderNo: text(), cents: uint32() },
    key: ['buyer', 'placedAt', 'orderNo'],
  })
  const db = createMapper(memory())
  await db.ensureTables([Orders])
  const { text: explanation } = db
    .repository(Orders)
    .scan({ buyer: 'ann', cents: { gt: 300 } })
    .explain()
  expect(read('docs/reference.md')).toContain(explanation)
})
