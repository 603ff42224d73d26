import { accessSync, constants, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { Failure, systemReason } from '../failure.js'
import type { Shown } from './shown.js'

const endings = /\.(?:[cm]?js|m?ts|json)$/

/** Whether a file has the ending of models. */
export const isModelFile = (file: string): boolean => endings.test(file)

/** Whether a file is imported; others are JSON. */
export const isModule = (file: string): boolean => !file.endsWith('.json')

/** Compilers take what follows a ? for a query, each in its own way. Node.js imports no URL with a backslash. */
const notImported = sep === '/' ? ['?', '\\'] : ['?']

/** Refuses what cannot be read, or has another ending. @throws Failure */
export function checkReadable(file: string, shown: Shown): void {
  const path = shown(file)
  try {
    accessSync(file, constants.R_OK)
    if (statSync(file).isDirectory()) throw new Failure(`${path} is a folder. Give files, such as '${shown(join(file, '*.ts'))}'.`)
  } catch (error) {
    throw error instanceof Failure ? error : new Failure(`${path} cannot be read: ${systemReason(error)}.`, undefined, { cause: error })
  }
  const refused = notImported.find((character) => file.includes(character))
  if (isModule(file) && refused !== undefined)
    throw new Failure(
      `${path} has a ${refused} in its path, so it cannot be imported. Rename the file or its folder, or give a schema in JSON.`,
    )
  if (!isModelFile(file)) throw new Failure(`${path} is not a file of models. Give .ts, .mts, .js, .mjs, .cjs or .json.`)
}
