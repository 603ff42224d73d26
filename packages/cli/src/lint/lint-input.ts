// Tested by lint.test.ts.
import { isPlainObject, nearestName, show } from 'rowkey/internal'
import { readFileSync } from 'node:fs'
import { Failure, systemReason } from '../failure.js'
import type { LintInput } from '../load/config.js'
import type { Shell } from '../shell.js'

const lists = ['queries', 'writes', 'ignore', 'stats', 'samples'] as const
const fields = [...lists, 'store', 'storeOptions', 'servers', 'kudu']

/** The input of a config and of a file, one after the other. @throws Failure that says where something is wrong */
export function lintInput(shell: Shell, config: unknown, file: string | undefined): LintInput {
  const ofConfig = config === undefined ? {} : checked(config, 'lint of the config')
  const ofFile = file === undefined ? {} : checked(parsed(shell.path(file), file), file)
  const both = lists.map((name) => [name, [...(ofConfig[name] ?? []), ...(ofFile[name] ?? [])]] as const)
  return { ...ofConfig, ...ofFile, ...Object.fromEntries(both) }
}

function parsed(path: string, file: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const why = error instanceof SyntaxError ? `is no JSON: ${error.message}` : `cannot be read: ${systemReason(error)}`
    throw new Failure(`${file} ${why}.`, undefined, { cause: error })
  }
}

/** A list is one of queries. What is in the lists is checked by the advisor. */
function checked(given: unknown, from: string): LintInput {
  const input: unknown = Array.isArray(given) ? { queries: given as unknown[] } : given
  if (!isPlainObject(input)) throw new Failure(`${from} is ${show(given)}. Give { queries: [...] }, or a list of queries.`)
  const unknown = Object.keys(input).find((name) => !fields.includes(name))
  if (unknown !== undefined) {
    const nearest = nearestName(unknown, fields)
    const meant = nearest === undefined ? '' : ` Did you mean ${show(nearest)}?`
    throw new Failure(`${from} has ${show(unknown)}, which does not exist.${meant} There are: ${fields.join(', ')}.`)
  }
  for (const name of lists) {
    const list = input[name] ?? []
    if (!Array.isArray(list) || !list.every(isPlainObject)) throw new Failure(`${from}: ${name} is ${show(list)}. Give a list of objects.`)
  }
  return input
}
