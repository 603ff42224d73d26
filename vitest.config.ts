import { defaultClientConditions, defaultServerConditions } from 'vite'
import { defineConfig, defineProject } from 'vitest/config'

// Tests run on the sources: every package's exports name them first under this condition.
const source = {
  resolve: { conditions: ['@rowkey/source', ...defaultClientConditions] },
  ssr: { resolve: { conditions: ['@rowkey/source', ...defaultServerConditions] } },
}

// No test asserts on time: one that hangs fails, one that waits for a busy machine does not.
const testTimeout = 60_000

// The same decorated models, compiled in both decorator modes.
const decorators = (name: 'legacy' | 'standard') =>
  defineProject({
    ...source,
    esbuild: { target: 'es2022', tsconfigRaw: { compilerOptions: { experimentalDecorators: name === 'legacy' } } },
    test: { name, testTimeout, include: ['test/decorators/**/*.test.ts'] },
  })

export default defineConfig({
  test: {
    projects: [
      defineProject({
        ...source,
        esbuild: { target: 'es2022' },
        test: {
          name: 'core',
          testTimeout,
          include: ['test/**/*.test.ts'],
          exclude: ['test/{decorators,generated}/**', '**/node_modules/**'],
        },
      }),
      defineProject({
        ...source,
        esbuild: { target: 'es2022' },
        test: {
          name: 'generated',
          testTimeout,
          include: ['test/{codec,generated}/**/*.test.ts'],
          exclude: ['test/codec/codegen.test.ts'], // about layouts that are not hot yet
          setupFiles: ['test/generated/hot-from-the-start.ts'],
        },
      }),
      decorators('legacy'),
      decorators('standard'),
    ],
  },
})
