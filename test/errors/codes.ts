import { readdirSync, readFileSync } from 'node:fs'

const root = new URL('../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')

const folders = ['packages', 'adapters'].flatMap((group) =>
  readdirSync(new URL(group, root), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [`${group}/${entry.name}/src/`] : [],
  ),
)
const sources = folders.flatMap((folder) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' }).flatMap((name) =>
    name.endsWith('.ts') ? [read(folder + name)] : [],
  ),
)

const unique = (codes: readonly string[]): string[] => [...new Set(codes)].sort()
const all = (pattern: RegExp): string[] => sources.flatMap((text) => [...text.matchAll(pattern)].map((match) => match[1] as string))

/** Codes as the sources throw them. */
export const thrownCodes = (): string[] => unique(all(/(?:storeError|codecError|mapperError|new RowkeyError)\(\s*'([A-Z_]+)'/g))

/** The interfaces of details. */
const interfaces = (): string[] => all(/interface \w*ErrorDetails\b[^{]*\{\n([^]*?\n\})/g)

/** Codes as the interfaces of details declare them. */
export const declaredCodes = (): string[] =>
  unique(interfaces().flatMap((body) => [...body.matchAll(/^ {2}([A-Z_]+): /gm)].map((match) => match[1] as string)))

/** Codes of the problems that INVALID_SCHEMA lists. */
export const problemCodes = (): string[] => {
  const [union = ''] = /type ProblemCode =[^]*?\n\n/.exec(read('packages/rowkey/src/model/problems.ts')) ?? []
  return unique((union.match(/'[A-Z_]+'/g) ?? []).map((quoted) => quoted.slice(1, -1)))
}

/** The names of what an error of this code carries in `details`. */
export function detailsOf(code: string): string[] {
  if (code === 'INVALID_SCHEMA') return ['table', 'problems']
  const entry = new RegExp(`^ {2}${code}: (\\{[^]*?\\n?(?: {2})?\\}|.*)$(?=\\n(?: {2}\\S|\\}))`, 'm')
  const body = interfaces().flatMap((each) => entry.exec(each)?.[1] ?? [])[0] ?? ''
  // One level deep: what stands in braces of its own belongs to a part.
  const outer = body.slice(1, -1).replace(/\{[^{}]*\}/g, '')
  return [...outer.matchAll(/readonly (\w+)\??:/g)].map((match) => match[1] as string)
}
