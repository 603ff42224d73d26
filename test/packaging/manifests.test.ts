import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { published, root } from './workspace.mjs'

const folderOf = new Map(published.map(({ folder, manifest }) => [manifest.name, folder]))

test('packages: those of the design are published', () => {
  expect([...folderOf.keys()]).toEqual(
    expect.arrayContaining(['rowkey', '@rowkey/codec', '@rowkey/advisor', '@rowkey/cli', '@rowkey/nestjs', '@rowkey/lmdb']),
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
  const referencesOf = (file: string): readonly string[] => {
    const { config } = ts.readConfigFile(join(root, file), ts.sys.readFile) as { config: { references?: readonly { path: string }[] } }
    return (config.references ?? []).map(({ path }) => path)
  }
  expect(referencesOf('tsconfig.build.json')).toEqual(['tsconfig.packages.json', 'examples'])
  const suite = 'packages/rowkey/tsconfig.conformance.json' // its tables have inferred types
  expect(referencesOf('tsconfig.packages.json').toSorted()).toEqual([...published.map(({ folder }) => folder), suite].toSorted())
})

test('rowkey has no dependencies, and @rowkey/codec is a name for a part of it', () => {
  const [rowkey, codec] = ['packages/rowkey', 'packages/codec'].map((name) => published.find(({ folder }) => folder === name)?.manifest)
  expect(rowkey).toMatchObject({ peerDependenciesMeta: { 'reflect-metadata': { optional: true } } })
  expect([rowkey?.dependencies, Object.keys(rowkey?.peerDependencies ?? {})]).toEqual([undefined, ['reflect-metadata']])
  expect(codec?.dependencies).toEqual({ rowkey: 'workspace:*' })
})

describe.each(published)('package $manifest.name', ({ folder, manifest }) => {
  test('says what it is and what is in it', () => {
    expect(manifest).toMatchObject({
      license: 'Apache-2.0',
      type: 'module',
      engines: { node: '>=20.19' },
      files: ['dist', 'src', '!dist/.tsbuildinfo', ...(folder === 'packages/rowkey' ? ['!dist/.*.tsbuildinfo', '!src/**/README.md'] : [])],
    })
    for (const [path, conditions] of Object.entries(manifest.exports ?? {})) {
      const { types = '', default: main } = conditions
      const source = types.replace('./dist/types/', './src/').replace(/\.d\.ts$/, '.ts')
      expect(conditions, path).toEqual({ '@rowkey/source': source, types, default: main })
      expect(main, path).toBe(path === '.' ? './dist/index.js' : `./dist/${path.slice(2)}.js`)
      expect(existsSync(join(root, folder, conditions['@rowkey/source'] ?? '')), path).toBe(true)
    }
    expect(manifest.description?.length).toBeGreaterThan(20)
    const client = folder.startsWith('clients/') ? '-client' : ''
    expect(manifest.name).toBe(folder === 'packages/rowkey' ? 'rowkey' : `@rowkey/${basename(folder)}${client}`)
  })

  test('names the sources first: a condition counts in its place', () => {
    const entries = Object.values(manifest.exports ?? {})
    expect(entries.length).toBeGreaterThan(0)
    for (const conditions of entries) expect(Object.keys(conditions)).toEqual(['@rowkey/source', 'types', 'default'])
  })

  test('TypeScript finds every entry where it does not read exports (module: commonjs, node10)', () => {
    const hasRoot = manifest.exports?.['.'] !== undefined
    const { main, types } = manifest
    expect({ main, types }).toEqual(
      hasRoot ? { main: './dist/index.js', types: './dist/types/index.d.ts' } : { main: undefined, types: undefined },
    )
    const entries = Object.entries(manifest.exports ?? {}).filter(([path]) => path !== '.')
    const subpaths = Object.fromEntries(entries.map(([path, conditions]) => [path.replace('./', ''), [conditions['types']]]))
    expect(manifest.typesVersions).toEqual(entries.length === 0 ? undefined : { '*': subpaths })
  })

  test('tells bundlers which files have side effects', () => {
    const listed = manifest.sideEffects === false ? [] : (manifest.sideEffects as readonly string[])
    const sources = listed.filter((path) => path.startsWith('./src/'))
    expect(sources.filter((path) => !existsSync(join(root, folder, path)))).toEqual([])
    const built = listed.filter((path) => path.startsWith('./dist/'))
    const nameOf = (path: string): string => basename(path).replace(/\.[jt]s$/, '')
    expect(built.map(nameOf)).toEqual(built.length === 0 ? [] : sources.map(nameOf)) // programs are their own bundles
    expect([...built, ...sources].toSorted()).toEqual(listed.toSorted())
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
