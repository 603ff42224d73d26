// Also tested by config.test.ts.
import { schemaFromJSON, type TableSchema } from 'rowkey'
import { isRowkeyError } from 'rowkey/codec'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Failure } from '../failure.js'
import { configFiles, filesOfPatterns, findConfig, localPath, readConfig, type ModelFiles } from './config.js'
import { checkReadable, isModule } from './readable.js'
import { runChild, type Loaded, type LoadedJSON, type Parent } from './run-child.js'
import { shownFrom, type Shown } from './shown.js'

/** A model, and where it is declared. */
export interface LoadedModel {
  readonly schema: TableSchema
  /** The name of its export; that of the table in JSON. */
  readonly name: string
  readonly file: string
  /** Whether it is a decorated class. */
  readonly isClass?: boolean
}

/** Where models are. */
export interface ModelSources {
  /** Files or patterns. Without them, a config names them. */
  readonly models?: readonly string[] | undefined
  /** A config file; the nearest one of `folder` by default. */
  readonly config?: string | undefined
  /** The working folder; that of the process by default. */
  readonly folder?: string | undefined
  /** After so many seconds, the import of models is stopped; 30 by default. */
  readonly timeout?: number | undefined
}

/**
 * The models of a project. TypeScript and JavaScript are imported in another process, of which only the JSON of schemas is believed. Resolves to
 * at least one model; no two have the same table name.
 *
 * @throws Failure that names the file
 * @example
 * ```ts
 * const [{ schema }] = await loadModels({ models: ['src/models.ts'] })
 * ```
 */
export const loadModels = async (sources: ModelSources = {}): Promise<readonly LoadedModel[]> => {
  const { stderr, env } = process
  return (await loadProject(sources, { folder: sources.folder ?? process.cwd(), stderr, env, host: process })).models
}

/** What a project says: its models, and the part of its config for `rowkey lint`, which is not checked yet. */
export interface Project {
  readonly models: readonly LoadedModel[]
  readonly lint: unknown
}

/** The models and the config of a project. @throws Failure that names the file */
export async function loadProject({ models, config, timeout = 30 }: Omit<ModelSources, 'folder'>, parent: Parent): Promise<Project> {
  const { folder } = parent
  const shown = shownFrom(folder)
  const { files, loose, imported } =
    models === undefined
      ? await ofConfig(config, timeout, parent)
      : await ofFiles(filesOfPatterns(models, folder, '--models'), timeout, parent)
  const empty = imported.empty.find((file) => !loose.has(file))
  if (empty !== undefined) throw new Failure(`${shown(empty)} exports no model. ${howToExport}`)
  const inJSON = files.filter((file) => !isModule(file)).flatMap((file) => schemasInFile(file, shown, loose.has(file)))
  const byFile = inFiles([...imported.models, ...inJSON])
  const all = files.flatMap((file) => byFile.get(file) ?? []).map((json) => modelOf(json, shown))
  if (all.length === 0) throw new Failure(`no file exports a model, of ${files.map(shown).join(', ')}. ${howToExport}`)
  return { models: unique(all, shown), lint: lintOf(imported.config) }
}

const howToExport = 'Export a class with @Table, what defineTable() returns, or an object or a list of these.'

/** Files of models, in order, and what the modules among them export. */
interface Sources extends ModelFiles {
  readonly imported: Loaded
}

const lintOf = (config: unknown): unknown => (typeof config === 'object' && config !== null && 'lint' in config ? config.lint : undefined)

async function ofFiles({ files, loose }: ModelFiles, timeout: number, parent: Parent, config?: unknown): Promise<Sources> {
  const shown = shownFrom(parent.folder)
  for (const file of files) checkReadable(file, shown)
  const modules = files.filter(isModule)
  const none: Loaded = { config, models: [], empty: [] }
  return { files, loose, imported: modules.length === 0 ? none : { ...(await runChild({ files: modules }, timeout, parent)), config } }
}

