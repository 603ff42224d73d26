// Tested by load-models.test.ts.
// The program of the process that loads models. What models print goes to stderr, which is also its stdout; its answers go to a pipe of their own.
import { existsSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type Model, schemaOf, type TableSchema } from 'rowkey'
import { isTableSchema, type SchemaJSON } from 'rowkey/internal'
import { Failure } from '../failure.js'
import { configFiles } from './config.js'
import { checkReadable, isModule } from './readable.js'
import { answers, type LoadMessage, type LoadRequest } from './messages.js'
import { loadProblem } from './load-problem.js'
import { isCompilerMissing, isTypeScript, muteLoader } from './plain-node.js'
import { shownFrom } from './shown.js'

const waiting = new Int32Array(new SharedArrayBuffer(4))

function answer(message: LoadMessage): void {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`)
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(answers, bytes, at)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(waiting, 0, 0, 1) // the pipe is full
    }
  }
}

/** Where decorators keep their record of a class; registered, so all copies of rowkey have the same. */
const record = Symbol.for('rowkey.record')
/** The import of rowkey's model has defined it, if Node.js has not. */
const metadata: symbol = (Symbol as { readonly metadata?: symbol }).metadata ?? Symbol.for('Symbol.metadata')

/** Whether an export is a class with `@Table`. A class with columns alone is the parent of others. */
function isDecorated(given: unknown): given is Model {
  if (typeof given !== 'function' || !Object.hasOwn(given, metadata)) return false
  const data = (given as unknown as Readonly<Record<symbol, object>>)[metadata]
  if (typeof data !== 'object' || data === null || !Object.hasOwn(data, record)) return false
  const { tables } = (data as Readonly<Record<symbol, { readonly tables?: readonly unknown[] }>>)[record] ?? {}
  return tables !== undefined && tables.length > 0
}

type SchemaOf = (model: Model) => TableSchema

/** By folder: all files of a folder import the same copy. */
const copies = new Map<string, Promise<SchemaOf>>()

/** `schemaOf` of the copy that a model file imports, so that classes are read by the code that decorated them; that of this package otherwise. */
function schemaOfAt(file: string): Promise<SchemaOf> {
  const folder = dirname(file)
  const known = copies.get(folder) ?? copyAt(file)
  copies.set(folder, known)
  return known
}

async function copyAt(file: string): Promise<SchemaOf> {
  try {
    const copy = (await import(pathToFileURL(createRequire(file).resolve('rowkey')).href)) as { readonly schemaOf?: SchemaOf }
    return copy.schemaOf ?? schemaOf
  } catch {
    return schemaOf // it does not import rowkey by this name
  }
}

interface Exported {
  readonly name: string
  readonly schema: SchemaJSON
  readonly isClass: boolean
}

/** The models that a module exports, with the names of the exports. A schema under two names is one. */
async function schemasIn(file: string, exports: Exports): Promise<readonly Exported[]> {
  const found = new Map<unknown, string>()
  for (const [name, value] of Object.entries(exports).sort(([a], [b]) => Number(a === 'default') - Number(b === 'default')))
    find(name, value, 0, found)
  const read = found.size === 0 ? schemaOf : await schemaOfAt(file)
  return [...found].map(([model, name]) => ({ name, schema: read(model as Model).toJSON(), isClass: typeof model === 'function' }))
}

/** Objects in objects, such as tables by their areas. */
const maxDepth = 4

/** Models in an export: itself, those in a list, and those in an object under their names there. */
function find(name: string, value: unknown, depth: number, found: Map<unknown, string>): void {
  if (isTableSchema(value) || isDecorated(value)) {
    // A default export has no name of its own, and a class has one.
    if (!found.has(value)) found.set(value, name === 'default' && typeof value === 'function' && value.name !== '' ? value.name : name)
  } else if (typeof value === 'object' && value !== null && depth < maxDepth && isPlain(value)) {
    for (const [key, inner] of name === 'default' && depth === 0 ? Object.entries(value) : ownValues(value))
      find(Array.isArray(value) ? name : key, inner, depth + 1, found)
  }
}

/** Without what code computes: what CommonJS exports is computed too, and any other code may do anything. */
const ownValues = (value: object): readonly (readonly [string, unknown])[] =>
  Object.entries(Object.getOwnPropertyDescriptors(value)).map(([key, { value: inner }]) => [key, inner])

/** Clients and connections are none: their properties are their own. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null
}

/** The nearest tsconfig.json of a file. */
function tsconfigOf(file: string): string | false {
  for (let at = dirname(file); ; at = dirname(at)) {
    const path = join(at, 'tsconfig.json')
    if (existsSync(path)) return path
    if (dirname(at) === at) return false
  }
}

/** Compiles what is imported from now on, and what is required, because projects without "type": "module" are CommonJS. */
async function compileBy(tsconfig: string | false): Promise<() => Promise<void>> {
  const [{ register: registerCommonJS }, { register }] = await Promise.all([import('tsx/cjs/api'), import('tsx/esm/api')])
  if (tsconfig !== false) process.env['TSX_TSCONFIG_PATH'] = tsconfig // the only way to say it for CommonJS
  const endCommonJS = registerCommonJS()
  delete process.env['TSX_TSCONFIG_PATH']
  const end = register({ tsconfig })
  return async () => {
    endCommonJS()
    await end()
  }
}

type Exports = Readonly<Record<string, unknown>>

const importFile = async (file: string): Promise<Exports> => (await import(pathToFileURL(file).href)) as Exports

async function load({ config, files, folder, isCompiled = false }: LoadRequest): Promise<void> {
  const shown = shownFrom(folder)
  let current: string | false | undefined
  let unregister = async (): Promise<void> => undefined
  /** Compiles what follows as the project of this file does, which decides about its decorators. */
  const compileLike = async (file: string): Promise<void> => {
    if (current === undefined && !isCompiled && !isTypeScript(file)) return // a compiler takes longer to load than most models
    const tsconfig = tsconfigOf(file)
    if (tsconfig === current) return
    await unregister()
    unregister = await compileBy(tsconfig)
    current = tsconfig
  }
  const importEach = async (file: string, use: (exports: Exports) => Promise<void>): Promise<void> => {
    answer({ file })
    try {
      await compileLike(file)
      await use(await importFile(file))
    } catch (error) {
      if (current === undefined && isCompilerMissing(error, tsconfigOf(file) !== false)) answer({ uncompiled: true })
      else
        answer({
          ...(error instanceof Failure ? { failure: error.message } : { problem: loadProblem(error, file, shown) }),
          stack: error instanceof Error ? (error.stack ?? '') : '',
        })
      process.exit(0)
    }
  }
  if (!isCompiled) muteLoader()
  // Node.js ends with this code when a module waits for what never happens, and from 22 on also prints a warning.
  process.once('beforeExit', () => process.exit(13))
  let all = files
  if (config !== undefined) {
    await importEach(config, async (exports) => {
      const given = plain(exports['default'])
      answer({ config: given })
      all = configFiles(given, config, shown).files
      for (const file of all) checkReadable(file, shown)
    })
  }
  for (const file of all.filter(isModule)) {
    await importEach(file, async (exports) => {
      for (const { schema, name, isClass } of await schemasIn(file, exports)) answer({ schema, name, isClass })
    })
  }
  answer({ done: true })
  await nextTurn() // warnings are printed after what has led to them
  process.exit(0) // a model may have opened a connection
}

/** A config as JSON has it, of a module that may be CommonJS. */
function plain(given: unknown): unknown {
  const inner = typeof given === 'object' && given !== null && 'default' in given ? given.default : given
  return inner ?? null
}

await load(JSON.parse(process.argv[2] as string) as LoadRequest)
