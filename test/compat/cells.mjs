// What docs/compatibility.md says works, each as commands that show it. `folder` of a cell is the folder of an application that has the
// packed packages installed; the tools are found above it.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { adapters as all, opened } from './adapters.mjs'

export const versions = ['5.4', '5.6', '5.9', '6.0', '7.0']

const line =
  '2026-01-01T11:00:00.000Z null, 2026-01-01T10:00:00.000Z ann | true | 057765622d3100006c6f67696e00007ffffe64870006ff00000001 | ROW_EXISTS'
const esm = { 'package.json': '{ "type": "module" }' }
const cjs = { 'package.json': '{}' }
const files = ['main.ts']

/** A program that was compiled with other decorators does not run; one whose compiler does not know an option says so. */
const compiler = ({ files = ['main.ts', 'declarations.ts'], ...options }) => ({
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      target: 'es2022',
      lib: ['es2022', 'dom'],
      types: [],
      strict: true,
      skipDefaultLibCheck: true, // those that come with TypeScript
      outDir: 'out',
      ...options,
    },
    files,
  }),
})

const legacy = { experimentalDecorators: true }
const metadata = { experimentalDecorators: true, emitDecoratorMetadata: true }
const nodeNext = { module: 'nodenext' }
/** What `module: commonjs` resolves with: node10, which TypeScript 6 deprecates and 7 no longer has. */
const commonjs = { module: 'commonjs', moduleResolution: 'node10' }

const tscRows = [
  ['`experimentalDecorators` and `emitDecoratorMetadata`', esm, { ...metadata, ...nodeNext }],
  ['`experimentalDecorators`, `useDefineForClassFields: false`', esm, { ...legacy, ...nodeNext, useDefineForClassFields: false }],
  ['standard decorators', esm, nodeNext],
  ['standard decorators, `moduleResolution: bundler`', esm, { module: 'es2022', moduleResolution: 'bundler' }],
  ['`types: ["node"]` in place of `lib: DOM`', esm, { ...nodeNext, lib: ['es2022'], types: ['node'] }],
  ['CommonJS: `module: commonjs`, its default resolution', cjs, { ...metadata, module: 'commonjs' }],
  ['CommonJS: `module: commonjs`, `moduleResolution: node10`', cjs, { ...metadata, ...commonjs }],
  ['CommonJS: `module: node20`', cjs, { ...metadata, module: 'node20', files }],
  ['CommonJS: `module: nodenext`', cjs, { ...metadata, ...nodeNext, files }],
  ['CommonJS: `module: node16` (`node18` is the same)', cjs, { ...metadata, module: 'node16', files }],
]

const inferredRow = '`emitDecoratorMetadata`: columns without a type'
const inferredLine = 'true 1970-01-01T00:00:00.000Z 7n true'
tscRows.push([inferredRow, esm, { ...metadata, ...nodeNext, files: ['inferred.ts'] }])

/** The compiler of each version, with the program run by Node.js. */
export const tscCells = tscRows.flatMap(([row, files, options]) =>
  versions.map((version) => {
    const ignored = version === '6.0' && options.moduleResolution === 'node10' ? { ignoreDeprecations: '6.0' } : {}
    return {
      row,
      column: version,
      files: { ...files, ...compiler({ ...options, ...ignored }) },
      steps: [
        ['tsc', 'tsconfig.json'],
        ['node', `./out/${row === inferredRow ? 'inferred' : 'main'}.js`],
      ],
      prints: row === inferredRow ? inferredLine : line,
    }
  }),
)

const ofNode = { lib: ['es2022'], types: ['node'] }
const bundler = { module: 'es2022', moduleResolution: 'bundler' }
const compile = (options) => compiler({ ...options, noEmit: true, files: ['adapter.ts'] })['tsconfig.json']

/** The declarations of each package that needs a driver or a framework, with and without the types of Node.js. */
export const adapterCells = [...all.map(({ name }) => name), 'nestjs'].flatMap((name) =>
  [
    ['`types: ["node"]`', ofNode],
    ['`lib: DOM`, no `@types/node`', {}],
  ].flatMap(([what, types]) =>
    versions.map((version) => ({
      table: 'adapters',
      row: `\`@rowkey/${name}\`, ${what}`,
      column: version,
      files: {
        ...esm,
        'adapter.ts': `import * as all from '@rowkey/${name}'\nexport const every: typeof all = all`,
        'tsconfig.json': compile({ ...nodeNext, ...types }),
        'tsconfig.bundler.json': compile({ ...bundler, ...types }),
      },
      steps: [
        ['tsc', 'tsconfig.json'],
        ['tsc', 'tsconfig.bundler.json'],
      ],
      prints: '',
    })),
  ),
)

