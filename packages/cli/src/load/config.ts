import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nearestName } from 'rowkey/internal'
import type { AdviceOptions, Ignore, QueryShape, SampleOptions, TableStats, WriteLoad } from '@rowkey/advisor'
import { Failure, systemReason } from '../failure.js'
import { filesOf, isPattern } from './glob.js'
import { isModelFile } from './readable.js'
import type { Shown } from './shown.js'

/** What `rowkey.config.ts` exports as its default. */
export interface Config {
  /** Files with models, or patterns such as `schemas/*.json`, from the folder of this file. */
  readonly models: readonly string[]
  /** What `rowkey lint` knows, apart from the models: the content of a file for its `--queries`. */
  readonly lint?: LintInput
}

/** What `rowkey lint` knows, apart from the models: `lint` of a config, or a file in JSON. */
export interface LintInput {
  readonly queries?: readonly QueryShape[]
  readonly writes?: readonly WriteLoad[]
  readonly ignore?: readonly Ignore[]
  /** The name of a store. */
  readonly store?: string
  readonly servers?: number
  readonly storeOptions?: object
  readonly kudu?: AdviceOptions['kudu']
  /** What `sampleStats()` returned. */
  readonly stats?: readonly TableStats[]
  readonly samples?: readonly LintSample[]
}

/** Sample rows of a table: in a file, whose path is from the working folder, or here. */
export interface LintSample extends SampleOptions {
  readonly table: string
  readonly file?: string
  readonly rows?: readonly object[]
}

const names = ['ts', 'mts', 'js', 'mjs', 'json'].map((ending) => `rowkey.config.${ending}`)

/** The nearest config file of a folder and those around it; undefined if there is none. */
export function findConfig(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const found = names.map((name) => join(at, name)).find((path) => existsSync(path))
    if (found !== undefined) return found
    if (dirname(at) === at) return undefined
  }
}

/** The content of a config file in JSON. @throws Failure */
export function readConfig(path: string, shown: Shown): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const why = error instanceof SyntaxError ? `it is no JSON: ${error.message}` : systemReason(error)
    throw new Failure(`${shown(path)} cannot be read: ${why}.`)
  }
}

/** Files of models. */
export interface ModelFiles {
  readonly files: readonly string[]
  /** Those that only a pattern names, which may also name files without models. */
  readonly loose: ReadonlySet<string>
}

/** The files that a config names. @throws Failure if it is none, or a pattern names no file */
export function configFiles(config: unknown, path: string, shown: Shown): ModelFiles {
  const {
    models,
    lint: _,
    ...others
  }: { readonly models?: unknown; readonly lint?: unknown } = typeof config === 'object' && config !== null ? config : {}
  if (!Array.isArray(models) || models.length === 0 || !models.every((pattern) => typeof pattern === 'string')) {
    throw new Failure(`${shown(path)} must have { models: [...] }, a list of files such as 'src/models.ts'.`)
  }
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) {
    const nearest = nearestName(unknown, ['models', 'lint'])
    const meant = nearest === undefined ? '' : ` Did you mean '${nearest}'?`
    throw new Failure(`${shown(path)} has the option '${unknown}', which does not exist.${meant} There are models and lint.`)
  }
  return filesOfPatterns(models, dirname(path), shown(path))
}

/** The files of patterns, each once. @throws Failure if a pattern names no file */
export function filesOfPatterns(patterns: readonly string[], folder: string, from: string): ModelFiles {
  const named = new Set<string>()
  const files = patterns.flatMap((pattern) => {
    const path = localPath(pattern)
    const found = filesOf(path, folder).filter((file) => !isPattern(path, folder) || (isModelFile(file) && !/\.d\.[cm]?ts$/.test(file)))
    if (found.length === 0) throw new Failure(`${from}: no file matches ${pattern}.`)
    if (!isPattern(path, folder)) for (const file of found) named.add(file)
    return found
  })
  const unique = [...new Set(files)]
  return { files: unique, loose: new Set(unique.filter((file) => !named.has(file))) }
}

/** A path as it is, and that of a `file:` URL. @throws Failure for a URL of another machine */
export function localPath(given: string): string {
  if (!given.startsWith('file://') || existsSync(given)) return given
  try {
    return fileURLToPath(given)
  } catch (error) {
    throw new Failure(`${given} is not the URL of a file on this machine. Give its path.`, undefined, { cause: error })
  }
}
