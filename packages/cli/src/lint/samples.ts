// Tested by lint.test.ts.
import type { SampleOptions, TableStats } from '@rowkey/advisor'
import { isPlainObject, nearestName, show } from 'rowkey/internal'
import { Failure } from '../failure.js'
import type { LintSample } from '../load/config.js'
import { selectModels, type LoadedModel } from '../load/load-models.js'
import type { Shell } from '../shell.js'
import { sampleOf, sampleOfRows } from './sample.js'

/** Samples as options name them. */
interface Options {
  readonly sample?: readonly string[]
  readonly total?: number
}

/**
 * The statistics of all samples: those of the options, and those of the input that are of a table which is asked for.
 *
 * @param all the models of the project
 * @param models those that are asked for
 * @throws Failure that says where something is wrong
 */
export async function samplesOf(
  shell: Shell,
  all: readonly LoadedModel[],
  models: readonly LoadedModel[],
  given: readonly LintSample[],
  { sample = [], total }: Options,
): Promise<readonly TableStats[]> {
  const stats: TableStats[] = []
  for (const each of sample) {
    const [, name, named] = /^([A-Za-z_][A-Za-z0-9_.-]*)=(.+)$/s.exec(each) ?? []
    const [only, ...others] = name === undefined ? models : selectModels(models, [name])
    if (only === undefined || others.length > 0) {
      throw new Failure(`--sample ${each}: there are ${models.length} tables. Give TABLE=FILE, or the name of one table.`)
    }
    const file = named ?? each
    stats.push(await sampleOf(only.schema, shell.path(file), file, total === undefined ? {} : { total }))
  }
  for (const each of given) {
    const { table, file, rows, options } = checked(each)
    const [model] = selectModels(all, [table])
    if (model === undefined || !models.includes(model)) continue
    const { schema } = model
    if (rows !== undefined) stats.push(sampleOfRows(schema, rows, `the sample of '${table}'`, options))
    if (file !== undefined) stats.push(await sampleOf(schema, shell.path(file), file, options))
  }
  return stats
}

const fields = ['table', 'file', 'rows', 'total', 'order']

/** A sample, whose total and order are checked with its rows. */
function checked(given: LintSample): Pick<LintSample, 'table' | 'file' | 'rows'> & { readonly options: SampleOptions } {
  const unknown = Object.keys(given).find((name) => !fields.includes(name))
  if (unknown !== undefined) {
    const nearest = nearestName(unknown, fields)
    const meant = nearest === undefined ? '' : ` Did you mean ${show(nearest)}?`
    throw new Failure(`samples have ${show(unknown)}, which does not exist.${meant} There are: ${fields.join(', ')}.`)
  }
  const { table, file, rows, ...options } = given as { readonly [name in keyof LintSample]: unknown }
  if (typeof table !== 'string') throw new Failure(`a sample has the table ${show(table)}. Give the name of one.`)
  const isFile = typeof file === 'string' && rows === undefined
  const areRows = file === undefined && Array.isArray(rows) && rows.every(isPlainObject)
  if (!isFile && !areRows)
    throw new Failure(`the sample of '${table}' has neither a file nor rows. Give one of both: { table, rows: [{ … }] }.`)
  return {
    table,
    ...(isFile ? { file } : {}),
    ...(areRows ? { rows: rows } : {}),
    options: options as SampleOptions,
  }
}
