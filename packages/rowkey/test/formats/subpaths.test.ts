import { readFileSync, readdirSync } from 'node:fs'
import { basename } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { foldersIn } from '../../../../test/house/sources.js'
import { bareSource, nodeGlobal } from '../../../../test/kit/bare-source.js'

const root = new URL('../../', import.meta.url)
const sources = new URL('src/formats/', root)
const formats = foldersIn('packages/rowkey/src/formats').map((folder) => basename(folder))
const filesOf = (format: string): readonly string[] => readdirSync(new URL(`${format}/`, sources))

/** The imports of a format's files that are not files of its own folder. */
const foreignImports = (format: string): readonly string[] =>
  filesOf(format).flatMap((file) => {
    const { importedFiles } = ts.preProcessFile(readFileSync(new URL(`${format}/${file}`, sources), 'utf8'))
    return importedFiles.map(({ fileName }) => fileName).filter((path) => !path.startsWith('./'))
  })

test('every folder of the sources is a format, and each is an entry, its sources first; there is no entry for all', () => {
  const { exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { exports: Record<string, object> }
  const expected = formats.map((name) => [
    `./formats/${name}`,
    Object.entries({
      '@rowkey/source': `./src/formats/${name}/index.ts`,
      types: `./dist/types/formats/${name}/index.d.ts`,
      default: `./dist/formats/${name}.js`,
    }),
  ])
  expect(formats).toEqual(expect.arrayContaining(['hbase', 'kudu']))
  expect(
    Object.entries(exports)
      .filter(([path]) => path.startsWith('./formats'))
      .map(([path, conditions]) => [path, Object.entries(conditions)]),
  ).toEqual(expected)
})

test.each(formats)('%s imports the codec only, and no other format', (format) => {
  expect(foreignImports(format).length).toBeGreaterThan(0)
  expect(foreignImports(format).filter((path) => !/^#codec(\/internal)?$/.test(path))).toEqual([])
})

test.each(formats.flatMap((format) => filesOf(format).map((file) => `${format}/${file}`)))(
  '%s uses no Node global and no `any`',
  (name) => {
    const bare = bareSource(readFileSync(new URL(name, sources), 'utf8'))
    expect(bare).not.toMatch(nodeGlobal)
    expect(bare).not.toMatch(/\bany\b/)
  },
)
