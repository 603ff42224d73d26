import { afterAll, describe, expect, test } from 'vitest'
import { diagnosticsOf, removeBlocks, writeBlocks } from '../../../test/docs/code-blocks.js'

const page = 'packages/nestjs/README.md'
const blocks = writeBlocks(page)
afterAll(() => {
  removeBlocks(page)
})

describe.each(blocks)('$page, block $number', ({ file }) => {
  test('runs and gives what it says', async () => {
    await import(/* @vite-ignore */ file)
  })
})

test('its code compiles strictly, as in an application of NestJS', () => {
  expect(diagnosticsOf(blocks, { experimentalDecorators: true, erasableSyntaxOnly: false })).toEqual([])
})

test('its code is checked', () => {
  expect(blocks.length).toBeGreaterThan(1)
  expect(blocks.reduce((sum, { checks }) => sum + checks, 0)).toBeGreaterThan(3)
})
