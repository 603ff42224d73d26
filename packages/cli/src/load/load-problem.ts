// Tested by loading.test.ts.
import { isRowkeyError } from 'rowkey/codec'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * Why a file cannot be loaded, as the end of a sentence that begins with its path. Other files are named by absolute paths.
 */
export function loadProblem(error: unknown, file: string): string {
  if (isRowkeyError(error)) return `has a model that is refused: ${error.message}`
  if (!(error instanceof Error)) return `throws ${String(error)} when it is imported`
  return missingImport(error, file) ?? syntaxError(error, file) ?? `throws ${error.name}: ${error.message}${placeIn(error)}`
}

/** An import of a module or a name that does not exist. Paths may have spaces and quotes. */
function missingImport({ message }: Error, file: string): string | undefined {
  const [, what, name = '', from] = /^Cannot find (module|package) '(.+?)'(?: imported from (.+)|\.[^']*)?$/m.exec(message) ?? []
  if (what !== undefined) {
    const [, required] = /\nRequire stack:\n- (.+)/.exec(message) ?? []
    return `imports ${shown(name)}, which does not exist${inside(from ?? required, file)}`
  }
  const [, module, missing] = /^The requested module '(.+?)' does not provide an export named '(.+?)'/.exec(message) ?? []
  return module === undefined ? undefined : `imports '${missing ?? ''}' of ${shown(module)}, which does not export it`
}

/** A syntax error as esbuild or Node.js reports it, with its place. */
function syntaxError(error: Error, file: string): string | undefined {
  const [, path, line, column, reason] = /\n(.+?):(\d+):(\d+): ERROR: (.+)/.exec(error.message) ?? []
  if (path !== undefined) return `does not compile: ${bare(path)}:${line ?? ''}:${column ?? ''}: ${reason ?? ''}`
  if (error.name !== 'SyntaxError') return undefined
  // Of a module, only Node.js itself says where it is.
  const stack = /^.+:\d+\n/.test(error.stack ?? '')
    ? error.stack
    : spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' }).stderr
  const [, where, row, marked = ''] = /^(.+?):(\d+)\n(?:.*\n)?( *)\^/m.exec(stack ?? '') ?? []
  const place = where === undefined ? '' : `${bare(where)}:${row ?? ''}:${marked.length + 1}: `
  return `does not compile: ${place}${error.message}`
}

/** A line of a stack: its place is a path or a URL, alone or in brackets after the name of a function. */
const frame = /^ +at (?:async )?(?:.*? \()?((?:file:\/\/|\/|[A-Z]:\\).+:\d+:\d+)\)?$/

/** Where an error was thrown, outside of Node.js and of packages. */
function placeIn({ stack = '' }: Error): string {
  const places = stack.split('\n').flatMap((line) => frame.exec(line)?.[1] ?? [])
  const place = places.find((each) => !/[\\/]node_modules[\\/]/.test(each))
  return place === undefined ? '' : ` (${bare(place)})`
}

const inside = (importer: string | undefined, file: string): string => {
  const path = importer === undefined ? file : bare(importer)
  return path === file ? '' : ` (in ${path})`
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

const shown = (name: string): string => `'${bare(name)}'`
