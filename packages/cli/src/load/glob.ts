import { existsSync, readdirSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'

/**
 * The files that a pattern names: `*` and `?` within a name, `**` for folders, and no other character means anything but itself. `node_modules` and
 * folders that begin with a dot are left out. What exists as it is written is a path, also its first folders; so is what has none of these characters.
 *
 * @example
 * ```ts
 * filesOf('schemas/*.json', '/app') // [ '/app/schemas/logs.json', … ]
 * ```
 */
export function filesOf(pattern: string, folder: string): readonly string[] {
  if (!isPattern(pattern, folder)) return [resolve(folder, pattern)]
  const parts = pattern.split('/')
  const isLiteral = (count: number): boolean => existsSync(resolve(folder, parts.slice(0, count).join('/')))
  const first = parts.findIndex((part, at) => /[*?]/.test(part) && !isLiteral(at + 1))
  const base = resolve(folder, parts.slice(0, first).join('/') || (pattern.startsWith('/') ? '/' : '.'))
  const wanted = new RegExp(`^${parts.slice(first).map(expressionOf).join('')}$`)
  return namesBelow(base, '')
    .filter((name) => wanted.test(`${name}/`))
    .map((name) => join(base, name.replaceAll('/', sep)))
    .sort()
}

/** Whether a name is a pattern, and not the path of what exists. */
export const isPattern = (name: string, folder: string): boolean => /[*?]/.test(name) && !existsSync(resolve(folder, name))

/** One part of a pattern, with the slash after it. */
function expressionOf(part: string): string {
  if (part === '**') return '(?:[^/]+/)*'
  const escaped = part.replace(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
  return `${escaped.replaceAll('*', '[^/]*').replaceAll('?', '[^/]')}/`
}

function namesBelow(base: string, within: string): readonly string[] {
  let entries
  try {
    entries = readdirSync(join(base, within), { withFileTypes: true })
  } catch {
    return [] // the pattern then names no files, which is said
  }
  return entries.flatMap((entry) => {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') return []
    const name = `${within}${entry.name}`
    return entry.isDirectory() ? namesBelow(base, `${name}/`) : [name]
  })
}
