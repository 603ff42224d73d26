import { foldersOf, stores } from '@rowkey/servers'
import { foldersIn, read, sourceFolderOf, sourcesOf } from './sources.js'

/** The folders of all adapters, or of the sources of those in `rowkey`. A folder that is in no list is one too. */
export const adapters: readonly string[] = [
  ...foldersIn('adapters'),
  ...stores.flatMap((store) => ('isBuiltIn' in store ? [foldersOf(store).sources] : [])),
]

/** The files of every adapter. */
export const everywhere: readonly string[] = ['adapter.ts', 'capabilities.ts', 'catalogs.ts', 'index.ts', 'scan.ts', 'write.ts']

/** The names of files that ARCHITECTURE allows directly in an adapter's sources. */
export function namesOfFiles(page: string = read('ARCHITECTURE.md')): readonly string[] {
  const [, section = ''] = /^## Inside an adapter\n([^]*?)^## /m.exec(page) ?? []
  return [...section.matchAll(/^- `([\w-]+\.ts)`: \S/gm)].map(([, name = '']) => name)
}

/** The files directly in an adapter's sources. */
export const filesOf = (adapter: string): readonly string[] =>
  sourcesOf(adapter)
    .map((path) => path.slice(sourceFolderOf(adapter).length + 1))
    .filter((file) => !file.includes('/'))

/** The files that have a name of their own. They belong in a folder, or their name in ARCHITECTURE. */
export const unnamedFiles = (files: readonly string[], names: readonly string[]): readonly string[] =>
  files.filter((file) => !names.includes(file))
