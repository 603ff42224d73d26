// Tested by load-models.test.ts.
import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import { loadProject, selectModels, type LoadedModel } from '../load/load-models.js'
import type { Shell } from '../shell.js'

/** The options that every command on models has. */
export interface ModelOptions {
  readonly models?: readonly string[]
  readonly config?: string
  readonly timeout?: number
  readonly json?: true
}

/** Adds the options that every command on models has. */
export const withModels = (command: Command): Command =>
  command
    .option('-m, --models <file...>', 'files with models, up to the next option, instead of those of the config')
    .option('--config <file>', 'the config; by default the nearest rowkey.config.{ts,mts,js,mjs,json}')
    .option('--timeout <seconds>', 'stop the import of models after so long', positive, 30)
    .option('--json', 'print JSON')

/** The options that every command on a store has. */
export interface StoreOptions extends ModelOptions {
  readonly url?: string
  readonly prefix?: string
}

/** Adds the options that every command on a store has. */
export const withStoreOptions = (command: Command): Command =>
  withModels(command)
    .option('--url <url>', 'the store, such as lmdb:data or redis://host:6379; by default that of ROWKEY_URL')
    .option('--prefix <text>', 'what comes before the names of tables in the store')

/** A whole number from 1. */
export function positive(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Give a whole number from 1.')
}

/** The models that the options name. */
export const modelsOf = async (options: ModelOptions, shell: Shell): Promise<readonly LoadedModel[]> =>
  (await loadProject(options, shell)).models

/** Of these, the ones with some names; all of them for none. */
export const chosenModels = async (names: readonly string[], options: ModelOptions, shell: Shell): Promise<readonly LoadedModel[]> =>
  selectModels(await modelsOf(options, shell), names)

/** The one with a name. */
export async function chosenModel(name: string, options: ModelOptions, shell: Shell): Promise<LoadedModel> {
  const [model] = await chosenModels([name], options, shell)
  return model as LoadedModel
}

/** The end of a command's help. A test runs the example. */
export const withExample = (command: Command, ...lines: readonly string[]): Command =>
  command.addHelpText('after', `\nExample:\n${lines.map((line) => `  ${line}`).join('\n')}`)
