import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

export const root: string = fileURLToPath(new URL('../../', import.meta.url))
export const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8')
/** The folders in a folder; none if it does not exist. */
export const foldersIn = (folder: string): readonly string[] =>
  existsSync(`${root}${folder}`)
    ? readdirSync(`${root}${folder}`, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [`${folder}/${entry.name}`] : []))
    : []

/** The rooms of the package `rowkey`, such as `packages/rowkey/src/codec`. */
export const rooms: readonly string[] = foldersIn('packages/rowkey/src')
/** Every package with sources, such as `adapters/redis`, and each room of `rowkey`. */
export const packages: readonly string[] = [
  ...['packages', 'adapters', 'clients'].flatMap(foldersIn).filter((folder) => folder !== 'packages/rowkey'),
  ...rooms,
]
/** The folder of the sources of a package or a room. */
export const sourceFolderOf = (folder: string): string => (folder.includes('/src/') ? folder : `${folder}/src`)
/** The folder of its tests. */
export const testFolderOf = (folder: string): string => sourceFolderOf(folder).replace(/\/src(?=\/|$)/, '/test')

/** The source files of a package or a room, from the root of the repository. */
export const sourcesOf = (folder: string): readonly string[] =>
  readdirSync(`${root}${sourceFolderOf(folder)}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${sourceFolderOf(folder)}/${name.replaceAll('\\', '/')}`)
    .sort()

/** The test files of a package or a room, from the root of the repository. */
export const testsOf = (folder: string): readonly string[] =>
  existsSync(`${root}${testFolderOf(folder)}`)
    ? readdirSync(`${root}${testFolderOf(folder)}`, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.test(-d)?\.ts$/.test(name) && !name.includes('node_modules'))
        .map((name) => `${testFolderOf(folder)}/${name.replaceAll('\\', '/')}`)
        .sort()
    : []

/** The files of the same package or room that a file imports, types included. */
export const importsOf = (path: string): readonly string[] =>
  ts.preProcessFile(read(path)).importedFiles.flatMap(
    ({ fileName }) =>
    fileName.startsWith('.') ? [posix.join(posix.dirname(path), fileName).replace(/\.js$/, '.ts')] : [], // prettier-ignore
  )
