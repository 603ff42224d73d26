// Tested by loading.test.ts.
import { isRowkeyError } from '@rowkey/codec'
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

/** An import of a module or a name that does not exist. */
function missingImport({ message }: Error, file: string): string | undefined {
  const [, what, name = '', from] = /^Cannot find (module|package) '(.+?)'(?: imported from (.+))?/.exec(message) ?? []
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
  if (path !== undefined) return `does not compile: ${pathOf(path, file)}:${line ?? ''}:${column ?? ''}: ${reason ?? ''}`
  if (error.name !== 'SyntaxError') return undefined
  // Of a module, only Node.js itself says where it is.
  const stack = /^\S+?:\d+\n/.test(error.stack ?? '')
    ? error.stack
    : spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' }).stderr
  const [, where, row, marked = ''] = /^(\S+?):(\d+)\n(?:.*\n)?( *)\^/m.exec(stack ?? '') ?? []
  const place = where === undefined ? '' : `${pathOf(where, file)}:${row ?? ''}:${marked.length + 1}: `
  return `does not compile: ${place}${error.message}`
}

/** Where an error was thrown, outside of Node.js and of packages. */
function placeIn({ stack = '' }: Error): string {
  const frames = stack.split('\n').filter((line) => /^ +at .*(?:file:\/\/|\/|[A-Z]:\\)/.test(line) && !/node:|node_modules/.test(line))
  const [, place] = /\(?((?:file:\/\/)?[^()\s]+:\d+:\d+)\)?$/.exec(frames[0] ?? '') ?? []
  return place === undefined ? '' : ` (${bare(place)})`
}

const inside = (importer: string | undefined, file: string): string => {
  const path = importer === undefined ? file : bare(importer)
  return path === file ? '' : ` (in ${path})`
}

const pathOf = (path: string, file: string): string => bare(path) || file

/** A path without its protocol, and without what loaders add to it. */
function bare(path: string): string {
  const [clean = path] = path.split('?')
  const [, url = clean, place = ''] = /^(.*?)((?::\d+)*)$/.exec(clean) ?? []
  return url.startsWith('file://') ? fileURLToPath(url) + place : clean
}

const shown = (name: string): string => `'${bare(name)}'`
