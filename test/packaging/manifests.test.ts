import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { published, root } from './workspace.mjs'

const folderOf = new Map(published.map(({ folder, manifest }) => [manifest.name, folder]))

test('packages: those of the design are published', () => {
  expect([...folderOf.keys()]).toEqual(
    expect.arrayContaining(['@rowkey/codec', '@rowkey/model', '@rowkey/store', '@rowkey/mapper', '@rowkey/memory', 'rowkey']),
  )
})

test('packages: all have one version, they are released together', () => {
  expect(new Set(published.map(({ manifest }) => manifest.version)).size).toBe(1)
})

test('packages: before 1.0 every changeset is a patch', () => {
  const changesets = readdirSync(join(root, '.changeset')).filter((name) => name.endsWith('.md') && name !== 'README.md')
  const bumps = changesets.flatMap(
    (name) => readFileSync(join(root, '.changeset', name), 'utf8').match(/^'.+': (major|minor|patch)$/gm) ?? [],
  )
  if (published.every(({ manifest }) => manifest.version.startsWith('0.'))) {
    expect(bumps.filter((bump) => !bump.endsWith(': patch'))).toEqual([])
  }
})

test('packages: pnpm build makes all of them and the examples, and no tests', () => {
  const { references = [] } = ts.readConfigFile(join(root, 'tsconfig.build.json'), ts.sys.readFile).config as {
    references?: readonly { path: string }[]
  }
  const built = [...published.map(({ folder }) => folder), 'examples']
  expect(references.map(({ path }) => path).toSorted()).toEqual(built.toSorted())
})

test('@rowkey/codec has no dependencies', () => {
  const manifest = published.find(({ folder }) => folder === 'packages/codec')?.manifest
  expect(manifest).toBeDefined()
  expect({ ...manifest?.dependencies, ...manifest?.peerDependencies, ...manifest?.devDependencies }).toEqual({})
})

describe.each(published)('package $manifest.name', ({ folder, manifest }) => {
  test('says what it is and what is in it', () => {
    expect(manifest).toMatchObject({
      license: 'Apache-2.0',
      type: 'module',
      engines: { node: '>=20.19' },
      files: ['dist', 'src', '!dist/.tsbuildinfo'],
      exports: { '.': { '@rowkey/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' } },
    })
    expect(manifest.description?.length).toBeGreaterThan(20)
    expect(manifest.name).toMatch(folder === 'packages/rowkey' ? /^rowkey$/ : new RegExp(`^@rowkey/${basename(folder)}$`))
  })

  test('names the sources first: a condition counts in its place', () => {
    expect(Object.keys(manifest.exports?.['.'] ?? {})).toEqual(['@rowkey/source', 'types', 'default'])
  })

  test('TypeScript finds every entry where it does not read exports (module: commonjs, node10)', () => {
    expect(manifest).toMatchObject({ main: './dist/index.js', types: './dist/index.d.ts' })
    const entries = Object.entries(manifest.exports ?? {}).filter(([path]) => path !== '.')
    const subpaths = Object.fromEntries(entries.map(([path, { types }]) => [path.replace('./', ''), [types]]))
    expect(manifest.typesVersions).toEqual(entries.length === 0 ? undefined : { '*': subpaths })
  })

  test('tells bundlers which files have side effects', () => {
    const listed = manifest.sideEffects === false ? [] : (manifest.sideEffects as readonly string[])
    const sources = listed.filter((path) => path.startsWith('./src/'))
    expect(sources.filter((path) => !existsSync(join(root, folder, path)))).toEqual([])
    const built = sources.map((path) => path.replace('./src/', './dist/').replace(/\.ts$/, '.js'))
    expect(listed.toSorted()).toEqual([...built, ...sources].toSorted())
  })

  test('builds after the packages it depends on, and no others', () => {
    const dependencies = { ...manifest.dependencies, ...manifest.peerDependencies }
    const wanted = Object.keys(dependencies).flatMap((name) => folderOf.get(name) ?? [])
    expect(references(folder).toSorted()).toEqual(wanted.toSorted())
  })
})

function references(folder: string): readonly string[] {
  const { config } = ts.readConfigFile(join(root, folder, 'tsconfig.json'), ts.sys.readFile) as {
    config: { references?: readonly { path: string }[] }
  }
  return (config.references ?? []).map(({ path }) => relative(root, join(root, folder, path)))
}
