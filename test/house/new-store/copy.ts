import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { root } from '../sources.js'

const passed = new Set(['node_modules', 'dist', 'coverage', 'results'])

/** Copies the repository's own files, and links what is installed. Packages of the workspace are those of the original, but for `own`. */
export function copyRepository(target: string, own: Readonly<Record<string, string>>): void {
  const isCopied = (path: string): boolean => {
    const name = basename(path)
    return (
      path === root || (!passed.has(name) && (!name.startsWith('.') || /^\.(changeset|prettier|dependency-cruiser|size-limit)/.test(name)))
    )
  }
  cpSync(root, target, { recursive: true, filter: (path) => isCopied(path) })
  linkModules(join(root, 'node_modules'), join(target, 'node_modules'), own)
  for (const folder of ['examples', 'bench', 'test/servers', ...['packages', 'adapters', 'clients'].flatMap(foldersIn)]) {
    const modules = join(root, folder, 'node_modules')
    if (existsSync(modules)) linkModules(modules, join(target, folder, 'node_modules'), own)
  }
  // What `pnpm install` links for a new adapter.
  for (const path of Object.values(own))
    if (path.includes('/adapters/')) linkModules(join(root, 'adapters/lmdb/node_modules'), join(path, 'node_modules'), {})
}

const foldersIn = (folder: string): readonly string[] =>
  existsSync(join(root, folder)) ? readdirSync(join(root, folder)).map((name) => `${folder}/${name}`) : []

/** Links everything in a folder of modules; `own` are other targets by name. Caches stay where they are. */
function linkModules(from: string, to: string, own: Readonly<Record<string, string>>): void {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    if (name.startsWith('.') && name !== '.pnpm' && name !== '.bin') continue
    if (name.startsWith('@')) {
      mkdirSync(join(to, name))
      for (const scoped of readdirSync(join(from, name))) link(join(from, name, scoped), join(to, name, scoped))
    } else link(join(from, name), join(to, name))
  }
  if (basename(dirname(from)) === 'examples')
    for (const [name, target] of Object.entries(own)) {
      mkdirSync(dirname(join(to, name)), { recursive: true })
      link(target, join(to, name))
    }

  function link(target: string, path: string): void {
    const other = Object.entries(own).find(([name]) => path === join(to, name))?.[1]
    if (!existsSync(path)) symlinkSync(other ?? target, path)
  }
}

/** Writes files by their paths below a folder. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