/** A config that is a module is imported by the process that then imports the models. */
async function ofConfig(given: string | undefined, timeout: number, parent: Parent): Promise<Sources> {
  const { folder } = parent
  const shown = shownFrom(folder)
  const path = given === undefined ? findConfig(folder) : resolve(folder, localPath(given))
  if (path === undefined) {
    throw new Failure(
      `there are no models: neither ${folder} nor a folder above it has a rowkey.config.ts or .json. ` +
        `Write one, such as { "models": ["src/models.ts"] } in rowkey.config.json, or give --models FILE.`,
    )
  }
  checkReadable(path, shown)
  if (!isModule(path)) {
    const given = readConfig(path, shown)
    return ofFiles(configFiles(given, path, shown), timeout, parent, given)
  }
  const imported = await runChild({ config: path, files: [] }, timeout, parent)
  return { ...configFiles(imported.config, path, shown), imported }
}

function inFiles(all: readonly LoadedJSON[]): ReadonlyMap<string, readonly LoadedJSON[]> {
  const found = new Map<string, LoadedJSON[]>()
  for (const each of all) {
    const known = found.get(each.file)
    if (known === undefined) found.set(each.file, [each])
    else known.push(each)
  }
  return found
}

/** The schemas of a file of JSON: one or a list. @param isLoose other JSON is passed over @throws Failure */
function schemasInFile(file: string, shown: Shown, isLoose: boolean): readonly LoadedJSON[] {
  let given: unknown
  try {
    given = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Failure(`${shown(file)} is no JSON: ${(error as Error).message}.`, undefined, { cause: error })
  }
  const list: readonly unknown[] = Array.isArray(given) ? given : [given]
  if (isLoose && !list.some(isLikeSchema)) return []
  if (list.length === 0) throw new Failure(`${shown(file)} contains no schema.`)
  return list.map((json) => ({ file, json, name: '' }))
}

/** A schema with a mistake is still told. */
const isLikeSchema = (json: unknown): boolean => typeof json === 'object' && json !== null && ('format' in json || 'columns' in json)

/** The model of some JSON, which may be anything. @throws Failure */
function modelOf({ file, name, json, isClass }: LoadedJSON, shown: Shown): LoadedModel {
  try {
    if (typeof json !== 'object' || json === null) throw new Failure(`${shown(file)} is not the JSON of a schema, which is an object.`)
    const schema = schemaFromJSON(json)
    return { schema, name: name === '' || name === 'default' ? schema.name : name, file, ...(isClass === true ? { isClass } : {}) }
  } catch (error) {
    if (!isRowkeyError(error)) throw error
    throw new Failure(`${shown(file)} has a schema that is refused: ${error.message}`, undefined, { cause: error })
  }
}

/** One model for each table: the same one may be exported by several files. @throws Failure for two that differ */
function unique(models: readonly LoadedModel[], shown: Shown): readonly LoadedModel[] {
  const byName = new Map<string, LoadedModel>()
  for (const model of models) {
    const other = byName.get(model.schema.name)
    if (other === undefined) byName.set(model.schema.name, model)
    else if (JSON.stringify(other.schema) !== JSON.stringify(model.schema)) {
      const places = [other, model].map(({ name, file }) => `${name} in ${shown(file)}`).join(' and ')
      throw new Failure(`two models have the table name '${model.schema.name}' and differ: ${places}. Rename one, or leave one out.`)
    }
  }
  return [...byName.values()]
}

/** The models of these names, all of them for none. @throws Failure for a name that no model has */
export function selectModels(models: readonly LoadedModel[], names: readonly string[]): readonly LoadedModel[] {
  if (names.length === 0) return models
  return names.map((wanted) => {
    const found = models.find(({ schema }) => schema.name === wanted) ?? models.find(({ name }) => name === wanted)
    if (found !== undefined) return found
    const known = models.map(({ schema, name }) => (name === schema.name ? name : `${schema.name} (${name})`)).join(', ')
    throw new Failure(`there is no model '${wanted}'. There are: ${known}.`)
  })
}
