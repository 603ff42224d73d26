import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../packages/codec/', import.meta.url)
const source = new URL('src/', root)

/** Every file that a file imports, itself included, by its path below src; imports of types count. */
function reached(from: string, found = new Set<string>()): Set<string> {
  if (found.has(from)) return found
  found.add(from)
  const url = new URL(from, source)
  const imports = readFileSync(url, 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']*)\.js'/g)
  for (const [, path = ''] of imports) reached(new URL(`${path}.ts`, url).href.slice(source.href.length), found)
  return found
}

const filesIn = (folder: string): string[] => readdirSync(new URL(folder, source)).map((name) => `${folder}${name}`)

test('the package itself reaches no other format, so that none is in a bundle that does not ask for it', () => {
  const core = reached('index.ts')
  expect(core.size).toBeGreaterThan(30)
  expect([...core].filter((path) => /^(?:kudu|hbase)\//.test(path))).toEqual([])
})

test.each(['kudu/', 'hbase/'])('%s holds what its index reaches, and reaches no other format', (folder) => {
  const format = [...reached(`${folder}index.ts`)]
  expect(format.filter((path) => path.startsWith(folder)).toSorted()).toEqual(filesIn(folder).toSorted())
  expect(format.filter((path) => /^(?:kudu|hbase)\//.test(path) && !path.startsWith(folder))).toEqual([])
  expect(format).not.toContain('index.ts')
})

test('exports: each format is a subpath, its sources first', () => {
  const { exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { exports: Record<string, unknown> }
  expect(Object.keys(exports)).toEqual(['.', './internal', './hbase', './kudu'])
  for (const name of ['hbase', 'kudu']) {
    const conditions = {
      '@rowkey/source': `./src/${name}/index.ts`,
      types: `./dist/${name}/index.d.ts`,
      default: `./dist/${name}/index.js`,
    }
    expect(Object.entries(exports[`./${name}`] as object)).toEqual(Object.entries(conditions))
  }
})
