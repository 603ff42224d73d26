// docs/compatibility.md, from the results of all cells.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { versions } from './cells.mjs'

export const pagePath = fileURLToPath(new URL('../../docs/compatibility.md', import.meta.url))
const tools = JSON.parse(readFileSync(new URL('tools/package.json', import.meta.url), 'utf8')).devDependencies
const packages = {
  SWC: '@swc/core',
  Babel: '@babel/core',
  esbuild: 'esbuild',
  tsx: 'tsx',
  Vite: 'vite',
  webpack: 'webpack',
  Yarn: '@yarnpkg/cli-dist',
  'Yarn classic': 'yarn',
  Vitest: 'vitest',
  Jest: 'jest',
  Bun: 'bun',
  Deno: 'deno',
}

const intro = `# Compatibility

What compiles and runs rowkey, and what does not. A test installs the packed packages in a new project and runs one program with every tool:
a decorated class in memory, inserts, a scan, an error. \`pnpm compat\` fails if this page says something else, and \`pnpm compat --write\`
writes it.

rowkey needs Node.js 20.19 or newer, Bun, Deno or a bundler. Its packages are ES modules. \`require()\` works where Node.js loads ES modules that
way. TypeScript 5.4 is the oldest version whose types are enough: \`NoInfer\` came with it. All versions in the table tell what is wrong with a
field, key, predicate or definition in both decorator modes, which is compared too (\`test/compat/mistakes\`).
`

const notes = `
Where it says \`no\`:

- **TS1479** is the compiler's refusal to compile \`require\` of an ES module. Node.js would run it. TypeScript up to 5.7 has it for all \`node…\`
  values of \`module\` and later versions for \`node16\` and \`node18\`. Use \`module: commonjs\`, or from 5.9 on \`node20\` or \`nodenext\`, or
  compile to ES modules.
- **TS5108**: TypeScript 7 has no \`node10\` any more. Leave \`moduleResolution\` out.
- **TS2307** and **TS2591**: declarations of the package, of its driver or of its framework name types of Node.js. Install \`@types/node\`.
- **TS6046**: this version does not know the option.
- **Jest** compiles nothing below \`node_modules\` and does not load ES modules by itself. Add
  \`transformIgnorePatterns: ['node_modules/(?!(rowkey|@rowkey)/)']\` and a \`transform\` that also takes \`.js\`, as in the row below it.

Babel needs these plugins, in this order. \`@babel/preset-typescript\` runs after the decorators, when fields that are only declared
(\`declare [RowKey]?: …\`) and types of parameters are still there; and legacy decorators need the transformation of class properties:

\`\`\`json
{
  "plugins": [
    ["@babel/plugin-transform-typescript", { "allowDeclareFields": true }],
    ["@babel/plugin-proposal-decorators", { "version": "legacy" }],
    "@babel/plugin-transform-class-properties",
    "@babel/plugin-transform-class-static-block"
  ]
}
\`\`\`

Decorators are always called: \`@Column()\`, never \`@Column\`. Tools that check no types find that when the class is evaluated: \`NOT_CALLED\`.

Not in the tables: Vite 8, and Vitest with it, compile legacy decorators only. Metadata (\`emitDecoratorMetadata\`) comes from \`tsc\`, SWC, Bun and Deno;
esbuild, tsx and Vitest emit none.
`

const stores = `
## Stores

The tests of the repository run on Redis 7, dynalite and moto, which emulate DynamoDB, Cassandra 5.0, HBase 2.6, Kudu 1.18 and LMDB. If you have another
version, or a product that speaks the same protocol (Amazon's DynamoDB, Lindorm, GeminiDB, Valkey, ScyllaDB), a command says in minutes whether rowkey holds
there:

\`\`\`sh
npx rowkey check cassandra://host:9042/shop --json > check.json
\`\`\`

[It creates tables of its own and drops them](../packages/cli/README.md#whether-rowkey-holds-on-your-server). To send the report, open an issue with the
title "check: PRODUCT VERSION", and attach \`check.json\`. It has the versions of rowkey, Node.js and the system, the product if the store tells it, the parameters of
the URL, capabilities, the verdict of each rule, and latencies. It has neither the URL nor rows of yours. But a rule that failed quotes what the
server said, which may name a host: read these lines before you send them. If your product does not tell its version, write it into the issue.
`

/** The page, formatted. */
export async function page(results) {
  const [compiled, adapters] = [undefined, 'adapters'].map((table) => results.filter(({ cell }) => cell.table === table))
  const text = [
    intro,
    '## TypeScript\n\nCompiled by `tsc` with `strict` and without `skipLibCheck`, run by Node.js.\n',
    compilers(compiled),
    '### Declarations that need a driver or a framework\n\nThe same, with `moduleResolution` `nodenext` and `bundler`, for who imports the package and its driver.\n',
    compilers(adapters),
    '## Other tools\n',
    others(results),
    notes,
    stores,
  ].join('\n')
  return format(text, { ...(await resolveConfig(pagePath)), filepath: pagePath })
}

function compilers(results) {
  const ofTsc = results.filter(({ cell }) => cell.group === undefined)
  const rows = [...new Set(ofTsc.map(({ cell }) => cell.row))].map((row) => {
    const cells = versions.map((version) => answer(ofTsc.find(({ cell }) => cell.row === row && cell.column === version)))
    return `| ${[row, ...cells].join(' | ')} |`
  })
  return [`| | ${versions.join(' | ')} |`, `|${'---|'.repeat(versions.length + 1)}`, ...rows, ''].join('\n')
}

function others(results) {
  const ofOthers = results.filter(({ cell }) => cell.group !== undefined)
  const rows = ofOthers.map((result) => {
    const { group, row } = result.cell
    const version = tools[packages[group]]
    return `| ${group}${version === undefined ? '' : ` ${version}`} | ${row} | ${answer(result)} |`
  })
  return ['| tool | | |', '|---|---|---|', ...rows, ''].join('\n')
}

function answer({ works, missing, output }) {
  if (missing) return 'not run'
  if (works) return 'yes'
  const [reason] = /\bTS6046\b/.exec(output) ?? /\bTS\d{4,5}\b|\bERR_\w+\b|\b[A-Z]\w*Error\b|\b[A-Z]+_[A-Z_]+\b/.exec(output) ?? []
  return reason === undefined ? 'no' : `no (${reason})`
}
