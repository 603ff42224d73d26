import { vi } from 'vitest'

// Every layout runs generated code from its first call on: the tests of the codec then hold for it as they do for the closures.
vi.mock('../../packages/codec/src/layout/hot-paths.ts', async (original) => {
  const actual = await original<typeof import('../../packages/codec/src/layout/hot-paths.js')>()
  const { generate } = await import('../../packages/codec/src/generated/generate.js')
  type HotPaths = typeof actual.hotPaths
  const hotPaths: HotPaths = (parts, compare, codegen) =>
    codegen === 'never' ? actual.hotPaths(parts, compare, codegen) : (generate(parts) as ReturnType<HotPaths>)
  return { ...actual, hotPaths }
})