const swc = (decorators, type) => ({
  '.swcrc': JSON.stringify({
    jsc: { target: 'es2022', parser: { syntax: 'typescript', decorators: true }, transform: decorators },
    module: { type },
  }),
  'build.cjs': `
    const { transformFileSync } = require('@swc/core')
    const { writeFileSync, mkdirSync } = require('node:fs')
    mkdirSync('out', { recursive: true })
    for (const name of ['models', 'program', 'main', 'inferred']) {
      writeFileSync('out/' + name + '.js', transformFileSync(name + '.ts', { swcrc: true }).code)
    }
  `,
})
const swcLegacy = { legacyDecorator: true, decoratorMetadata: true }

const babel = (version) => ({
  'build.cjs': `
    const { transformFileSync } = require('@babel/core')
    const { writeFileSync, mkdirSync } = require('node:fs')
    mkdirSync('out', { recursive: true })
    const plugins = [['@babel/plugin-transform-typescript', { allowDeclareFields: true }], ['@babel/plugin-proposal-decorators', { version: '${version}' }], '@babel/plugin-transform-class-properties', '@babel/plugin-transform-class-static-block']
    for (const name of ['models', 'program', 'main']) {
      writeFileSync('out/' + name + '.js', transformFileSync(name + '.ts', { configFile: false, babelrc: false, plugins }).code)
    }
  `,
})

const tsconfig = (compilerOptions) => ({ 'tsconfig.json': JSON.stringify({ compilerOptions: { target: 'es2022', ...compilerOptions } }) })
const bundle = (...options) => ['node', 'esbuild/bin/esbuild', 'main.ts', '--bundle', '--platform=node', '--target=es2022', ...options]

const vitest = (options) => ({
  ...tsconfig(options),
  'vitest.config.mjs': "export default { test: { globals: true, include: ['in-a-test-runner.ts'] } }",
})
const jestSwc = `['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript', decorators: true }, transform: ${JSON.stringify(swcLegacy)} } }]`
const jest = (more) => ({
  'jest.config.cjs': `module.exports = {
    testMatch: ['**/in-a-test-runner.ts'],
    moduleNameMapper: { '^(\\\\.{1,2}/.*)\\\\.js$': '$1' },
    transform: { '^.+\\\\.[jt]s$': ${jestSwc} },
    ${more}
  }`,
})
const own = "transformIgnorePatterns: ['node_modules/(?!(rowkey|@rowkey)/)'],"
const jestBin = 'jest/bin/jest.js'

const bun = { binary: ['@oven', 'bin/bun'] }
const deno = { binary: ['@deno', 'deno'] }
const denoRun = ['run', '--allow-all', '--node-modules-dir=manual', '--unstable-sloppy-imports', 'main.ts']

const drivers = all.flatMap((adapter) => adapter.drivers)
const adapters = 'every adapter, with its driver'

/** What pack:all prints for a package manager, in a project of its own. */
const installed = (group, manager, row, { files = {}, node = ['node'] } = {}) => ({
  group,
  row,
  manager,
  files: { 'package.json': '{ "private": true, "type": "module" }', ...files },
  steps: [['line'], ['shell', ...node, 'plain.mjs'], ...(node.length === 1 ? [['shell', 'node', 'plain.cjs']] : [])],
  prints: 'true plain',
})
const berry = (linker) => ({ '.yarnrc.yml': `nodeLinker: ${linker}\nenableTelemetry: false\n`, 'yarn.lock': '' })
const lines = 'the line of `pack:all`'

