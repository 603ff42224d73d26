// Tested by help.test.ts.
import { Command } from 'commander'
import { width } from './output.js'
import { colors } from './text/colors.js'
import { withoutSecrets } from './text/secrets.js'

/** The commands by their names. Only the one that is called is imported, because a person waits for it. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  lint: async () => (await import('./commands/lint.js')).lintCommand(),
  layout: async () => (await import('./commands/layout.js')).layoutCommand(),
  encode: async () => (await import('./commands/encode.js')).encodeCommand(),
  decode: async () => (await import('./commands/decode.js')).decodeCommand(),
  explain: async () => (await import('./commands/explain.js')).explainCommand(),
  ddl: async () => (await import('./commands/ddl.js')).ddlCommand(),
  'split-points': async () => (await import('./commands/split-points.js')).splitPointsCommand(),
  lock: async () => (await import('./commands/lock.js')).lockCommand(),
  get: async () => (await import('./commands/get.js')).getCommand(),
  scan: async () => (await import('./commands/scan.js')).scanCommand(),
  count: async () => (await import('./commands/count.js')).countCommand(),
  tables: async () => (await import('./commands/tables.js')).tablesCommand(),
  export: async () => (await import('./commands/export.js')).exportCommand(),
  import: async () => (await import('./commands/import.js')).importCommand(),
  copy: async () => (await import('./commands/copy.js')).copyCommand(),
  drop: async () => (await import('./commands/drop.js')).dropCommand(),
  mcp: async () => (await import('./commands/mcp.js')).mcpCommand(),
  completion: async () => (await import('./commands/completion.js')).completionCommand(),
}

const about = `Keys in the shell, before there is a store and after: what a rowkey contains, how a query reads, what a table is in a store.

Models are found by rowkey.config.{ts,mts,js,mjs,json}, such as
{ "models": ["src/models.ts"] }, or by --models.`

const exits = `
Exit codes: 0 fine, 1 findings or no row, 2 usage or models,
3 refused by rowkey, 4 a store does not answer or does not fit.`

/**
 * The command and its subcommands. It does not end the process: what commander would end it for is thrown.
 *
 * @param version of this package
 * @param called the first argument; if it is a command, the program has only that one
 */
export async function programOf(version: string, called: string | undefined): Promise<Command> {
  const program = new Command('rowkey').description(about).version(version, '-V, --version', 'print the version')
  // The scripts of completion are made of all commands.
  const one = called === undefined || called === 'completion' || !Object.hasOwn(commands, called) ? undefined : commands[called]
  for (const make of one === undefined ? Object.values(commands) : [one]) program.addCommand(await make())
  program.helpCommand(false).addHelpText('after', exits)
  for (const command of [program, ...program.commands]) {
    const help = command === program ? 'rowkey --help' : `rowkey ${command.name()} --help`
    command
      .option('--debug', 'print stacks of errors')
      .helpOption('-h, --help', 'print this help')
      .exitOverride()
      .showHelpAfterError(`See ${help}.`)
      .configureHelp({ helpWidth: width(), subcommandTerm: (each) => each.name(), styleTitle: (text) => colors.bold(text) })
      .configureOutput({
        outputError: (text, write) =>
          write(withoutSecrets(text.replace(/^error: /, 'rowkey: ').replace(/(unknown option '--?[\w-]+=)[^\n]*'/, "$1…'"))),
      })
  }
  return program
}
