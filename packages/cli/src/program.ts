import { Command } from 'commander'
import type { Run, Shell } from './shell.js'
import { withoutSecrets } from './text/secrets.js'
import { version } from './version.js'

/** Adds to a command what it takes and does. */
type Define = (command: Command, shell: Shell, run: Run) => Command

interface Listed {
  /** Its line in the help of the program. */
  readonly summary: string
  readonly load: () => Promise<Define>
}

/** The commands by their names. Only the one that is called is imported, because a person waits for it. */
const commands: Readonly<Record<string, Listed>> = {
  lint: {
    summary: 'what will hurt about keys, in numbers, and how to fix it',
    load: async () => (await import('./commands/lint.js')).lintCommand,
  },
  layout: {
    summary: 'the bytes of keys, with a ruler',
    load: async () => (await import('./commands/layout.js')).layoutCommand,
  },
  encode: {
    summary: 'the rowkey of values',
    load: async () => (await import('./commands/encode.js')).encodeCommand,
  },
  decode: {
    summary: 'the values in rowkeys, also of a pipe',
    load: async () => (await import('./commands/decode.js')).decodeCommand,
  },
  explain: {
    summary: 'how a query reads, without a store',
    load: async () => (await import('./commands/explain.js')).explainCommand,
  },
  ddl: {
    summary: 'tables in a store, as its own definitions',
    load: async () => (await import('./commands/ddl.js')).ddlCommand,
  },
  'split-points': {
    summary: 'rowkeys that cut a table into equal parts',
    load: async () => (await import('./commands/split-points.js')).splitPointsCommand,
  },
  lock: {
    summary: 'key layouts in a file, and a check for CI',
    load: async () => (await import('./commands/lock.js')).lockCommand,
  },
  get: {
    summary: 'the row with a key',
    load: async () => (await import('./commands/get.js')).getCommand,
  },
  scan: {
    summary: 'rows in the order of the key',
    load: async () => (await import('./commands/scan.js')).scanCommand,
  },
  count: {
    summary: 'how many rows there are',
    load: async () => (await import('./commands/count.js')).countCommand,
  },
  tables: {
    summary: 'which models have a table in a store',
    load: async () => (await import('./commands/tables.js')).tablesCommand,
  },
  export: {
    summary: 'rows as lines of JSON',
    load: async () => (await import('./commands/export.js')).exportCommand,
  },
  import: {
    summary: 'puts rows from lines of JSON or CSV',
    load: async () => (await import('./commands/import.js')).importCommand,
  },
  copy: {
    summary: 'copies a table to another store',
    load: async () => (await import('./commands/copy.js')).copyCommand,
  },
  drop: {
    summary: 'drops a table with all its rows',
    load: async () => (await import('./commands/drop.js')).dropCommand,
  },
  partitions: {
    summary: 'the partitions of a table, or those that a query reads',
    load: async () => (await import('./commands/partitions.js')).partitionsCommand,
  },
  rotate: {
    summary: 'adds the ranges that a table needs by now, and drops old ones',
    load: async () => (await import('./commands/rotate.js')).rotateCommand,
  },
  index: {
    summary: 'builds, verifies or drops an index of a table',
    load: async () => (await import('./commands/index-tables.js')).indexCommand,
  },
  check: {
    summary: 'whether rowkey holds on your server',
    load: async () => (await import('./commands/check.js')).checkCommand,
  },
  mcp: {
    summary: 'the same for an assistant: a server of MCP on stdin and stdout',
    load: async () => (await import('./commands/mcp.js')).mcpCommand,
  },
  completion: {
    summary: 'completion for bash, zsh and fish',
    load: async () => (await import('./commands/completion.js')).completionCommand,
  },
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
 * @param run another command on behalf of one of them
 */
export function programOf(shell: Shell, run: Run): Command {
  const program = withHelp(new Command('rowkey'), shell)
    .description(about)
    .version(version(), '-V, --version', 'print the version')
    .helpCommand(false)
    .addHelpText('after', exits)
    .option('--debug', 'print stacks of errors')
    .hook('preSubcommand', async (_, called) => {
      // The scripts of completion are made of all commands.
      for (const command of called.name() === 'completion' ? program.commands : [called]) await define(command, shell, run)
    })
  for (const [name, { summary }] of Object.entries(commands)) program.addCommand(withHelp(new Command(name).summary(summary), shell))
  return program
}

async function define(command: Command, shell: Shell, run: Run): Promise<void> {
  const { load } = commands[command.name()] as Listed
  const defineCommand = await load()
  defineCommand(command, shell, run).option('--debug', 'print stacks of errors')
}

/** How a command shows its help and its errors. */
function withHelp(command: Command, { stdout, stderr, colors, env, width }: Shell): Command {
  const name = command.name()
  return command
    .helpOption('-h, --help', 'print this help')
    .exitOverride()
    .showHelpAfterError(`See rowkey ${name === 'rowkey' ? '' : `${name} `}--help.`)
    .configureHelp({ helpWidth: width, subcommandTerm: (each) => each.name(), styleTitle: (text) => colors.bold(text) })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHasColors: () => colors.level > 0,
      getErrHasColors: () => colors.level > 0,
      outputError: (text, write) =>
        write(withoutSecrets(text.replace(/^error: /, 'rowkey: ').replace(/(unknown option '--?[\w-]+=)[^\n]*'/, "$1…'"), env)),
    })
}
