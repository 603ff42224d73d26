import { vi } from 'vitest'
import type * as CompiledPaths from '../../../src/codec/layout/compiled-paths.js'

// Every layout runs generated code from its first call on: the tests of the codec then hold for it as they do for the closures.
vi.mock('../../../src/codec/layout/compiled-paths.ts', async (original) => {
  const actual = await original<typeof CompiledPaths>()
  const { compileLayout } = await import('../../../src/codec/layout/compile-layout.js')
  const compiledPaths: typeof actual.compiledPaths = (parts, compare, codegen, onCompiled) => {
    const generated = codegen === 'never' ? undefined : compileLayout(parts)
    // Else a layout whose code does not even compile would be tested as closures. Salts of several lengths have none.
    const hasCode = parts.columns.length <= 64 && parts.salts.every(({ size }) => size === undefined)
    if (codegen !== 'never' && generated === undefined && hasCode) throw new Error('no code was generated')
    return generated ?? actual.compiledPaths(parts, compare, codegen, onCompiled)
  }
  return { ...actual, compiledPaths }
})
