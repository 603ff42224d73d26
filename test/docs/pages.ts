import { readdirSync, readFileSync } from 'node:fs'

const root = new URL('../../', import.meta.url)
const passed = new Set(['node_modules', 'dist', 'coverage'])

/** Text of a file of the repository. */
export const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')

/** Every markdown page of the repository, by its path from the root. */
export function pages(folder = ''): readonly string[] {
  const entries = readdirSync(new URL(folder === '' ? '.' : folder, root), { withFileTypes: true })
  return entries.flatMap((entry) => {
    const path = `${folder}${entry.name}`
    if (entry.isDirectory())
      return passed.has(entry.name) || (entry.name.startsWith('.') && entry.name !== '.changeset') ? [] : pages(`${path}/`)
    return entry.name.endsWith('.md') ? [path] : []
  })
}
