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

/** Every package with sources, such as `packages/codec` and `adapters/redis`. */
export const packages: readonly string[] = ['packages', 'adapters', 'clients'].flatMap(foldersIn)

/** The source files of a package, from the root of the repository. */
export const sourcesOf = (folder: string): readonly string[] =>
  readdirSync(`${root}${folder}/src`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/src/${name.replaceAll('\\', '/')}`)
    .sort()

/** The test files of a package, from the root of the repository. */
export const testsOf = (folder: string): readonly string[] =>
  existsSync(`${root}${folder}/test`)
    ? readdirSync(`${root}${folder}/test`, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.test(-d)?\.ts$/.test(name) && !name.includes('node_modules'))
        .map((name) => `${folder}/test/${name.replaceAll('\\', '/')}`)
        .sort()
    : []

/** The files of the same package that a file imports, types included. */
export const importsOf = (path: string): readonly string[] =>
  ts.preProcessFile(read(path)).importedFiles.flatMap(
    ({ fileName }) =>
    fileName.startsWith('.') ? [posix.join(posix.dirname(path), fileName).replace(/\.js$/, '.ts')] : [], // prettier-ignore
  )
