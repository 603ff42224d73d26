// node build.mjs [PROJECT…]: declarations by the compiler, then one file for each published entry; what entries share is in chunks beside them.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, transform } from 'esbuild'
import { published, root } from './test/packaging/workspace.mjs'

/** Programs that are started and not imported. */
const programs = { '@rowkey/cli': { main: 'src/main.ts', child: 'src/load/child.ts' } }

const projects = process.argv.slice(2)
const tsc = fileURLToPath(new URL('node_modules/typescript/bin/tsc', import.meta.url))
const { status } = spawnSync(process.execPath, [tsc, '-b', ...(projects.length === 0 ? ['tsconfig.build.json'] : projects)], {
  cwd: root,
  stdio: 'inherit',
})
if (status !== 0) process.exit(status ?? 1)
await Promise.all(published.map(bundle))

async function bundle({ folder, manifest }) {
  const dist = join(root, folder, 'dist')
  const entries = Object.values(manifest.exports).map((entry) => [entry.default.replace(/^\.\/dist\/|\.js$/g, ''), entry['@rowkey/source']])
  const { outputFiles } = await build({
    absWorkingDir: join(root, folder),
    entryPoints: { ...Object.fromEntries(entries), ...programs[manifest.name] },
    outdir: 'dist',
    bundle: true,
    splitting: true,
    chunkNames: 'chunk-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    packages: 'external',
    conditions: ['@rowkey/source'],
    sourcemap: true,
    sourcesContent: false, // sources are in the package
    legalComments: 'none',
    logLevel: 'warning',
    write: false,
  })
  for (const { path, text } of outputFiles) writeIfNew(path, path.endsWith('.js') ? await withConstants(withoutEffects(text)) : text)
  const kept = new Set(outputFiles.map(({ path }) => path))
  for (const path of filesBelow(dist)) if (/\.js(\.map)?$/.test(path) && !kept.has(path)) rmSync(path)
  const types = join(dist, 'types')
  if (existsSync(types)) tidy(types, join(root, folder, 'src'), manifest)
}

/**
 * Deletes declarations whose source is gone, and lets the others name each other by path: what `imports` maps to sources is not there for a
 * compiler of an application.
 */
function tidy(types, sources, { imports = {} }) {
  for (const path of filesBelow(types)) {
    const source = join(sources, relative(types, path)).replace(/\.d\.ts(\.map)?$/, '.ts')
    if (!existsSync(source)) rmSync(path)
    else if (path.endsWith('.d.ts')) writeIfNew(path, readFileSync(path, 'utf8').replaceAll(/(['"])(#[\w/]+)\1/g, byPath(path)))
  }

  function byPath(from) {
    return (all, quote, name) => {
      if (imports[name] === undefined) return all
      const target = relative(dirname(from), join(types, imports[name].replace('./src/', ''))).replace(/\.ts$/, '.js')
      return quote + (target.startsWith('.') ? target : `./${target}`) + quote
    }
  }
}

/** No chunk is there for its side effects alone, and bundlers warn of an import that says so. */
function withoutEffects(code) {
  return code.replaceAll(/^import "\.[^"]*";$/gm, '')
}

/**
 * esbuild makes variables of what a module declares. V8 knows the value of a constant and not of a variable: a put into memory takes 7 % longer with
 * variables. Those that are assigned to stay what they are. Source maps are two columns off in these declarations.
 */
async function withConstants(code) {
  const declarations = /^var ([\w$]+) = /gm
  const { warnings } = await transform(code.replaceAll(declarations, 'const $1 = '), { loader: 'js', logLevel: 'silent' })
  const assigned = new Set(warnings.map(({ id, text }) => (id === 'assign-to-constant' ? /"(.+)"/.exec(text)?.[1] : undefined)))
  return code.replaceAll(declarations, (all, name) => (assigned.has(name) ? all : `const ${name} = `))
}

function writeIfNew(path, text) {
  let before
  try {
    before = readFileSync(path, 'utf8')
  } catch {
    mkdirSync(dirname(path), { recursive: true })
  }
  if (text !== before) writeFileSync(path, text)
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
}
