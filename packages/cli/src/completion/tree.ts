import type { Command } from 'commander'

/** What a shell completes, as data. */
export interface CompletedCommand {
  readonly name: string
  /** Its first sentence, without quotes and other characters that shells read. */
  readonly about: string
  readonly options: readonly CompletedOption[]
  /** What its first argument can be, if that is a list. */
  readonly choices: readonly string[]
}

/** One option: `--json` or `-m`. */
export interface CompletedOption {
  readonly name: string
  readonly about: string
  /** What it can be set to, if that is a list. */
  readonly choices: readonly string[]
}

const plain = (text: string): string => (text.split(/[.:;] |[.;]$/)[0] ?? '').replace(/[^\w ,=<>.…-]/g, '')

/** The commands of a program. */
export const commandsOf = (program: Command): readonly CompletedCommand[] =>
  program.commands.map((command) => ({
    name: command.name(),
    about: plain(command.description()),
    choices: command.registeredArguments[0]?.argChoices ?? [],
    options: command.options.map(({ long, short, description, argChoices = [] }) => ({
      name: long ?? short ?? '',
      about: plain(description),
      choices: argChoices,
    })),
  }))
