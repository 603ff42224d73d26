import { readFileSync } from 'node:fs'

// A store that somebody adds: the toy of the examples under another name, on a server that serves nothing. What is here is all that its author
// writes: files of its own, and edits of the files that CONTRIBUTING names.

const toy = readFileSync(new URL('../../../examples/src/toy/toy.ts', import.meta.url), 'utf8')

const manifest = {
  name: '@rowkey/paper',
  version: '0.1.0-0',
  description: 'A store on paper: the toy of the examples, as a package.',
  license: 'Apache-2.0',
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20.19' },
  files: ['dist', 'src', '!dist/.tsbuildinfo'],
  main: './dist/index.js',
  types: './dist/index.d.ts',
  exports: { '.': { '@rowkey/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' } },
  peerDependencies: { '@rowkey/store': 'workspace:^' },
}

/** By path from the root of the repository. */
export const ownFiles: Readonly<Record<string, string>> = {
  'adapters/paper/package.json': JSON.stringify(manifest),
  'adapters/paper/tsconfig.json':
    '{ "extends": "../../tsconfig.base.json", "include": ["src"], "references": [{ "path": "../../packages/store" }] }',
  'adapters/paper/README.md': '# @rowkey/paper\n',
  'adapters/paper/src/index.ts': "export { paper } from './adapter.js'\n",
  'adapters/paper/src/adapter.ts': toy.replace('function toy()', 'function paper()').replaceAll("'toy'", "'paper'"),
  'examples/src/stores/paper.ts': `
    import { paper } from '@rowkey/paper'
    import type { Open } from './open-stores.js'
    export const open: Open = async () => ({ version: '', adapter: paper(), close: () => undefined })
  `,
  'test/servers/src/paper/paper.ts': `
    import type { Launcher } from '../server.js'
    export const paper: Launcher<{ readonly sheets: number }> = {
      name: 'paper',
      missing: () => undefined,
      fetch: () => Promise.resolve(),
      start: async () => ({
        connection: { sheets: 80 }, version: 'A4', kill: async () => undefined, pause: () => undefined, resume: () => undefined, stop: async () => undefined,
      }),
    }
  `,
  'adapters/paper/test/open.ts': `
    import { paper } from '@rowkey/paper'
    import type { StoreKit } from '../../../test/kit/store-kit.js'
    export const kit: StoreKit = {
      factory: [[], () => paper()], offline: () => paper(), on: { paper: () => ({ adapter: paper(), close: () => undefined }) },
    }
  `,
  'adapters/paper/test/compat.json': '{ "imports": {}, "open": "paper()" }',
  'adapters/paper/test/seen.test.ts': `
    import { expect, test } from 'vitest'
    import { letters } from '../../../test/guides/line.js'
    import { allStores, serversOf } from '../../../test/setup/projects.js'
    import { withServer } from '../../../test/setup/with-server.js'
    import { kitOf } from '../../../test/kit/store-kit.js'
    withServer('paper', ({ sheets }) => {
      test('its project has started its server', () => expect(sheets).toBe(80))
    })
    test('the suites over all stores and the guides have it', async () => {
      expect(serversOf(allStores)).toContain('paper')
      expect(letters).toMatchObject({ paper: 'P' })
      expect(Object.keys((await kitOf('paper')).on)).toEqual(['paper'])
    })
  `,
  'adapters/paper/test/long/hours.test.ts': "throw new Error('a short run does not load it')\n",
  'adapters/paper/test/conformance.test.ts': `
    import { conformance } from '@rowkey/conformance'
    import { paper } from '@rowkey/paper'
    import { afterAll, test } from 'vitest'
    import { withServer } from '../../../test/setup/with-server.js'
    withServer('paper', () => conformance({ test, afterAll, createAdapter: paper }))
  `,
  'adapters/paper/test/guides.test.ts': `
    import { paper } from '@rowkey/paper'
    import { guidesOn } from '../../../test/guides/guides-on.js'
    guidesOn('paper', () => ({ adapter: paper(), dispose: () => undefined }))
  `,
}

const dependency = (text: string): string =>
  text.replace('    "@rowkey/redis":', '    "@rowkey/paper": "workspace:*",\n    "@rowkey/redis":')
/** After the line that starts with `start`. */
const after = (start: string, line: string) => (text: string) => text.replace(new RegExp(`^${start}.*\\n`, 'm'), `$&${line}\n`)

/** What changes in the files of others. */
export const edits: Readonly<Record<string, (text: string) => string>> = {
  'test/servers/src/stores.ts': (text) =>
    after(
      'import \\{ moto \\}',
      "import { paper } from './paper/paper.js'",
    )(after("  \\{ name: 'hbase'", "  { name: 'paper', letter: 'P', servers: { paper } },")(text)),
  'tsconfig.packages.json': after('    \\{ "path": "adapters/memory"', '    { "path": "adapters/paper" },'),
  'package.json': dependency,
  'examples/package.json': dependency,
  'README.md': after('\\| HBase', '| Paper | [`@rowkey/paper`](adapters/paper/README.md) | |'),
  'docs/guide/stores.md': after('\\| hbase     \\| yes ', '| paper | yes | yes, no columns | one row, up to 1 | strong | 1,000 | 1,000 |'),
  'docs/guides-coverage.md': (text) =>
    after(
      '\\| H ',
      '| P      | Paper |',
    )(text)
      .replaceAll(/^(- \*\*G-\d+\*\* .+? `(?:done|partly)` [MLRDCH]+)(?= )/gm, '$1P')
      .replaceAll(/(\.ts\) on [MLRDCH]+)/g, '$1P'),
}
