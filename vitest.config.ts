import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { defaultClientConditions, defaultServerConditions } from 'vite'
import { defineConfig, defineProject } from 'vitest/config'
import { isLong } from './test/servers/src/scale.ts'
import { stores } from './test/servers/src/stores.ts'
import { temporaryFolder } from './test/servers/src/temporary.ts'
import { allStores, filesOfStore, hasServers, type StoreFiles } from './test/setup/projects.ts'
import { StoresTable } from './test/setup/stores-table.ts'

// Tests run on the sources: every package's exports name them first under this condition. 'module' is for bundlers: what it names need not
// be fit for Node (the AWS SDK's is not).
const forNode = (conditions: readonly string[]): string[] => ['@rowkey/source', ...conditions.filter((name) => name !== 'module')]
const source = {
  resolve: { conditions: forNode(defaultClientConditions) },
  ssr: { resolve: { conditions: forNode(defaultServerConditions) } },
}

// No test asserts on time: one that hangs fails, one that waits for a busy machine does not.
// Files of a project share what their worker has loaded: to load it anew for each took half of the time.
const shared = { testTimeout: 180_000, hookTimeout: 300_000, isolate: false }

// The same decorated models, compiled in both decorator modes.
const decorators = (name: 'legacy' | 'standard') =>
  defineProject({
    ...source,
    esbuild: { target: 'es2022', tsconfigRaw: { compilerOptions: { experimentalDecorators: name === 'legacy' } } },
    test: { ...shared, name, include: ['packages/model/test/decorators/**/*.test.ts'] },
  })

// Tests of stores with servers, which are started once for a project.
const store = (name: string, { include, exclude }: StoreFiles) =>
  defineProject({
    ...source,
    esbuild: { target: 'es2022' },
    test: {
      ...shared,
      name,
      testTimeout: 600_000,
      include: [...include],
      exclude: ['**/node_modules/**', ...exclude],
      globalSetup: 'test/setup/servers.ts',
    },
  })

/** Tests of one package, or of a store that works in the process. */
const own = (name: string, { include, exclude }: StoreFiles) =>
  defineProject({
    ...source,
    esbuild: { target: 'es2022' },
    test: { ...shared, name, include: [...include], exclude: ['**/node_modules/**', ...exclude] },
  })
const ofPackage = (name: string, ...exclude: readonly string[]) => own(name, { include: [`packages/${name}/test/**/*.test.ts`], exclude })

/** Packages whose tests need nothing but their sources. */
const plainPackages = readdirSync('packages').filter(
  (name) => existsSync(`packages/${name}/test`) && !['codec', 'model', 'store', 'nestjs'].includes(name),
)
const overAllStores = { include: ['test/stores/**/*.test.ts'], exclude: [] }
const ioredis5 = createRequire(import.meta.url).resolve('ioredis5')
const notOfDriver = 'adapters/redis/test/{oracle,guides,history,written-before}*.test.ts'

/** It stops the clock of its process, where nothing else may be under way. */
const fakeTime = 'packages/store/test/cancellation.test.ts'

// All temporary folders of a run are in one, which goes with the run, also by Ctrl-C. Workers and servers inherit it.
process.env['ROWKEY_TEST_TMP'] ??= process.env['TMPDIR'] = temporaryFolder('rowkey-tests').path

/** Where the gate reads what became of the tests. */
const report = process.env['ROWKEY_TEST_REPORT']

export default defineConfig({
  test: {
    // By default one core is left idle, and on two cores files run one after the other.
    maxWorkers: Math.max(2, availableParallelism()),
    // A page on the versions of Node.js that later releases of the client need, in every process.
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    reporters: ['default', new StoresTable(), ...(report === undefined ? [] : [['json', { outputFile: report }] as const])],
    projects: [
      ofPackage('codec', 'packages/codec/test/generated/**'),
      ofPackage('model', 'packages/model/test/decorators/**'),
      ofPackage('store', fakeTime),
      ...plainPackages.map((name) => ofPackage(name)),
      own('repository', { include: ['test/**/*.test.ts'], exclude: overAllStores.include }),
      defineProject({
        ...source,
        esbuild: { target: 'es2022' },
        test: {
          ...shared,
          name: 'generated',
          include: ['packages/{codec,formats}/test/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'packages/codec/test/codegen.test.ts'], // about layouts that are not hot yet
          setupFiles: ['packages/codec/test/generated/hot-from-the-start.ts'],
        },
      }),
      defineProject({
        ...source,
        esbuild: { target: 'es2022' },
        test: { ...shared, name: 'fake-time', include: [fakeTime], isolate: true },
      }),
      // A process of its own: NestJS loads reflect-metadata, which other tests must not find.
      defineProject({
        ...source,
        esbuild: { target: 'es2022', tsconfigRaw: { compilerOptions: { experimentalDecorators: true } } },
        test: { ...shared, name: 'nestjs', include: ['packages/nestjs/test/**/*.test.ts'] },
      }),
      decorators('legacy'),
      decorators('standard'),
      ...stores.map((each) => (hasServers(each) ? store : own)(each.name, filesOfStore(each, isLong))),
      store(allStores, overAllStores),
      // The adapter and its tests with the client that most applications have.
      defineProject({
        ...source,
        resolve: { ...source.resolve, alias: { ioredis: ioredis5 } },
        esbuild: { target: 'es2022' },
        test: {
          ...shared,
          name: 'ioredis5',
          include: ['adapters/redis/test/**/*.test.ts'],
          exclude: ['**/node_modules/**', notOfDriver],
          globalSetup: 'test/setup/servers.ts',
          env: { ROWKEY_IOREDIS: '5' },
        },
      }),
    ],
  },
})
