import { vi } from 'vitest'
import type * as HotPaths from '../../packages/codec/src/layout/hot-paths.js'

// Every layout runs generated code from its first call on: the tests of the codec then hold for it as they do for the closures.
vi.mock('../../packages/codec/src/layout/hot-paths.ts', async (original) => {
  const actual = await original<typeof HotPaths>()
  const { generate } = await import('../../packages/codec/src/generated/generate.js')
  const hotPaths: typeof actual.hotPaths = (parts, compare, codegen) => {
    const generated = codegen === 'never' ? undefined : generate(parts)
    // Else a layout whose code does not even compile would be tested as closures.
    if (codegen !== 'never' && generated === undefined && parts.columns.length <= 64) throw new Error('no code was generated')
    return generated ?? actual.hotPaths(parts, compare, codegen)
  }
  return { ...actual, hotPaths }
})
