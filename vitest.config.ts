import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defaultClientConditions, defaultServerConditions } from 'vite'
import { defineConfig, defineProject, type UserWorkspaceConfig } from 'vitest/config'
import { isLong } from './test/servers/src/scale.ts'
import { foldersOf, stores } from './test/servers/src/stores.ts'
import { temporaryFolder } from './test/servers/src/temporary.ts'
import { allStores, filesOfGenerated, filesOfIoredis5, filesOfStore, hasServers, leftOut, type StoreFiles } from './test/setup/projects.ts'
import { ProjectSeconds } from './test/setup/project-seconds.ts'
import { StoresTable } from './test/setup/stores-table.ts'

// All temporary folders of a run are in one, which goes with the run, also by Ctrl-C. Workers and servers inherit it.
process.env['ROWKEY_TEST_TMP'] ??= process.env['TMPDIR'] = temporaryFolder('rowkey-tests').path
const { ROWKEY_TEST_TMP: runFolder } = process.env

// Tests run on the sources: every package's exports name them first under this condition. 'module' is for bundlers: what it names need not
// be fit for Node (the AWS SDK's is not).
const forNode = (conditions: readonly string[]): string[] => ['@rowkey/source', ...conditions.filter((name) => name !== 'module')]

interface ProjectOptions {
  readonly test?: NonNullable<UserWorkspaceConfig['test']>
  /** For other clients of a store. */
  readonly alias?: Readonly<Record<string, string>>
  /** Whether sources are compiled with the decorators of TypeScript before 5. */
  readonly experimentalDecorators?: boolean
}

/** Tests of one sort, in processes of their own. */
function project(name: string, { include, exclude }: StoreFiles, options: ProjectOptions = {}) {
  const { test, alias = {}, experimentalDecorators } = options
  const compilerOptions = experimentalDecorators === undefined ? {} : { experimentalDecorators }
  return defineProject({
    resolve: { conditions: forNode(defaultClientConditions), alias },
    ssr: { resolve: { conditions: forNode(defaultServerConditions) } },
    esbuild: { target: 'es2022', tsconfigRaw: { compilerOptions } },
    test: {
      name,
      include: [...include],
      exclude: ['**/node_modules/**', ...leftOut, ...exclude],
      // No test asserts on time: one that hangs fails, one that waits for a busy machine does not.
      testTimeout: 180_000,
      hookTimeout: 300_000,
      // Files of a project share what their worker has loaded: to load it anew for each took half of the time.
      isolate: false,
      // Projects share in a run what they have compiled. Vitest does not look whether it was with the same options.
      experimental: { fsModuleCache: true, fsModuleCachePath: join(runFolder, `compiled-${experimentalDecorators ?? 'es2022'}`) },
      ...test,
    },
  })
}

/** Tests of stores with servers, which are started once for a project. */
const store = (name: string, files: StoreFiles) =>
  project(name, files, { test: { testTimeout: 600_000, globalSetup: 'test/setup/servers.ts' } })

/** Of decorated models. */
const decorators = 'packages/rowkey/test/model/decorators/**/*.test.ts'
/** It stops the clock of its process, where nothing else may be under way. */
const fakeTime = 'packages/rowkey/test/store/cancellation.test.ts'
/** Of the command on stores, with servers. */
const commandOnStores = 'packages/cli/test/servers/**/*.test.ts'
/** What has projects of another form below. */
const special = [
  'packages/rowkey/test/codec/generated/**',
  decorators,
  fakeTime,
  commandOnStores,
  ...stores.map((store) => `${foldersOf(store).tests}/**`),
]

/** The tests of a package that need nothing but its sources. A project has processes of its own, so rooms share one. */
const ofPackage = (name: string) => project(name, { include: [`packages/${name}/test/**/*.test.ts`], exclude: special })
const packages = readdirSync('packages').filter((name) => name !== 'nestjs' && existsSync(`packages/${name}/test`))
/** Packages of clients, `<name>-client` each. */
const clients = readdirSync('clients').filter((name) => existsSync(`clients/${name}/test`))
const overAllStores = { include: ['test/stores/**/*.test.ts'], exclude: [] }
const ioredis5 = createRequire(import.meta.url).resolve('ioredis5')

/** Where the gate reads what became of the tests. */
const report = process.env['ROWKEY_TEST_REPORT']
/** Where it reads how long each project had a worker. */
const seconds = process.env['ROWKEY_TEST_SECONDS']

export default defineConfig({
  test: {
    // Many tests wait for servers. By default one core is left idle, and on two cores files run one after the other.
    maxWorkers: Math.max(3, availableParallelism()),
    // A page on the versions of Node.js that later releases of the client need, in every process.
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    reporters: [
      'default',
      new StoresTable(),
      ...(report === undefined ? [] : [['json', { outputFile: report }] as const]),
      ...(seconds === undefined ? [] : [new ProjectSeconds(seconds)]),
    ],
    projects: [
      ...packages.map(ofPackage),
      store('cli-stores', { include: [commandOnStores], exclude: [] }),
      ...clients.map((name) => store(`${name}-client`, { include: [`clients/${name}/test/**/*.test.ts`], exclude: [] })),
      project('repository', { include: ['test/**/*.test.ts'], exclude: overAllStores.include }),
      project('generated', filesOfGenerated(), { test: { setupFiles: ['packages/rowkey/test/codec/generated/hot-from-the-start.ts'] } }),
      project('fake-time', { include: [fakeTime], exclude: [] }, { test: { isolate: true } }),
      // A process of its own: NestJS loads reflect-metadata, which other tests must not find.
      project('nestjs', { include: ['packages/nestjs/test/**/*.test.ts'], exclude: [] }, { experimentalDecorators: true }),
      // The same decorated models, compiled in both decorator modes.
      project(
        'legacy',
        { include: [decorators], exclude: [] },
        { experimentalDecorators: true, test: { env: { ROWKEY_DECORATORS: 'legacy' } } },
      ),
      project(
        'standard',
        { include: [decorators], exclude: [] },
        { experimentalDecorators: false, test: { env: { ROWKEY_DECORATORS: 'standard' } } },
      ),
      ...stores.map((each) => (hasServers(each) ? store : project)(each.name, filesOfStore(each, isLong))),
      store(allStores, overAllStores),
      // The adapter and its tests with the client that most applications have.
      project('ioredis5', filesOfIoredis5(), {
        alias: { ioredis: ioredis5 },
        test: { globalSetup: 'test/setup/servers.ts', env: { ROWKEY_IOREDIS: '5' } },
      }),
    ],
  },
})
