import { Command } from 'commander'
import { completionCommand } from './commands/completion.js'
import { ddlCommand } from './commands/ddl.js'
import { decodeCommand } from './commands/decode.js'
import { encodeCommand } from './commands/encode.js'
import { explainCommand } from './commands/explain.js'
import { layoutCommand } from './commands/layout.js'
import { lockCommand } from './commands/lock.js'
import { splitPointsCommand } from './commands/split-points.js'
import { width } from './output.js'
import { colors } from './text/colors.js'

const about = `Keys in the shell, before there is a store and after: what a rowkey contains, how a query reads, what a table is in a store.

Models are found by rowkey.config.{ts,mts,js,mjs,json}, such as { "models": ["src/models.ts"] }, or by --models.`

const exits = `
Exit codes: 0 fine, 1 findings, 2 usage or models, 3 refused by rowkey.`

/**
 * The command and its subcommands. It does not end the process: what commander would end it for is thrown.
 *
 * @param version of this package
 */
export function programOf(version: string): Command {
  const program = new Command('rowkey').description(about).version(version, '-V, --version', 'print the version')
  const commands = [
    layoutCommand,
    encodeCommand,
    decodeCommand,
    explainCommand,
    ddlCommand,
    splitPointsCommand,
    lockCommand,
    completionCommand,
  ]
  for (const make of commands) program.addCommand(make())
  program.helpCommand(false).addHelpText('after', exits)
  for (const command of [program, ...program.commands]) {
    command
      .option('--debug', 'print stacks of errors')
      .exitOverride()
      .showHelpAfterError(false)
      .configureHelp({ helpWidth: width(), styleTitle: (text) => colors.bold(text) })
      .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'rowkey: ')) })
  }
  return program
}
