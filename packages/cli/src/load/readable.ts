import { accessSync, constants, statSync } from 'node:fs'
import { Failure, systemReason } from '../failure.js'

const endings = /\.(?:[cm]?js|m?ts|json)$/

/** Whether a file is imported; others are JSON. */
export const isModule = (file: string): boolean => !file.endsWith('.json')

/** Refuses what cannot be read, or has another ending. @throws Failure */
export function checkReadable(file: string): void {
  try {
    accessSync(file, constants.R_OK)
    if (statSync(file).isDirectory()) throw new Failure(`${file} is a folder. Give files, such as '${file}/*.ts'.`)
  } catch (error) {
    throw error instanceof Failure ? error : new Failure(`${file} cannot be read: ${systemReason(error)}.`, undefined, { cause: error })
  }
  // Compilers take what follows it for a query, each in its own way.
  if (isModule(file) && file.includes('?'))
    throw new Failure(`${file} has a ? in its path, so it cannot be imported. Rename the file or its folder, or give a schema in JSON.`)
  if (!endings.test(file)) throw new Failure(`${file} is not a file of models. Give .ts, .mts, .js, .mjs, .cjs or .json.`)
}
