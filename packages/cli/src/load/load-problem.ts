// Tested by load-models.test.ts.
import { isRowkeyError } from 'rowkey/codec'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Shown } from './shown.js'

/**
 * Why a file cannot be loaded, as the end of a sentence that begins with its path. Node.js and esbuild say what is missing and where only in
 * their texts: their errors have no fields for it, or tsx deletes them.
 */
export function loadProblem(error: unknown, file: string, shown: Shown): string {
  if (isRowkeyError(error)) return `has a model that is refused: ${error.message}`
  if (!(error instanceof Error)) return `throws ${String(error)} when it is imported`
  return (
    missingImport(error, file, shown) ?? syntaxError(error, file, shown) ?? `throws ${error.name}: ${error.message}${placeIn(error, shown)}`
  )
}

/** Node.js names the files that led to a missing CommonJS module. */
type NodeError = Error & { readonly requireStack?: readonly string[] }

/** An import of a module or a name that does not exist. Paths may have spaces and quotes. */
function missingImport({ message, requireStack }: NodeError, file: string, shown: Shown): string | undefined {
  const quoted = (name: string): string => `'${shown(bare(name))}'`
  const [, what, name = '', from] = /^Cannot find (module|package) '(.+?)'(?: imported from (.+)|\.[^']*)?$/m.exec(message) ?? []
  if (what !== undefined) {
    const importer = bare(from ?? requireStack?.[0] ?? file)
    return `imports ${quoted(name)}, which does not exist${importer === file ? '' : ` (in ${shown(importer)})`}`
  }
  const [, module, missing] = /^The requested module '(.+?)' does not provide an export named '(.+?)'/.exec(message) ?? []
  return module === undefined ? undefined : `imports '${missing ?? ''}' of ${quoted(module)}, which does not export it`
}

/** A syntax error as esbuild or Node.js reports it, with its place. */
function syntaxError(error: Error, file: string, shown: Shown): string | undefined {
  const [, path, line, column, reason] = /\n(.+?):(\d+):(\d+): ERROR: (.+)/.exec(error.message) ?? []
  if (path !== undefined) return `does not compile: ${shown(bare(path))}:${line ?? ''}:${column ?? ''}: ${reason ?? ''}`
  if (error.name !== 'SyntaxError') return undefined
  // Of a module, only Node.js itself says where it is.
  const stack = /^.+:\d+\n/.test(error.stack ?? '')
    ? error.stack
    : spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' }).stderr
  const [, where, row, marked = ''] = /^(.+?):(\d+)\n(?:.*\n)?( *)\^/m.exec(stack ?? '') ?? []
  const place = where === undefined ? '' : `${shown(bare(where))}:${row ?? ''}:${marked.length + 1}: `
  return `does not compile: ${place}${error.message}`
}

/** A line of a stack: its place is a path or a URL, alone or in brackets after the name of a function. */
const frame = /^ +at (?:async )?(?:.*? \()?((?:file:\/\/|\/|[A-Z]:\\).+:\d+:\d+)\)?$/

/** Where an error was thrown, outside of Node.js and of packages. */
function placeIn({ stack = '' }: Error, shown: Shown): string {
  const places = stack.split('\n').flatMap((line) => frame.exec(line)?.[1] ?? [])
  const place = places.find((each) => !/[\\/]node_modules[\\/]/.test(each))
  return place === undefined ? '' : ` (${shown(bare(place))})`
}

/** What loaders add to a path. */
const added = /\?(?:tsx-)?namespace=[^:]*/

/** A path without its protocol, and without what loaders add to it. */
function bare(path: string): string {
  const [, whole = path, place = ''] = /^(.*?)((?::\d+)*)$/.exec(path) ?? []
  if (!whole.startsWith('file://')) return whole.replace(added, '') + place
  const url = new URL(whole)
  url.search = ''
  return fileURLToPath(url) + place
}