export const otherCells = [
  {
    group: 'SWC',
    row: 'legacy decorators with metadata, ES modules',
    files: { ...esm, ...swc(swcLegacy, 'es6') },
    steps: [
      ['node', './build.cjs'],
      ['node', './out/main.js'],
    ],
  },
  {
    group: 'SWC',
    row: 'legacy decorators with metadata, CommonJS',
    files: { ...cjs, ...swc(swcLegacy, 'commonjs') },
    steps: [
      ['node', './build.cjs'],
      ['node', './out/main.js'],
    ],
  },
  {
    group: 'SWC',
    row: 'metadata: columns without a type',
    files: { ...esm, ...swc(swcLegacy, 'es6') },
    steps: [
      ['node', './build.cjs'],
      ['node', './out/inferred.js'],
    ],
    prints: inferredLine,
  },
  {
    group: 'SWC',
    row: 'standard decorators (2022-03)',
    files: { ...esm, ...swc({ decoratorVersion: '2022-03' }, 'es6') },
    steps: [
      ['node', './build.cjs'],
      ['node', './out/main.js'],
    ],
  },
  {
    group: 'Babel',
    row: 'legacy decorators',
    files: { ...esm, ...babel('legacy') },
    steps: [
      ['node', './build.cjs'],
      ['node', './out/main.js'],
    ],
  },
  {
    group: 'Babel',
    row: 'standard decorators (2023-11)',
    files: { ...esm, ...babel('2023-11') },
    steps: [
      ['node', './build.cjs'],
      ['node', './out/main.js'],
    ],
  },
  {
    group: 'esbuild',
    row: 'legacy decorators, bundle of ES modules',
    files: { ...esm, ...tsconfig(legacy) },
    steps: [bundle('--format=esm', '--outfile=out.mjs'), ['node', './out.mjs']],
  },
  {
    group: 'esbuild',
    row: 'standard decorators, bundle of ES modules',
    files: { ...esm, ...tsconfig({}) },
    steps: [bundle('--format=esm', '--outfile=out.mjs'), ['node', './out.mjs']],
  },
  {
    group: 'esbuild',
    row: 'standard decorators, minified CommonJS bundle',
    files: { ...cjs, ...tsconfig({}) },
    steps: [bundle('--format=cjs', '--minify', '--outfile=out.cjs'), ['node', './out.cjs']],
  },
  { group: 'tsx', row: 'legacy decorators', files: { ...esm, ...tsconfig(legacy) }, steps: [['node', 'tsx/dist/cli.mjs', 'main.ts']] },
  { group: 'tsx', row: 'standard decorators', files: { ...esm, ...tsconfig({}) }, steps: [['node', 'tsx/dist/cli.mjs', 'main.ts']] },
  {
    group: 'Vitest',
    row: 'legacy decorators',
    files: { ...esm, ...vitest(legacy) },
    steps: [['node', 'vitest/vitest.mjs', 'run']],
    prints: '1 passed',
  },
  {
    group: 'Vitest',
    row: 'standard decorators',
    files: { ...esm, ...vitest({}) },
    steps: [['node', 'vitest/vitest.mjs', 'run']],
    prints: '1 passed',
  },
  { group: 'Jest', row: 'CommonJS, as it comes', files: { ...cjs, ...jest('') }, steps: [['node', jestBin]], prints: '1 passed' },
  {
    group: 'Jest',
    row: 'CommonJS, with `transformIgnorePatterns` and a transform of `.js`',
    files: { ...cjs, ...jest(own) },
    steps: [['node', jestBin]],
    prints: '1 passed',
  },
  {
    group: 'Jest',
    row: 'ES modules (`--experimental-vm-modules`)',
    files: { ...esm, ...jest("extensionsToTreatAsEsm: ['.ts'],") },
    steps: [['node', '--experimental-vm-modules', jestBin]],
    prints: '1 passed',
  },
  {
    group: 'Bun',
    row: 'legacy decorators with metadata',
    ...bun,
    files: { ...esm, ...tsconfig(metadata) },
    steps: [['binary', 'run', 'main.ts']],
  },
  {
    group: 'Bun',
    row: 'metadata: columns without a type',
    ...bun,
    files: { ...esm, ...tsconfig(metadata) },
    steps: [['binary', 'run', 'inferred.ts']],
    prints: inferredLine,
  },
  { group: 'Bun', row: 'standard decorators', ...bun, files: { ...esm, ...tsconfig({}) }, steps: [['binary', 'run', 'main.ts']] },
  { group: 'Bun', row: '`require`', ...bun, files: cjs, steps: [['binary', 'run', 'plain.cjs']], prints: 'plain 310000' },
  {
    group: 'Deno',
    row: 'legacy decorators',
    ...deno,
    files: { ...esm, 'deno.json': JSON.stringify({ compilerOptions: legacy }) },
    steps: [['binary', ...denoRun]],
  },
  {
    group: 'Deno',
    row: 'metadata: columns without a type',
    ...deno,
    files: { ...esm, 'deno.json': JSON.stringify({ compilerOptions: metadata }) },
    steps: [['binary', ...denoRun.with(-1, 'inferred.ts')]],
    prints: inferredLine,
  },
  { group: 'Deno', row: 'standard decorators', ...deno, files: { ...esm, 'deno.json': '{}' }, steps: [['binary', ...denoRun]] },
  { group: 'Node.js', row: '`import`, decorators called as functions', files: {}, steps: [['node', './plain.mjs']], prints: 'true plain' },
  { group: 'Node.js', row: '`require`', files: cjs, steps: [['node', './plain.cjs']], prints: 'plain 310000' },
  {
    group: 'Node.js',
    row: 'without code from text (`--disallow-code-generation-from-strings`)',
    files: {},
    steps: [['node', '--disallow-code-generation-from-strings', './plain.mjs']],
    prints: 'true plain',
  },
  { group: 'Node.js', row: `\`import\` of ${adapters}`, files: {}, steps: [['node', './adapters.mjs']], prints: opened },
  { group: 'Node.js', row: `\`require\` of ${adapters}`, files: cjs, steps: [['node', './adapters.cjs']], prints: opened },
  { group: 'tsx', row: adapters, files: esm, steps: [['node', 'tsx/dist/cli.mjs', './adapters.mjs']], prints: opened },
  { group: 'Bun', row: adapters, ...bun, files: esm, steps: [['binary', 'run', 'adapters.mjs']], prints: opened },
  { group: 'Deno', row: adapters, ...deno, files: esm, steps: [['binary', ...denoRun.with(-1, 'adapters.mjs')]], prints: opened },
  {
    group: 'esbuild',
    row: 'every adapter in a bundle, the drivers outside',
    files: esm,
    steps: [
      [...bundle('--format=esm', '--outfile=out.mjs', ...drivers.map((name) => `--external:${name}`)).with(2, './adapters.mjs')],
      ['node', './out.mjs'],
    ],
    prints: opened,
  },
  {
    group: 'Vite',
    row: 'every adapter in a bundle for a server, the drivers outside',
    files: {
      ...esm,
      'vite.config.mjs': `export default { ssr: { noExternal: [/rowkey/], external: ${JSON.stringify(drivers)} }, build: { ssr: 'adapters.mjs', outDir: 'out', minify: false } }`,
    },
    steps: [
      ['node', 'vite/bin/vite.js', 'build', '--logLevel', 'warn'],
      ['node', './out/adapters.js'],
    ],
    prints: opened,
  },
  {
    group: 'webpack',
    row: 'every adapter in a bundle, the drivers outside',
    files: {
      ...esm,
      'build.mjs': `
        import { createRequire } from 'node:module'
        const webpack = createRequire(import.meta.url)('webpack')
        const options = {
          mode: 'production', target: 'node20', context: process.cwd(), entry: './adapters.mjs', experiments: { outputModule: true },
          output: { path: process.cwd() + '/out', filename: 'out.mjs', module: true },
          externalsType: 'module', externals: ${JSON.stringify(drivers)},
        }
        webpack(options, (error, stats) => {
          if (error || stats.hasErrors()) { console.error(error ?? stats.toString()); process.exitCode = 1 }
        })
      `,
    },
    steps: [
      ['node', './build.mjs'],
      ['node', './out/out.mjs'],
    ],
    prints: opened,
  },
  installed('npm', 'npm', `${lines}: \`import\` and \`require\``),
  installed('pnpm', 'pnpm', `${lines}: \`import\` and \`require\``),
  installed('Yarn', 'yarn', `${lines}, \`nodeLinker: node-modules\`: \`import\` and \`require\``, { files: berry('node-modules') }),
  installed('Yarn', 'yarn', `${lines}, Plug'n'Play: \`import\``, { files: berry('pnp'), node: ['yarn', 'node'] }),
  installed('Yarn classic', 'yarn-classic', `${lines}: \`import\` and \`require\``),
  installed('Bun', 'bun', `${lines}: \`import\` and \`require\``),
].map((cell) => ({ prints: line, ...cell }))

/** The executable of a tool that comes as a package per platform; undefined if there is none for this machine. */
export function binaryOf([scope, path], modules) {
  const name = process.platform === 'win32' ? `${path}.exe` : path
  try {
    const [found] = readdirSync(join(modules, scope))
    return found === undefined ? undefined : join(modules, scope, found, name)
  } catch {
    return undefined
  }
}
