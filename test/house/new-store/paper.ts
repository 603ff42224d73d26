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
  types: './dist/types/index.d.ts',
  exports: { '.': { '@rowkey/source': './src/index.ts', types: './dist/types/index.d.ts', default: './dist/index.js' } },
  peerDependencies: { rowkey: 'workspace:^' },
}

/** By path from the root of the repository. */
export const ownFiles: Readonly<Record<string, string>> = {
  'adapters/paper/package.json': JSON.stringify(manifest),
  'adapters/paper/tsconfig.json':
    '{ "extends": "../../tsconfig.library.json", "include": ["src"], "references": [{ "path": "../../packages/rowkey" }] }',
  'adapters/paper/README.md': '# @rowkey/paper\n',
  'adapters/paper/src/index.ts': "export { paper } from './adapter.js'\nexport { paperStore } from './description.js'\n",
  'adapters/paper/src/description.ts': `
    import type { StoreDescription } from 'rowkey/adapter'
    import { paper } from './adapter.js'
    import { opening } from './url.js'
    export const paperStore: StoreDescription = {
      name: 'paper',
      capabilities: paper().capabilities,
      facts: { title: 'Paper', placement: 'order', partition: { writesPerSecond: 2 }, noDefinitions: 'Paper has no table definitions: it is patient.' },
      opening,
    }
  `,
  'adapters/paper/src/url.ts': `
    import type { StoreOpening } from 'rowkey/adapter'
    export const opening: StoreOpening = {
      form: 'paper://desk:80',
      parameters: ['color'],
      drivers: [],
      open(_, { url, host, oneOf }) {
        host(url.place, 80)
        oneOf('color', ['white', 'yellow'])
        return { arguments: [], close: () => undefined }
      },
    }
  `,
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
  'adapters/paper/test/tools.test.ts': `
    import { advise } from '@rowkey/advisor'
    import { defineTable, text, timestamp } from 'rowkey'
    import { Readable, Writable } from 'node:stream'
    import { fileURLToPath } from 'node:url'
    import { expect, test } from 'vitest'
    import { run } from '../../../packages/cli/src/run.js'
    import { paperStore } from '@rowkey/paper'
    import { writeFileSync } from 'node:fs'

    const folder = fileURLToPath(new URL('..', import.meta.url)) // a project in which the package is found
    const Notes = defineTable('notes', { columns: { at: timestamp('ms'), id: text() }, key: ['at', 'id'] })
    writeFileSync(folder + 'models.json', JSON.stringify([Notes]))
    async function rowkey(input: string, ...args: readonly string[]) {
      const chunks: string[] = []
      const into = () => new Writable({ write: (chunk, _, done) => { chunks.push(String(chunk)); done() } })
      const given = { stdin: Readable.from([Buffer.from(input)]), stdout: into(), stderr: into(), env: {}, folder }
      return { code: await run([...args, '--models', 'models.json'], given), output: chunks.join('') }
    }
    const row = '{"at":"2026-01-01T00:00:00Z","id":"a"}'

    test('the advisor reckons with what its description says', () => {
      const [finding] = advise(Notes, { store: paperStore, writes: [{ table: 'notes', perSecond: { inserts: 3 } }] }).findings
      expect(finding).toMatchObject({ code: 'monotonic-first', severity: 'error' })
    })
    test('the command judges models for it, and says that it has no definitions', async () => {
      expect(await rowkey('', 'lint', '--store', 'paper', '--json')).toMatchObject({ code: 1, output: expect.stringContaining('from 0.20 new rows') })
      expect(await rowkey('', 'ddl', '--store', 'paper')).toEqual({ code: 0, output: expect.stringContaining('it is patient') })
      expect((await rowkey('', 'explain', 'notes', 'at >= 2026-01-01', '--store', 'paper')).output).toContain('SCAN')
    })
    test('the command opens it by a URL', async () => {
      expect(await rowkey(row, 'import', 'notes', '--create', '--url', 'paper://desk:80?color=yellow')).toEqual({ code: 0, output: expect.stringContaining('1 row') })
      expect(await rowkey('', 'count', 'notes', '--url', 'paper://desk')).toMatchObject({ code: 4, output: expect.stringContaining('TABLE_NOT_FOUND') })
      for (const [url, why] of [['paper://desk:0', 'port'], ['paper://desk?size=4', 'none of: prefix, color'], ['paper:', 'Give paper://desk:80'], ['paper://a:b@desk', 'credentials']])
        expect(await rowkey('', 'count', 'notes', '--url', url ?? '')).toMatchObject({ code: 2, output: expect.stringContaining(why ?? '') })
    })
  `,
  'adapters/paper/test/long/hours.test.ts': "throw new Error('a short run does not load it')\n",
  'adapters/paper/test/conformance.test.ts': `
    import { conformance } from 'rowkey/conformance'
    import { paper, paperStore } from '@rowkey/paper'
    import { afterAll, test } from 'vitest'
    import { withoutLarge } from '../../../test/setup/large-rules.js'
    import { withServer } from '../../../test/setup/with-server.js'
    withServer('paper', () => conformance({ test: withoutLarge(test, true), afterAll, createAdapter: paper, description: paperStore }))
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
  'tsconfig.packages.json': after('    \\{ "path": "adapters/lmdb"', '    { "path": "adapters/paper" },'),
  'packages/cli/src/store-list.ts': after('  memory: ', "  paper: { package: '@rowkey/paper' },"),
  'examples/package.json': dependency,
  'README.md': after('\\| HBase', '| Paper | [`@rowkey/paper`](adapters/paper/README.md) | |'),
  'docs/guide/stores.md': after('\\| hbase     \\| yes ', '| paper | yes | yes, no columns | one row, up to 1 | strong | 1,000 | 1,000 |'),
  'docs/guides-coverage.md': (text) =>
    after(
      '\\| H ',
      '| P      | Paper |',
    )(text)
      .replaceAll(/^(- \*\*G-\d+\*\* .+? `(?:done|partly)` [MLRDCH]+)(K?)(?= )/gm, '$1P$2')
      .replaceAll(/(\.ts\) on [MLRDCH]+)(K?)/g, '$1P$2'),
}
